/** The page on which a person completes and follows a request to go live, and gets the production keys. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { fromRoot } from '../../../src/platform/root';
import { bothSizes, heading, press, send, sizes, testPayers } from '../../harness/browser/payers';
import { eventually } from '../../harness/flow/until';
import { business, testOperators } from '../../harness/merchant/operators';
import { errorOf, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();
const { open, on } = testPayers(api);
const { operate, as, newMerchant, requestLive, keys } = testOperators(api);
const db = () => api.database.db();
const axe = readFileSync(fromRoot('node_modules/axe-core/axe.min.js'), 'utf8');

/** What a person types. */
const typed = {
  legal_name: 'Flores & Macetas S.A.S.',
  nit: '900.123.456-8',
  expected_monthly_volume: '$ 50.000.000',
  website: 'flores.co',
  'representative.name': 'María Gómez',
  'representative.document': '52123456',
  'representative.email': 'maria@flores.co',
  'representative.phone': '300 123 4567',
  'bank_account.bank': 'Bancolombia',
  'bank_account.type': 'savings',
  'bank_account.number': '123-456789-01',
  support_email: 'ayuda@flores.co',
  support_phone: '601 123 4567',
};
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

const newDraft = async (name = 'Flores') => {
  const merchant = await newMerchant(name);
  const { id, url } = (await requestLive(merchant.private_key, null)).body.data.requestLive;
  return { merchant, id: id as string, url: url as string };
};
const newSubmitted = async () => {
  const draft = await newDraft();
  await as(draft.merchant.private_key, 'mutation ($b: BusinessInput!) { updateLiveRequest(request: $b) { id } }', {
    b: business,
  });
  return draft;
};
const decide = (how: 'return' | 'refuse', id: string, reason: string) =>
  operate('support', `mutation ($r: String!) { ${how}LiveRequest(id: "${id}", reason: $r) { id } }`, { r: reason });
const approve = (id: string) =>
  operate('admin', `mutation { approveLiveRequest(id: "${id}") { production_merchant_id } }`);
const newApproved = async () => {
  const request = await newSubmitted();
  const { production_merchant_id } = await approve(request.id);
  return { ...request, production: production_merchant_id as string };
};
const statusOf = async (id: string) => (await db().liveRequest.findUniqueOrThrow({ where: { id } })).status;

