import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { type ApiResponse, errorOf, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const { post, pse, payer } = shop;
const db = () => api.database.db();
const latestTransaction = () =>
  db().transaction.findFirstOrThrow({ where: api.ownRows(), orderBy: { creation_date: 'desc' } });
const chargeBankAccount = (overrides: object = {}): Promise<ApiResponse> =>
  post('/charges', { ...pse, country: undefined, method: 'bank_account', ...overrides });

describe('POST /pse', () => {
  it('returns orderId and the URL of the page on which the payer continues', async () => {
    const { status, body } = await post('/pse', {
      ...pse,
      order_id: 'pse-1',
      metadata: [{ key: 'ip', value: '1.2.3.4' }],
    });
    expect(status).toBe(200);
    expect(body).toEqual({ orderId: 'pse-1', redirect_url: expect.stringMatching(/\/pay\/[a-z0-9]{20}$/) });
    const [charge] = (await api.rest('GET', '/charges?order_id=pse-1')).body;
    expect(charge).toMatchObject({
      method: 'bank_account',
      status: 'charge_pending',
      tax: { base: 42016.81, rate: 19, amount: 7983.19 },
      metadata: { ip: '1.2.3.4' },
      payment_method: { type: 'redirect', url: body.redirect_url },
    });
    expect(await shop.eventsOf(charge.id)).toEqual(['charge.created']);
    expect(shop.journalOf(charge.id)).toMatchObject([{ operation: 'bank', amount: 5000000, outcome: 'approved' }]);
  });

  it('returns the transaction ID as orderId if the request has no order_id', async () => {
    const { body } = await post('/pse', pse);
    expect(body.orderId).toBe((await latestTransaction()).id);
  });

  it('under /customers/{id} accepts only a customer without an account (otherwise 3006), and none in the body (otherwise 1003)', async () => {
    const { customer: _, ...pseWithoutCustomer } = pse;
    const withoutAccount = await shop.newCustomer({ requires_account: false });
    expect((await post(`/customers/${withoutAccount}/pse`, pseWithoutCustomer)).body).toHaveProperty('redirect_url');
    expect((await latestTransaction()).customer_id).toBe(withoutAccount);
    expect(errorOf(await post(`/customers/${await shop.newCustomer()}/pse`, pseWithoutCustomer))).toBe(3006);
    expect(errorOf(await post(`/customers/${withoutAccount}/pse`, pse))).toBe(1003);
  });

  it('accepts any text as iva, and says what to send where it is missing', async () => {
    const { body } = await chargeBankAccount({ iva: 'exento' });
    expect(body).toMatchObject({ status: 'charge_pending', iva: 'exento', tax: null });
    const missing = await post('/pse', { ...pse, iva: undefined });
    expect(missing.body).toMatchObject({
      error_code: 1001,
      field: 'iva',
      description: expect.stringContaining('"19%"'),
    });
  });

  it('is available as a mutation in GraphQL', async () => {
    const { body } = await api.graphql(
      'mutation ($pse: CreatePse!) { createPse(pse: $pse) { orderId redirect_url } }',
      { pse: { ...pse, order_id: 'pse-graphql' } },
    );
    expect(body.data.createPse.orderId).toBe('pse-graphql');
  });

  const { customer_address, ...withoutAddress } = pse.customer;
  it.each([
    ['1003 for 10.50', { amount: 10.5 }, 1003],
    ['1003 for 0', { amount: 0 }, 1003],
    ['1003 for country MX', { country: 'MX' }, 1003],
    ['1001 without country', { country: undefined }, 1001],
    ['1001 without an address', { customer: withoutAddress }, 1001],
    ['1001 with half an address', { customer: { ...withoutAddress, customer_address: { city: 'Cali' } } }, 1001],
    ['1003 if requires_account is true', { customer: { ...pse.customer, requires_account: true } }, 1003],
    ['1003 if requires_account is missing', { customer: { ...payer, customer_address } }, 1003],
    ['1001 without customer', { customer: undefined }, 1001],
    ['1001 without iva', { iva: undefined }, 1001],
    ['1003 for USD', { currency: 'USD' }, 1003],
    ['1003 for a redirect_url with a script', { redirect_url: 'javascript:alert(1)' }, 1003],
  ])('fails with %s, and creates nothing', async (_, overrides, code) => {
    const before = await db().transaction.count({ where: api.ownRows() });
    expect(errorOf(await post('/pse', { ...pse, ...overrides }))).toBe(code);
    expect(await db().transaction.count({ where: api.ownRows() })).toBe(before);
  });

  it('accepts the country col in lower case and an amount as a string', async () => {
    expect((await post('/pse', { ...pse, country: 'col', amount: '1000' })).status).toBe(200);
  });

  it('fails with 1005 for a customer of another merchant', async () => {
    const { customer: _, ...pseWithoutCustomer } = pse;
    const customer = await shop.newCustomer({ requires_account: false });
    const { id, private_key: key } = api.merchants().other;
    const url = `${api.origin()}/v1/${id}/customers/${customer}/pse`;
    const answer = await sendRequest(url, 'POST', { key, body: pseWithoutCustomer });
    expect([answer.status, errorOf(answer)]).toEqual([404, 1005]);
  });
});

describe('POST /charges with method: bank_account', () => {
  it('returns a transaction with the page on which the payer continues', async () => {
    const { status, body } = await chargeBankAccount();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'charge_pending',
      method: 'bank_account',
      payment_method: { type: 'redirect' },
    });
  });

  it('ignores a redirect_url that is not an http URL', async () => {
    const { body } = await chargeBankAccount({ redirect_url: 'myapp://back' });
    expect(body.status).toBe('charge_pending');
    expect((await db().transaction.findUniqueOrThrow({ where: { id: body.id } })).redirect_url).toBeNull();
  });

  it.each([
    ['1003 for 10.50', { amount: 10.5 }, 1003],
    ['1003 for country MX', { country: 'MX' }, 1003],
    ['1001 without an address', { customer: { ...payer, requires_account: false } }, 1001],
  ])('fails with %s', async (_, overrides, code) => expect(errorOf(await chargeBankAccount(overrides))).toBe(code));
});
