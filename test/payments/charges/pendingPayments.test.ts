/** Requests for and responses to pending payments, which the payer completes later. */
import { checkDigit } from '../../../src/payments/cardDetails/checkDigit';
import { merchantCalls, payOnPage } from '../../harness/merchant/merchantCalls';
import { errorOf, testApi } from '../../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const { post, redirect, store } = shop;
const db = () => api.database.db();

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

describe('POST /charges with confirm: false', () => {
  it('returns charge_pending and the URL of the payment page', async () => {
    const { status, body } = await post('/charges', { ...redirect, order_id: 'redirect-1' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'charge_pending',
      authorization: null,
      method: 'card',
      operation_type: 'in',
      transaction_type: 'charge',
      amount: 100000,
      order_id: 'redirect-1',
      payment_method: { type: 'redirect', url: expect.stringMatching(/\/pay\/[a-z0-9]{20}$/) },
      customer: { name: 'María' },
    });
    expect(body.payment_method.url.startsWith(api.origin())).toBe(true);
    expect(body).not.toHaveProperty('card');
    expect(body).not.toHaveProperty('fee');
    expect(await shop.eventsOf(body.id)).toEqual(['charge.created']);
    expect((await api.rest('GET', `/charges/${body.id}`)).body).toEqual(body);
    expect(shop.journalOf(body.id)).toEqual([]);
  });

  it('works at customer level and in GraphQL', async () => {
    const customer = await shop.newCustomer();
    const { customer: _, ...atCustomerLevel } = redirect;
    const { body } = await post(`/customers/${customer}/charges`, atCustomerLevel);
    expect(body).toMatchObject({
      status: 'charge_pending',
      customer_id: customer,
      payment_method: { type: 'redirect' },
    });
    const { body: answer } = await api.graphql(
      'mutation ($charge: CreateCharge!) { createCharge(charge: $charge) { status payment_method { type url } } }',
      { charge: redirect },
    );
    expect(answer.data.createCharge).toMatchObject({ status: 'charge_pending', payment_method: { type: 'redirect' } });
  });

  it.each([
    ['1001 without redirect_url', { redirect_url: undefined }, 1001],
    ['1003 for javascript:', { redirect_url: 'javascript:alert(1)' }, 1003],
    ['1003 for data:', { redirect_url: 'data:text/html,hello' }, 1003],
    ...[
      'javascript://shop/%0aalert(1)',
      'DATA://x',
      'file:///etc/passwd',
      'blob://x/y',
      'about://blank',
      'ftp://x/y',
      'wss://x/y',
      'intent://x#Intent;end',
      'mailto:me@shop.example',
      'miapp:ok',
    ].map(redirect_url => [`1003 for ${redirect_url}`, { redirect_url }, 1003] as [string, object, number]),
    ['1003 for a user name in the address of an app', { redirect_url: 'miapp://me@shop/ok' }, 1003],
    ['1003 for a script behind white space', { redirect_url: ' java\tscript:alert(1)' }, 1003],
    ['1003 for a password in it', { redirect_url: 'https://me:secret@shop.example/' }, 1003],
    ['1003 for a user name in it', { redirect_url: 'https://me@shop.example/' }, 1003],
    ['1003 for 3,000 characters', { redirect_url: `https://shop.example/${'a'.repeat(3000)}` }, 1003],
    ['1003 for what is no URL', { redirect_url: 'shop' }, 1003],
    ['1001 for an object', { redirect_url: { href: 'https://shop.example' } }, 1001],
    ['1003 with capture: false', { capture: false }, 1003],
    ['1001 without customer', { customer: undefined }, 1001],
  ])('fails with %s, and creates nothing', async (_, overrides, code) => {
    const before = await db().transaction.count({ where: api.ownRows() });
    expect(errorOf(await post('/charges', { ...redirect, ...overrides }))).toBe(code);
    expect(await db().transaction.count({ where: api.ownRows() })).toBe(before);
  });

  it.each([
    ['miapp://pago/listo?carro=7', 'miapp://pago/listo?carro=7&id={id}'],
    ['https://shop.example/?id=mine&a=1#end', 'https://shop.example/?a=1&id={id}#end'],
    ['https://shop.example/?idea=1&id', 'https://shop.example/?idea=1&id={id}'],
    ['https://shop.example', 'https://shop.example/?id={id}'],
  ])('redirects the payer to %s', async (redirect_url, expected) => {
    const { status, body } = await post('/charges', { ...redirect, redirect_url });
    expect(status).toBe(200);
    await payOnPage(body.payment_method.url);
    const page = await (await fetch(`${body.payment_method.url}/return`)).text();
    expect(page).toContain(`url=${expected.replace('{id}', body.id).replaceAll('&', '&amp;')}"`);
  });

  it('fails with 1006 for an order_id of another pending payment', async () => {
    await post('/charges', { ...redirect, order_id: 'twice' });
    expect(errorOf(await post('/charges', { ...redirect, order_id: 'twice' }))).toBe(1006);
    expect(errorOf(await post('/charges', { ...store, order_id: 'twice' }))).toBe(1006);
  });

  it('returns equal responses to fifty concurrent requests with the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'one-page' };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => post('/charges', { ...redirect, order_id: 'one-page' }, headers)),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await db().transaction.count({ where: { order_id: 'one-page' } })).toBe(1);
  });
});

