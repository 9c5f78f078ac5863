/** Attacks on the payment pages, and requests that no payer's browser sends. */

import { send, testPayers, typed } from '../harness/browser/payers';
import { testApi } from '../harness/servers/api';

const api = testApi({ ownServer: true });
const payers = testPayers(api);
const { newPayment, newTransfer, newVoucher, chargesOf, read } = payers;
const form = { ...typed, attempt: '0' };

const fetchPage = async (url: string, headers: Record<string, string> = {}) => (await fetch(url, { headers })).text();

describe('the headers of a page', () => {
  const addresses: [string, () => Promise<string>][] = [
    ['a card', async () => (await newPayment()).url],
    ['a voucher', async () => (await newVoucher()).payment_method.receipt_url],
    ['a bank', async () => (await newTransfer()).bank],
    ['nothing', async () => `${api.origin()}/pay/0`],
  ];
  it.each(addresses)('for %s forbid foreign scripts, framing, caching and indexing', async (_, address) => {
    const { headers } = await fetch(await address());
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).not.toMatch(/unsafe|\*|data:/);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex',
    });
    expect(headers.get('set-cookie')).toBeNull();
  });

  it('let browsers cache the files of the pages forever', async () => {
    const [, file = ''] = /src="([^"]+)"/.exec(await fetchPage((await newPayment()).url)) ?? [];
    const { status, headers } = await fetch(`${api.origin()}${file}`);
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
  });
});

describe('a form from another site', () => {
  it.each([
    ['origin', 'https://evil.example'],
    ['origin', 'null'],
    ['sec-fetch-site', 'cross-site'],
    ['sec-fetch-site', 'same-site'],
  ])('fails with 403 and charges nothing: %s: %s', async (name, value) => {
    const { id, url } = await newPayment();
    const answer = await send(url, form, { [name]: value });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
    const voucher = await newVoucher();
    expect((await send(voucher.payment_method.receipt_url, {}, { [name]: value })).status).toBe(403);
    expect(chargesOf(id)).toEqual([]);
    expect(await read(voucher.id)).toMatchObject({ status: 'in_progress' });
  });

  it('is distinguished from a form of our own page', async () => {
    const { id, url } = await newPayment();
    expect((await send(url, form, { origin: api.origin() })).status).toBe(303);
    expect(chargesOf(id)).toEqual(['approved']);
  });
});

describe('an invalid form', () => {
  const { card_number: _, ...withoutNumber } = form;
  const { attempt: __, ...withoutAttempt } = form;
  it.each<[string, number, Record<string, string> | string]>([
    ['nothing', 422, ''],
    ['no card number', 422, withoutNumber],
    ['a huge name', 422, { ...form, holder_name: 'x'.repeat(10_000) }],
    ['a huge card number', 422, { ...form, card_number: '4'.repeat(10_000) }],
    ['a name with a control character', 422, { ...form, holder_name: 'María\u0000' }],
    ['broken encoding', 422, '%ff%fe=%&&&=&card_number=%c3%28'],
    ['JSON', 422, JSON.stringify(form)],
    ['no attempt', 200, withoutAttempt],
    ['an attempt that is not a number', 200, { ...form, attempt: 'x' }],
    ['an attempt in the future', 200, { ...form, attempt: '1' }],
    ['a negative attempt', 200, { ...form, attempt: '-1' }],
    ['a huge attempt', 200, { ...form, attempt: '9'.repeat(400) }],
  ])('with %s responds %i with a page, and charges nothing', async (_, status, body) => {
    const { id, url } = await newPayment();
    const answer = await send(url, body);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
    expect(await answer.text()).not.toMatch(/x{100}|4{100}/);
    expect(chargesOf(id)).toEqual([]);
  });

  it('uses the first of repeated fields, and ignores unknown fields', async () => {
    const { id, url } = await newPayment();
    const extras = 'card_number=4444444444444448&amount=1&id=x&redirect_url=https://evil.example&status=completed';
    expect((await send(url, `${new URLSearchParams(form)}&${extras}`)).status).toBe(303);
    expect(chargesOf(id)).toEqual(['approved']);
    expect(await read(id)).toMatchObject({ status: 'completed', amount: 100000 });
    expect(await fetchPage(`${url}/return`)).toContain(`url=${payers.thanksUrl(id).replace('&', '&amp;')}"`);
  });

  it('over 16 KB fails with 413 as a page', async () => {
    const { id, url } = await newPayment();
    const answer = await send(url, { ...form, extra: 'x'.repeat(17_000) });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([413, 'text/html; charset=utf-8']);
    expect(await answer.text()).toContain('No pudimos procesar la solicitud');
    expect(chargesOf(id)).toEqual([]);
  });
});

describe('a script in a merchant’s data', () => {
  const script = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`;

  it('is escaped on every page', async () => {
    const described = { description: script };
    const addresses = [
      (await newPayment({ ...described, customer: { name: script, email: 'maria@example.com' } })).url,
      (await newVoucher(described)).payment_method.receipt_url,
      (await newTransfer(described)).bank,
    ];
    for (const address of addresses) {
      const html = await fetchPage(address);
      expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&gt;&lt;img');
      expect(html).not.toMatch(/<script>|<img src=x/);
    }
  });

  it('is not reflected from the language or the key in the URL', async () => {
    const { url } = await newPayment();
    for (const address of [
      `${url}?lang=${encodeURIComponent(script)}`,
      `${api.origin()}/pay/${encodeURIComponent(script)}`,
    ])
      expect(await fetchPage(address)).not.toContain('alert(1)');
  });

  it('is escaped in redirect_url', async () => {
    const redirect_url = `${payers.merchantUrl()}/?a="><script>alert(1)</script>`;
    const { url } = await newPayment({ redirect_url });
    await send(url, form);
    for (const address of [url, `${url}/return`]) expect(await fetchPage(address)).not.toContain('<script>');
  });
});

describe('the other environment', () => {
  let production: string;
  beforeAll(async () => {
    production = await api.startProduction();
  });
  const inProduction = (url: string): string => url.replace(api.origin(), production);

  it('does not know the payment', async () => {
    const { id, url } = await newPayment();
    const { receipt_url } = (await newVoucher()).payment_method;
    for (const address of [url, `${url}/return`, receipt_url, `${receipt_url}.pdf`])
      expect((await fetch(inProduction(address), { redirect: 'manual' })).status).toBe(404);
    expect((await send(inProduction(url), form)).status).toBe(404);
    expect(chargesOf(id)).toEqual([]);
  });

  it('has no button to simulate the payment of a voucher if it is production', async () => {
    const { id, payment_method } = await newVoucher();
    const answer = await send(inProduction(payment_method.receipt_url), {});
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(await read(id)).toMatchObject({ status: 'in_progress' });
  });
});

describe('another HTTP method', () => {
  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s fails with 405', async method => {
    const { url } = await newPayment();
    const { receipt_url, barcode_url } = (await newVoucher()).payment_method;
    const responses = await Promise.all(
      [url, `${url}/return`, receipt_url, barcode_url].map(async address => {
        const { status, headers } = await fetch(address, { method });
        return [status, headers.get('allow')];
      }),
    );
    expect(responses).toEqual([
      [405, 'GET, POST, HEAD'],
      [405, 'GET, HEAD'],
      [405, 'GET, POST, HEAD'],
      [405, 'GET, HEAD'],
    ]);
  });
});
