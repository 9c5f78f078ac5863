/** A payer pays by card on our page. */

import { bothSizes, fill, heading, pay, press, secretsIn, testPayers, typed } from '../harness/browser/payers';
import { testApi } from '../harness/servers/api';

const api = testApi({ ownServer: true });
const payers = testPayers(api);
const { open, newPayment, thanksUrl, chargesOf, read, shop } = payers;

describe.each(bothSizes)('paying (%s)', size => {
  payers.on(size);

  it('redirects to the shop with the ID of the transaction and without a referrer', async () => {
    const { id, url } = await newPayment();
    const page = await open(url);
    expect(await page.textContent('.summary')).toMatch(/Tienda.*Order.*Valor a pagar.*100\.000/s);
    payers.referers.length = 0;
    await fill(page);
    await page.click('form button');
    await page.waitForURL(thanksUrl(id));
    expect(payers.referers[0]).toBeUndefined();
    expect(chargesOf(id)).toEqual(['approved']);
    expect(await read(id)).toMatchObject({
      status: 'completed',
      authorization: expect.any(String),
      card: { card_number: '492938XXXXXX7748', holder_name: typed.holder_name, brand: 'visa' },
    });
    expect(await shop.eventsOf(id)).toEqual(['charge.created', 'charge.succeeded']);
  });

  it('works without JavaScript, including the redirect', async () => {
    const { id, url } = await newPayment();
    const page = await open(url, { javaScriptEnabled: false });
    await pay(page, { card_number: '4444444444444448' });
    expect(await page.textContent('.alert')).toContain('Fondos insuficientes');
    await fill(page);
    await page.click('form button');
    await page.waitForURL(thanksUrl(id));
    expect(chargesOf(id)).toEqual([3003, 'approved']);
  });

  it('works with the keyboard alone', async () => {
    const { id, url } = await newPayment();
    const page = await open(url);
    const { keyboard } = page;
    const isFocused = (name: string) => page.evaluate(`document.activeElement?.id === '${name}'`);
    for (let i = 0; i < 10 && !(await isFocused('card_number')); i++) await keyboard.press('Tab');
    for (const name of ['card_number', 'holder_name', 'expiration', 'cvv2'] as const) {
      expect(await isFocused(name)).toBe(true);
      await keyboard.type(typed[name].replace('/', ''));
      await keyboard.press('Tab');
    }
    expect(await page.evaluate('document.activeElement.tagName')).toBe('BUTTON');
    expect(await page.inputValue('#expiration')).toBe(typed.expiration);
    await keyboard.press('Enter');
    await page.waitForURL(thanksUrl(id));
    expect(chargesOf(id)).toEqual(['approved']);
  });

  it('stays in English when English is selected', async () => {
    const { url } = await newPayment();
    const page = await open(url);
    await Promise.all([page.waitForEvent('load'), page.click('text=English')]);
    await pay(page, { card_number: '4444444444444448' });
    expect(await page.textContent('.alert')).toContain('Insufficient funds');
    expect(await page.getAttribute('html', 'lang')).toBe('en');
  });

  it('leaves no card data in a page, a URL or the log', async () => {
    const { id, url } = await newPayment();
    const page = await open(url);
    const pages: string[] = [];
    await fill(page, { expiration: '01/20' });
    await page.click('form button');
    pages.push(await page.content());
    await api.acquirer.script(id, 3001);
    await pay(page);
    pages.push(await page.content());
    await fill(page);
    await page.click('form button');
    await page.waitForURL(thanksUrl(id));
    await page.goto(url);
    pages.push(await page.content());
    expect(pages.map(html => /<h1[^>]*>(.*)<\/h1>/.exec(html)?.[1])).toEqual([
      'Pago con tarjeta',
      'Pago con tarjeta',
      'Pago aprobado',
    ]);
    // The holder's name is kept for the next attempt, but only in the form.
    expect(pages.map(secretsIn)).toEqual([[], [typed.holder_name], []]);
    expect(
      secretsIn(
        api
          .lines()
          .join('')
          .replace(/"(ms|time|pid)":[\d.]+/g, ''),
      ),
    ).toEqual([]);
  });
});

describe.each(bothSizes)('the page of a payment that cannot be paid (%s)', size => {
  payers.on(size);

  it.each([
    ['that has expired', { expires_at: new Date(0) }],
    ['that was cancelled', { status: 'cancelled', progress: 'settled' }],
  ])('%s explains this', async (_, data) => {
    const { id, url } = await newPayment();
    const page = await open(url);
    await payers.change(id, data);
    await pay(page);
    expect(await heading(page)).toBe('Este pago venció');
    const again = await page.goto(url);
    expect(again?.status()).toBe(410);
    expect(await page.locator('form').count()).toBe(0);
    expect(chargesOf(id)).toEqual([]);
  });

  it('links to the shop without a redirect if it is already paid', async () => {
    const { id, url } = await newPayment();
    const page = await open(url);
    await fill(page);
    await page.click('form button');
    await page.waitForURL(thanksUrl(id));
    await page.goto(url);
    expect(await heading(page)).toBe('Pago aprobado');
    expect(await page.textContent('dl')).toMatch(
      new RegExp(`${id}.*IVA incluido.*15\\.966,39 COP.*Visa ···· 7748`, 's'),
    );
    expect(await page.locator('form').count()).toBe(0);
    await press(page, 'a.button');
    expect(page.url()).toBe(thanksUrl(id));
  });

  it('responds 404 at any other URL', async () => {
    const { url } = await newPayment();
    // One in thirty-six keys already ends in x.
    const similar = `${url.slice(0, -1)}${url.endsWith('x') ? 'y' : 'x'}`;
    for (const other of [similar, `${url}0`, `${api.origin()}/pay/${'0'.repeat(32)}`]) {
      const page = await open(other);
      expect(await heading(page)).toBe('No encontramos este pago');
      expect((await fetch(other)).status).toBe(404);
    }
  });
});

describe('a URL without a key', () => {
  it.each(['/pay', '/pay/', '/vouchers', '/vouchers/'])('%s shows a page with instructions', async path => {
    const answer = await fetch(`${api.origin()}${path}?lang=en`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(await answer.text()).toContain('We could not find this payment');
    const page = await open(`${api.origin()}${path}`);
    expect(await heading(page)).toBe('No encontramos este pago');
    expect(await page.textContent('main')).toContain('Revisa que el enlace esté completo');
    const { status, headers } = await fetch(`${api.origin()}${path}`, { method: 'POST' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('the card page', () => {
  it('is less than 60 KB with all its files, and loads nothing from other sites', async () => {
    const { url } = await newPayment();
    const html = await (await fetch(url)).text();
    const files = [...html.matchAll(/(?:href|src)="([^"?]+)"/g)].map(([, path = '']) => new URL(path, url).href);
    expect(files).toHaveLength(4);
    const sizes = await Promise.all(files.map(async file => (await (await fetch(file)).arrayBuffer()).byteLength));
    expect(sizes.reduce((sum, size) => sum + size, Buffer.byteLength(html))).toBeLessThan(60_000);
    const page = await open('about:blank');
    const requested: string[] = [];
    page.on('request', request => requested.push(request.url()));
    await page.goto(url, { waitUntil: 'networkidle' });
    expect([url, ...files, `${url}/devices`]).toEqual(expect.arrayContaining(requested));
  });
});
