/** The page on which a person completes and follows a request to go live, and receives the production keys. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { fromRoot } from '../../src/platform/root';
import { testLivePages, typed } from '../harness/browser/liveRequests';
import { bothSizes, heading, press, sizes, testPayers } from '../harness/browser/payers';
import { sendRequest, testApi } from '../harness/servers/api';

const api = testApi({ ownServer: true });
const { open, on } = testPayers(api);
const { runAs, newDraft, newSubmitted, newApproved, decide, statusOf } = testLivePages(api);
const db = () => api.database.db();
const axe = readFileSync(fromRoot('node_modules/axe-core/axe.min.js'), 'utf8');

type Typed = Partial<typeof typed>;
const idOf = (path: string): string => `#${path.replace('.', '-')}`;
async function fill(page: Page, overrides: Typed = {}): Promise<void> {
  for (const [path, text] of Object.entries({ ...typed, ...overrides }))
    if (path === 'bank_account.type') await page.selectOption(idOf(path), text);
    else await page.fill(idOf(path), text);
}
const valuesOf = async (page: Page): Promise<Record<string, string>> =>
  Object.fromEntries(
    await Promise.all(Object.keys(typed).map(async path => [path, await page.inputValue(idOf(path))] as const)),
  );
const problemsOn = (page: Page): Promise<string[]> =>
  page.locator('[aria-invalid]').evaluateAll(inputs => inputs.map(input => input.getAttribute('name') ?? ''));

const takePicture = async (page: Page, name: string): Promise<unknown> =>
  process.env.SCREENSHOTS && page.screenshot({ path: fromRoot(`screenshots/live-${name}.png`), fullPage: true });

describe.each(bothSizes)('on a %s', size => {
  on(size);

  it.each([true, false])('a draft is completed and followed; with JavaScript: %s', async javaScriptEnabled => {
    const { id, merchant, url } = await newDraft();
    const page = await open(url, { javaScriptEnabled });
    expect(await heading(page)).toBe('Acceso a producción');
    await fill(page);
    await press(page);
    expect(await heading(page)).toBe('Estamos revisando tu solicitud');
    expect(page.url()).toBe(url);
    expect(await page.textContent('dl')).toContain('900123456-8');
    expect(
      await runAs(
        merchant.private_key,
        '{ liveRequest { status business { legal_name nit website expected_monthly_volume bank_account { number } } } }',
      ),
    ).toEqual({
      status: 'submitted',
      business: {
        legal_name: 'Flores & Macetas S.A.S.',
        nit: '9001234568',
        website: 'https://flores.co',
        expected_monthly_volume: 50_000_000,
        bank_account: { number: 'XXXXXXX8901' },
      },
    });
    const entry = await db().auditEntry.findFirstOrThrow({ where: { object_id: id }, orderBy: { id: 'desc' } });
    expect(entry).toMatchObject({ action: 'live_request.changed', actor: 'session', actor_id: `page of ${id}` });
  });

  it('shows each error beside its field, and keeps the entered values', async () => {
    const { id, url } = await newDraft();
    const page = await open(url);
    const wrong = { nit: '900123456-7', website: 'x y', 'bank_account.number': '12' };
    await fill(page, wrong);
    await press(page);
    await takePicture(page, `invalid-${size}`);
    expect(await page.textContent('.alert')).toBe('Revisa los campos marcados.');
    expect(await problemsOn(page)).toEqual(['nit', 'website', 'bank_account.number']);
    expect(await page.textContent('#nit-hint')).toContain('El dígito de verificación no corresponde a este NIT.');
    expect(await page.textContent('#bank_account-number-hint')).toContain('Escribe de 6 a 20 dígitos.');
    expect(await valuesOf(page)).toEqual({ ...typed, ...wrong });
    expect(await statusOf(id)).toBe('draft');
    await fill(page);
    await press(page);
    expect(await statusOf(id)).toBe('submitted');
  });

  it('marks all empty fields together', async () => {
    const { url } = await newDraft();
    const page = await open(url);
    await page.click('form button');
    expect(await problemsOn(page)).toHaveLength(Object.keys(typed).length);
  });

  it('a returned request shows the reason, is prefilled, and keeps its bank account', async () => {
    const { id, url } = await newSubmitted();
    await decide('return', id, '¿Cuál es\nla página?');
    const page = await open(url);
    expect([await heading(page), await page.textContent('.reason')]).toEqual([
      'Necesitamos más información',
      '¿Cuál es\nla página?',
    ]);
    expect(await valuesOf(page)).toMatchObject({
      nit: '900123456-8',
      'bank_account.number': '',
      website: 'https://tienda.co',
    });
    expect(await page.textContent('#bank_account-number-hint')).toContain('terminada en 8901');
    await page.fill('#website', 'otra.co');
    await press(page);
    expect(await heading(page)).toBe('Estamos revisando tu solicitud');
    const { business: kept } = await db().liveRequest.findUniqueOrThrow({ where: { id } });
    expect(kept).toMatchObject({ website: 'https://otra.co', bank_account: { number: 'XXXXXXX8901' } });
  });

  it('an approved request shows the production keys once, in exchange for the private sandbox key', async () => {
    const { merchant, url, production } = await newApproved();
    const page = await open(url);
    await page.fill('#private_key', `sk_${'0'.repeat(32)}`);
    await press(page);
    expect(await page.textContent('#private_key-hint')).toContain(
      'Esta llave privada no es de este comercio. Revísala e inténtalo de nuevo.',
    );
    await page.fill('#private_key', merchant.private_key);
    await press(page);
    await takePicture(page, `keys-${size}`);
    expect(await heading(page)).toBe('Tus llaves de producción');
    const shown = await page.locator('code').allTextContents();
    expect(shown).toEqual([
      production,
      expect.stringMatching(/^sk_[0-9a-f]{32}$/),
      expect.stringMatching(/^pk_[0-9a-f]{32}$/),
    ]);
    const origin = await api.startProduction();
    expect((await sendRequest(`${origin}/v1/${production}`, 'GET', { key: shown[1] ?? '' })).status).toBe(200);
    await page.goto(url);
    expect([await heading(page), await page.locator('code').count()]).toEqual(['Ya estás en producción', 0]);
  });
});

describe('each state', () => {
  const states: [string, es: string, en: string, () => Promise<string>][] = [
    [
      'draft',
      'Acceso a producción',
      'Production access',
      async () => (await newDraft('Flores y macetas de la montaña')).url,
    ],
    [
      'submitted',
      'Estamos revisando tu solicitud',
      'We are reviewing your request',
      async () => (await newSubmitted()).url,
    ],
    [
      'returned',
      'Necesitamos más información',
      'We need more information',
      async () => {
        const { id, url } = await newSubmitted();
        await decide('return', id, `No pudimos abrir la página ${'www.flores-y-macetas'.repeat(8)}.co`);
        return url;
      },
    ],
    [
      'refused',
      'Tu solicitud fue rechazada',
      'Your request was rejected',
      async () => {
        const { id, url } = await newSubmitted();
        await decide('refuse', id, 'Aún no trabajamos con este tipo de negocio.');
        return url;
      },
    ],
    ['approved', 'Tu solicitud fue aprobada', 'Your request was approved', async () => (await newApproved()).url],
    [
      'collected',
      'Ya estás en producción',
      'You are in production',
      async () => {
        const { merchant, url } = await newApproved();
        await runAs(merchant.private_key, 'mutation { collectLiveKeys { merchant_id } }');
        return url;
      },
    ],
    [
      'unknown',
      'No encontramos esta solicitud',
      'We could not find this request',
      async () => `${api.origin()}/live/y0`,
    ],
  ];

  it.each(states)(
    '%s fits the screen, is accessible, and is available in both languages',
    async (name, es, en, createUrl) => {
      const url = await createUrl();
      const page = await open(url);
      expect(await heading(page)).toBe(es);
      await page.evaluate(`${axe};0`);
      for (const [size, viewport] of Object.entries(sizes)) {
        await page.setViewportSize(viewport);
        const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        expect([size, await page.evaluate(overflow)]).toEqual([size, 0]);
        const violations = await page.evaluate<{ impact: string; id: string }[]>(
          `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
        );
        const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
        expect([size, ...serious.map(({ id }) => id)]).toEqual([size]);
        await takePicture(page, `${name}-${size}`);
      }
      await page.goto(`${url}?lang=en`);
      expect(await heading(page)).toBe(en);
    },
  );
});
