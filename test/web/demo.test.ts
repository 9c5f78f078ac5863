import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { banner } from '../../src/local/banner';
import type { Credentials } from '../../src/local/credentials';
import { testBrowser } from '../harness/browser/browser';
import { assertNoCardData, canary } from '../harness/cards/canaries';
import { masked, visa } from '../harness/cards/testCards';
import { until } from '../harness/flow/until';
import { sendRequest, testApi } from '../harness/servers/api';

const api = testApi({ ownServer: true });
const { browser } = testBrowser();
let shop: Server;
beforeAll(async () => {
  shop = createServer((_, reply) =>
    reply.setHeader('content-type', 'text/html').end('<!doctype html><title>Shop</title>'),
  );
  await new Promise<void>(resolve => shop.listen(0, '127.0.0.1', resolve));
});
afterAll(() => shop.close());

describe('/v1/tokenize-demo', () => {
  const open = async () => {
    const page = await browser().newPage();
    const errors: string[] = [];
    page.on('console', message => message.type() === 'error' && errors.push(message.text()));
    page.on('pageerror', error => errors.push(error.message));
    const { id, public_key } = api.merchants().own;
    await page.goto(`${api.origin()}/v1/tokenize-demo#merchant_id=${id}&public_key=${public_key}`);
    const submit = async (card: Record<string, string>) => {
      for (const [name, value] of Object.entries(card)) await page.fill(`[name=${name}]`, value);
      await page.click('button');
      await page.waitForSelector('#result.good, #result.bad');
      return (await page.textContent('#result')) ?? '';
    };
    return { page, submit, errors };
  };

  it('creates a token that the shop’s server can use, and shows the code', async () => {
    const { page, submit, errors } = await open();
    const token = JSON.parse(await submit(visa));
    expect(token.card.card_number).toBe(masked(canary.visa));
    await page.waitForSelector('#code:has-text("async function createToken")');
    // The fields are cleared when the device is known.
    await page.waitForSelector('#device:has-text("v")');
    expect(await page.inputValue('[name=card_number]')).toBe('');
    const device = await page.textContent('#device');
    await until(async () => (await api.rest('GET', `/devices/${device}`)).status === 200);
    assertNoCardData('the page', await page.content());
    expect(page.url()).not.toContain('card_number');
    expect(errors).toEqual([]);
    const saved = await api.rest('POST', '/cards', { body: { token_id: token.id, device_session_id: 'device' } });
    expect([saved.status, saved.body.id]).toEqual([201, token.id]);
    await page.close();
  });

  it('knows the shop when it is opened from the banner, without a secret for the server or in the address bar', async () => {
    const { id, public_key, private_key } = api.merchants().own;
    const credentials = { url: api.origin(), merchant_id: id, public_key, private_key } as Credentials;
    const [, address = ''] =
      /try a token +(\S+)/.exec(banner(credentials, { isComplete: false, codes: [], dataDir: '.data' })) ?? [];
    const page = await browser().newPage();
    const requested: string[] = [];
    page.on('request', request => requested.push(request.url()));
    await page.goto(address);
    expect(await page.inputValue('[name=merchant_id]')).toBe(id);
    expect(await page.inputValue('[name=public_key]')).toBe(public_key);
    expect(address).not.toContain(private_key);
    // A fragment stays in the browser, while a query string would appear in the logs of every proxy.
    expect(requested.map(url => url.split('#')[0]).filter(url => url?.includes(public_key))).toEqual([]);
    expect(new URL(address).search).toBe('');
    await page.close();
  });

  it('shows an error with its code', async () => {
    const { page, submit } = await open();
    expect(await submit({ ...visa, card_number: '4929 3815 3328 7741' })).toMatch(/^2004 The check digit/);
    await page.close();
  });

  it('does not exist in production', async () => {
    const production = await api.startProduction();
    for (const path of ['tokenize-demo', 'tokenize.js'])
      expect((await sendRequest(`${production}/v1/${path}`, 'GET', {})).status).not.toBe(200);
  });
});

describe('a page of another site', () => {
  it('can create a token with the public key and read errors, and nothing else', async () => {
    const page = await browser().newPage();
    await page.goto(`http://localhost:${(shop.address() as AddressInfo).port}/`);
    const { id, public_key, private_key } = api.merchants().own;
    const call = (path: string, key: string, body: object) =>
      page.evaluate(
        async ({ url, key, body }) => {
          const headers = { authorization: `Basic ${btoa(`${key}:`)}`, 'content-type': 'application/json' };
          try {
            const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
            return {
              status: answer.status,
              id: answer.headers.get('resource-id'),
              ...((await answer.json()) as object),
            };
          } catch {
            return 'blocked';
          }
        },
        { url: `${api.origin()}/v1/${id}${path}`, key, body },
      );
    const token = await call('/tokens', public_key, visa);
    expect(token).toMatchObject({ status: 201, id: expect.stringMatching(/^k/), card: { brand: 'visa' } });
    expect(await call('/tokens', public_key, {})).toMatchObject({ status: 400, error_code: 1001 });
    expect(await call('/tokens', private_key, visa)).toMatchObject({ status: 403, error_code: 1010 });
    expect(await call('/customers', public_key, {})).toBe('blocked');
    await page.close();
  });
});