describe('POST /charges with method: store', () => {
  it('returns in_progress with references, barcodes, receipt and due_date in central time', async () => {
    const { status, body } = await post('/charges', {
      ...store,
      amount: 12345.67,
      due_date: '2027-01-31T18:00:00-05:00',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'in_progress', method: 'store', amount: 12345.67, authorization: null });
    expect(body.due_date).toBe('2027-01-31T17:00:00-06:00');
    const { reference, paybin_reference, ...urls } = body.payment_method;
    expect(reference).toMatch(/^\d{16}$/);
    expect(reference[15]).toBe(checkDigit(reference.slice(0, 15)));
    expect(paybin_reference).toMatch(/^\d{20}$/);
    expect(urls).toEqual({
      type: 'store',
      barcode_url: `${api.origin()}/barcodes/${reference}.png`,
      barcode_paybin_url: `${api.origin()}/barcodes/${paybin_reference}.png`,
      receipt_url: expect.stringMatching(/\/vouchers\/[a-z0-9]{20}$/),
    });
    expect(await shop.eventsOf(body.id)).toEqual(['charge.created']);
    expect(shop.journalOf(body.id)).toMatchObject([{ operation: 'voucher', amount: 1234567, outcome: 'approved' }]);
  });

  it('is due in three days by default, and interprets a due_date without an offset as Bogotá time', async () => {
    const { body } = await post('/charges', store);
    expect((Date.parse(body.due_date) - Date.parse(body.creation_date)) / 86_400_000).toBe(3);
    const day = inDays(10).slice(0, 10);
    expect((await post('/charges', { ...store, due_date: `${day}T12:00:00` })).body.due_date).toBe(
      `${day}T11:00:00-06:00`,
    );
    expect((await post('/charges', { ...store, due_date: day })).body.due_date).toBe(`${day}T22:59:59-06:00`);
  });

  it.each([
    ['1003 in the past', inDays(-1), 1003],
    ['1003 on 30 February', '2027-02-30T10:00:00-05:00', 1003],
    ['1003 at 25 o’clock', '2027-02-20T25:00:00-05:00', 1003],
    ['1003 five years ahead', inDays(5 * 365), 1003],
    ['1003 a little more than 180 days ahead', inDays(180.01), 1003],
    ['1001 that is no date', 'tomorrow', 1001],
    ['1001 that is a number', 20270101, 1001],
  ])('refuses a due_date: %s', async (_, due_date, code) => {
    const before = await db().transaction.count({ where: api.ownRows() });
    expect(errorOf(await post('/charges', { ...store, due_date }))).toBe(code);
    expect(await db().transaction.count({ where: api.ownRows() })).toBe(before);
  });

  it('is dated by the test clock of its merchant', async () => {
    const { own } = api.merchants();
    await db().merchant.update({ where: { id: own.id }, data: { clock_offset: 86_400 * 30 } });
    const { body } = await post('/charges', { ...store, due_date: inDays(200) });
    expect(errorOf(await post('/charges', { ...store, due_date: inDays(10) }))).toBe(1003);
    await db().merchant.update({ where: { id: own.id }, data: { clock_offset: 0 } });
    expect(Date.parse(body.creation_date)).toBeGreaterThan(Date.now() + 29 * 86_400_000);
  });

  it('ignores redirect_url and send_email', async () => {
    for (const redirect_url of ['javascript:alert(1)', `https://shop.example/${'a'.repeat(3000)}`]) {
      const { status, body } = await post('/charges', { ...store, redirect_url, send_email: true });
      expect(status).toBe(200);
      const row = await db().transaction.findUniqueOrThrow({ where: { id: body.id } });
      expect([row.redirect_url, row.send_email]).toEqual([null, false]);
      expect(await db().outbox.count({ where: { object_id: body.id, kind: 'payment_mail' } })).toBe(0);
    }
  });

  it('reports 1003 for a due_date in the past before 1006', async () => {
    await post('/charges', { ...store, order_id: 'both' });
    expect(errorOf(await post('/charges', { ...store, order_id: 'both', due_date: inDays(-1) }))).toBe(1003);
  });

  it('issues fifty concurrent vouchers, each with its own reference', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => post('/charges', store)));
    expect(answers.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([]);
    expect(new Set(answers.map(({ body }) => body.payment_method.reference)).size).toBe(50);
  });

  it('cannot be refunded, captured or disputed while pending, and its customer cannot be deleted', async () => {
    const customer = await shop.newCustomer();
    const { customer: _, ...atCustomerLevel } = store;
    const { id } = (await post(`/customers/${customer}/charges`, atCustomerLevel)).body;
    expect(errorOf(await post(`/charges/${id}/refund`, {}))).toBe(3006);
    expect(errorOf(await post(`/charges/${id}/refund`, { amount: 1 }))).toBe(3006);
    expect(errorOf(await post(`/charges/${id}/capture`, {}))).toBe(3006);
    expect(errorOf(await post(`/sandbox/charges/${id}/chargeback`, {}))).toBe(3006);
    expect((await api.rest('GET', `/customers/${customer}/charges?status=in_progress`)).body).toHaveLength(1);
    expect(errorOf(await api.rest('DELETE', `/customers/${customer}`))).toBe(3006);
  });
});