describe.each(bothSizes)('on a %s', size => {
  on(size);

  it.each([true, false])('a draft is completed and followed; with JavaScript: %s', async javaScriptEnabled => {
    const { id, merchant, url } = await newDraft();
    const page = await open(url, { javaScriptEnabled });
    expect(await heading(page)).toBe('Salir a producción');
    await fill(page);
    await press(page);
    expect(await heading(page)).toBe('Estamos revisando tu solicitud');
    expect(page.url()).toBe(url);
    expect(await page.textContent('dl')).toContain('900123456-8');
    expect(
      await as(
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

  it('says beside each field what is wrong, and keeps what was typed', async () => {
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

  it('marks every empty field at once', async () => {
    const { url } = await newDraft();
    const page = await open(url);
    await page.click('form button');
    expect(await problemsOn(page)).toHaveLength(Object.keys(typed).length);
  });

  it('a returned request says why, is filled in already, and keeps the account that it has', async () => {
    const { id, url } = await newSubmitted();
    await decide('return', id, '¿Cuál es\nla página?');
    const page = await open(url);
    expect([await heading(page), await page.textContent('.reason')]).toEqual([
      'Necesitamos algo más',
      '¿Cuál es\nla página?',
    ]);
    expect(await valuesOf(page)).toMatchObject({
      nit: '900123456-8',
      'bank_account.number': '',
      website: 'https://tienda.co',
    });
    expect(await page.textContent('#bank_account-number-hint')).toContain('termina en 8901');
    await page.fill('#website', 'otra.co');
    await press(page);
    expect(await heading(page)).toBe('Estamos revisando tu solicitud');
    const { business: kept } = await db().liveRequest.findUniqueOrThrow({ where: { id } });
    expect(kept).toMatchObject({ website: 'https://otra.co', bank_account: { number: 'XXXXXXX8901' } });
  });

  it('an approved request shows the production keys once, for the private key of the sandbox', async () => {
    const { merchant, url, production } = await newApproved();
    const page = await open(url);
    await page.fill('#private_key', `sk_${'0'.repeat(32)}`);
    await press(page);
    expect(await page.textContent('#private_key-hint')).toContain('Esta no es una llave privada de este comercio.');
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
    ['draft', 'Salir a producción', 'Go live', async () => (await newDraft('Flores y macetas de la montaña')).url],
    [
      'submitted',
      'Estamos revisando tu solicitud',
      'We are looking at your request',
      async () => (await newSubmitted()).url,
    ],
    [
      'returned',
      'Necesitamos algo más',
      'We need something else',
      async () => {
        const { id, url } = await newSubmitted();
        await decide('return', id, `No pudimos abrir la página ${'www.flores-y-macetas'.repeat(8)}.co`);
        return url;
      },
    ],
    [
      'refused',
      'Tu solicitud no fue aprobada',
      'Your request was not approved',
      async () => {
        const { id, url } = await newSubmitted();
        await decide('refuse', id, 'Aún no trabajamos con este tipo de negocio.');
        return url;
      },
    ],
    ['approved', 'Tu solicitud fue aprobada', 'Your request is approved', async () => (await newApproved()).url],
    [
      'collected',
      'Ya estás en producción',
      'You are live',
      async () => {
        const { merchant, url } = await newApproved();
        await as(merchant.private_key, 'mutation { collectLiveKeys { merchant_id } }');
        return url;
      },
    ],
    ['unknown', 'No encontramos esta solicitud', 'We cannot find this request', async () => `${api.origin()}/live/y0`],
  ];

  it.each(states)('%s fits the screen, is accessible, and speaks both languages', async (name, es, en, createUrl) => {
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
  });
});

describe('what nobody sends from the page', () => {
  const post = (url: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    send(url, form, headers);

  it('forms of other sites are 403 and change nothing', async () => {
    const { id, url } = await newDraft();
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
      expect((await post(url, typed, headers as Record<string, string>)).status).toBe(403);
    expect(await statusOf(id)).toBe('draft');
    const approved = await newApproved();
    const form = { private_key: approved.merchant.private_key };
    for (const headers of [{}, { origin: 'https://evil.example' }, { origin: 'null' }])
      expect((await post(`${approved.url}/keys`, form, headers as Record<string, string>)).status).toBe(403);
    expect(await db().apiKey.count({ where: { merchant_id: approved.production } })).toBe(0);
  });

  it('keys are given for no other key: of another merchant, public, read-only, of an operator, of production', async () => {
    const { merchant, url, production } = await newApproved();
    const { own, production: another } = api.merchants();
    const origin = api.origin();
    const wrong = [
      own.private_key,
      merchant.public_key,
      keys.admin.key,
      another.private_key,
      '',
      'sk_',
      'x'.repeat(5000),
    ];
    for (const private_key of wrong) expect((await post(`${url}/keys`, { private_key }, { origin })).status).toBe(422);
    await db().apiKey.updateMany({ where: { merchant_id: merchant.id }, data: { read_only: true } });
    await eventually(async () =>
      expect(errorOf(await as(merchant.private_key, 'mutation { requestLive { id } }'))).toBe(1010),
    );
    const readOnly = await post(`${url}/keys`, { private_key: merchant.private_key }, { origin });
    expect(readOnly.status).toBe(422);
    expect(await db().apiKey.count({ where: { merchant_id: production } })).toBe(0);
  });

  it('20 at once: the keys are shown to one', async () => {
    const { merchant, url } = await newApproved();
    const form = { private_key: merchant.private_key };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(`${url}/keys`, form, { origin: api.origin() })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(303)]);
  });

  it('a form for a request that is decided, twice at once, too large or broken changes nothing', async () => {
    const submitted = await newSubmitted();
    expect((await post(submitted.url, typed)).status).toBe(303);
    expect((await db().liveRequest.findUniqueOrThrow({ where: { id: submitted.id } })).business).toMatchObject({
      legal_name: 'Tienda S.A.S.',
    });
    const { id, url } = await newDraft();
    expect((await post(url, { ...typed, legal_name: 'x'.repeat(20_000) })).status).toBe(413);
    for (const wrong of [
      { legal_name: 'x'.repeat(200) },
      { legal_name: 'a\u0000b' },
      { 'bank_account.type': 'gold' },
      { expected_monthly_volume: '0' },
      { legal_name: '4111 1111 1111 1111' },
    ])
      expect((await post(url, { ...typed, ...wrong })).status).toBe(422);
    expect((await fetch(url, { method: 'POST', body: '%ff%fe=%&&&=' })).status).toBe(422);
    expect(await statusOf(id)).toBe('draft');
    const answers = await Promise.all([post(url, typed), post(url, typed)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(await db().auditEntry.count({ where: { object_id: id, action: 'live_request.changed' } })).toBe(1);
  });

  it('405 for other methods, and nothing at all in production', async () => {
    const { url } = await newDraft();
    expect((await fetch(url, { method: 'PUT' })).status).toBe(405);
    const origin = await api.startProduction();
    expect((await fetch(`${origin}${new URL(url).pathname}`)).status).toBe(404);
  });

  it('the headers forbid foreign scripts, framing and caching', async () => {
    const { headers } = await fetch((await newDraft()).url);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|\*|data:/);
    expect(headers.get('cache-control')).toBe('no-store');
  });
});
