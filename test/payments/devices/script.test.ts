/** The device script in payers' browsers, on pages of a shop and on our payment page. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { testBrowser } from '../../harness/browser/browser';
import { pay } from '../../harness/browser/payers';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { until } from '../../harness/flow/until';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { testApi } from '../../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const { browser } = testBrowser();
const ID = /^v[a-z0-9]{19}$/;
/** Otherwise the script would give up after three seconds and retry on the next page. */
const disableTimeout = (page: Page) => page.addInitScript('globalThis.setTimeout = () => 0');
const read = (id: string) => api.rest('GET', `/devices/${id}`);

describe('/v1/device.js', () => {
  let site: Server;
  /** The head of the shop's page. */
  let head = '';
  let policy = '';
  const address = () => `http://localhost:${(site.address() as AddressInfo).port}/`;
  beforeAll(async () => {
    site = createServer((_, reply) => {
      reply.setHeader('content-type', 'text/html').setHeader('content-security-policy', policy);
      reply.end(`<!doctype html><title>Shop</title>${head}<form><input type="hidden" name="device_session_id"></form>`);
    });
    await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve));
    atTheEnd(() => {
      site.close();
      site.closeAllConnections();
    });
    policy = [
      `default-src 'none'; script-src ${api.origin()}; connect-src ${api.origin()}; form-action 'none'`,
      "require-trusted-types-for 'script'; trusted-types 'none'; base-uri 'none'",
    ].join('; ');
  });
  const open = async (): Promise<{ page: Page; problems: string[] }> => {
    const page = await browser().newPage({ locale: 'es-CO', timezoneId: 'America/Bogota' });
    await disableTimeout(page);
    const problems: string[] = [];
    page.on('console', message => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', error => problems.push(error.message));
    await page.goto(address());
    return { page, problems };
  };
  const idOf = (page: Page, options: object): Promise<string> =>
    page.evaluate(given => {
      const { recaudo } = globalThis as unknown as { recaudo: { device(options: object): Promise<string> } };
      return recaudo.device(given);
    }, options);
  const merchant = () => ({ merchant_id: api.merchants().own.id, public_key: api.merchants().own.public_key });

  it('is small, cacheable, and available in production', async () => {
    const response = await fetch(`${api.origin()}/v1/device.js`);
    expect(response.headers.get('cache-control')).toMatch(/^public, max-age=/);
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const text = await response.text();
    expect(text.length).toBeLessThan(5000);
    expect(text).not.toMatch(/\beval\b|new Function|innerHTML|canvas/);
    expect((await fetch(`${await api.startProduction()}/v1/device.js`)).status).toBe(200);
  });

  it('works on a shop page with a strict content policy, and keeps its ID for the visit', async () => {
    head = `<script src="${api.origin()}/v1/device.js"></script>`;
    const { page, problems } = await open();
    const sent: string[] = [];
    page.on('request', request => request.method() === 'POST' && sent.push(request.url()));
    const id = await idOf(page, merchant());
    expect(id).toMatch(ID);
    expect((await read(id)).body).toMatchObject({
      user_agent: await page.evaluate('navigator.userAgent'),
      languages: 'es-CO',
      time_zone: 'America/Bogota',
      address: '127.0.0.1',
      color_depth: 24,
      screen_width: expect.any(Number),
    });
    await page.reload();
    expect(await idOf(page, merchant())).toBe(id);
    expect(sent).toEqual([`${api.origin()}/v1/${merchant().merchant_id}/devices`]);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('needs no script of the shop: its element names the merchant, and hidden inputs receive the ID', async () => {
    const { merchant_id, public_key } = merchant();
    head = `<script async src="${api.origin()}/v1/device.js" data-merchant-id="${merchant_id}" data-public-key="${public_key}"></script>`;
    const { page, problems } = await open();
    await until(async () => ID.test(await page.inputValue('input')));
    const id = await page.inputValue('input');
    await until(async () => (await read(id)).status === 200);
    expect(await idOf(page, {})).toBe(id);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('has an ID while the API is unreachable, and sends its data on the next page', async () => {
    head = `<script src="${api.origin()}/v1/device.js"></script>`;
    const { page } = await open();
    await page.route('**/devices', route => route.abort());
    const id = await idOf(page, merchant());
    expect(id).toMatch(ID);
    expect((await read(id)).status).toBe(404);
    await page.unroute('**/devices');
    await page.reload();
    expect(await idOf(page, merchant())).toBe(id);
    expect((await read(id)).status).toBe(200);
    await page.close();
  });

  it('works on our payment page, which names no merchant and no key', async () => {
    const { body } = await shop.post('/charges', shop.redirect);
    const page = await browser().newPage();
    await disableTimeout(page);
    await page.goto(body.payment_method.url);
    await until(async () => ID.test(await page.inputValue('[name=device_session_id]')));
    const device = await page.inputValue('[name=device_session_id]');
    await until(async () => (await read(device)).status === 200);
    const { id, public_key } = api.merchants().own;
    for (const secret of [id, public_key]) expect(await page.content()).not.toContain(secret);
    await pay(page);
    await until(async () => (await api.rest('GET', `/charges/${body.id}`)).body.status === 'completed');
    const { db } = api.database;
    const row = await db().transaction.findUniqueOrThrow({ where: { id: body.id } });
    expect(row).toMatchObject({ device_session_id: device, payer_address: '127.0.0.1' });
    await page.close();
  });

  it('our payment page works without scripts', async () => {
    const { body } = await shop.post('/charges', shop.redirect);
    const context = await browser().newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(body.payment_method.url);
    await pay(page);
    const row = await api.database.db().transaction.findUniqueOrThrow({ where: { id: body.id } });
    expect(row).toMatchObject({ status: 'completed', device_session_id: null });
    await context.close();
  });

  it('refuses data from another site or without a payment, and omits invalid fields', async () => {
    const { body } = await shop.post('/charges', shop.redirect);
    const tell = (url: string, device: object | string, headers: Record<string, string> = {}) =>
      fetch(`${url}/devices`, {
        method: 'POST',
        headers,
        body: typeof device === 'string' ? device : JSON.stringify(device),
      });
    const { url } = body.payment_method;
    const id = 'v9999999999999999999';
    expect((await tell(url, { id }, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await tell(`${api.origin()}/pay/y0000000000000000000`, { id })).status).toBe(404);
    expect((await read(id)).status).toBe(404);
    expect(
      (await tell(url, { id, platform: 'x'.repeat(101), screen_width: -1, time_zone: 'America/Bogota' })).status,
    ).toBe(204);
    const device = (await read(id)).body;
    expect(device).toEqual({
      id,
      time_zone: 'America/Bogota',
      address: '127.0.0.1',
      creation_date: expect.any(String),
    });
    expect((await tell(url, 'no JSON')).status).toBe(204);
  });
});
