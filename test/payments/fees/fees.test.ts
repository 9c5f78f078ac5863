import { testCharges } from '../../harness/merchant/charges';
import { errorOf } from '../../harness/servers/api';

const { api, shop } = testCharges();
const { post, charge } = shop;

describe('GET /v1/{merchant_id}', () => {
  it("returns the balance of the merchant's account and the total of all customers' accounts", async () => {
    const balances = async () => {
      const { balance, customers_balance } = (await api.rest('GET', '')).body;
      return { balance, customers_balance };
    };
    const before = await balances();
    const paid = [];
    for (const amount of [10000, 2500.5]) {
      const owner = await shop.newCustomer();
      const source_id = await shop.newCard(`/customers/${owner}/cards`);
      const { body } = await post(`/customers/${owner}/charges`, { ...charge, source_id, amount });
      paid.push({ owner, ...body });
    }
    const costs = paid.reduce((sum, { fee }) => sum + fee.amount + fee.tax, 0);
    const after = await balances();
    expect(after.customers_balance).toBe(before.customers_balance + 12500.5);
    expect(after.balance).toBeCloseTo(before.balance - costs, 2);
    await post('/fees', { customer_id: paid[0]?.owner, amount: 1000, description: 'Fee' });
    await post(`/charges/${paid[1]?.id}/refund`, { amount: 500.5 });
    await post(`/sandbox/charges/${paid[0]?.id}/chargeback`, {});
    const owners = await Promise.all(paid.map(({ owner }) => shop.customerBalance(owner)));
    const sum = owners.reduce((total, each) => total + each, 0);
    expect((await balances()).customers_balance).toBe(before.customers_balance + sum);
    const { body } = await api.graphql('{ merchant { balance customers_balance } }');
    expect(body.data.merchant).toEqual(await balances());
  });
});

describe('fees', () => {
  let customer: string;
  beforeAll(async () => {
    customer = await shop.newCustomer();
    const source_id = await shop.newCard(`/customers/${customer}/cards`);
    await post(`/customers/${customer}/charges`, { ...charge, source_id, amount: 10000 });
  });
  const fee = (overrides: object = {}) =>
    post('/fees', { customer_id: customer, amount: 1000, description: 'Membership', ...overrides });

  it('transfer money from the customer to the merchant, and can be read and refunded', async () => {
    const [customerBefore, merchantBefore] = [await shop.customerBalance(customer), await shop.merchantBalance()];
    const { status, body } = await fee({ order_id: 'fee-1' });
    expect([status, body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^t/),
        amount: 1000,
        authorization: null,
        method: 'customer',
        operation_type: 'out',
        transaction_type: 'fee',
        status: 'completed',
        conciliated: false,
        currency: 'COP',
        creation_date: expect.any(String),
        operation_date: expect.any(String),
        description: 'Membership',
        tax: null,
        error_message: null,
        order_id: 'fee-1',
        customer_id: customer,
      },
    ]);
    expect([await shop.customerBalance(customer), await shop.merchantBalance()]).toEqual([
      customerBefore - 1000,
      merchantBefore + 1000,
    ]);
    expect((await api.rest('GET', `/fees/${body.id}`)).body).toEqual(body);
    expect((await api.rest('GET', '/fees?order_id=fee-1')).body).toEqual([body]);
    expect(errorOf(await api.rest('GET', `/charges/${body.id}`))).toBe(1005);
    const part = await post(`/fees/${body.id}/refund`, { amount: 400 });
    expect(part.body).toMatchObject({ status: 'completed', refund: { amount: 400, operation_type: 'in' } });
    expect((await post(`/fees/${body.id}/refund`, {})).body).toMatchObject({
      status: 'refunded',
      refund: { amount: 600 },
    });
    expect([await shop.customerBalance(customer), await shop.merchantBalance()]).toEqual([
      customerBefore,
      merchantBefore,
    ]);
    expect(errorOf(await post(`/fees/${body.id}/refund`, {}))).toBe(3006);
    const events = await api.database
      .db()
      .event.findMany({ where: { object_id: body.id }, orderBy: { creation_date: 'asc' } });
    expect(events.map(({ type }) => type)).toEqual(['fee.succeeded', 'fee.refund.succeeded', 'fee.refund.succeeded']);
  });

  it('fail with 1006 for a used order_id, 1005 for an unknown customer, and 4001 for an insufficient balance', async () => {
    for (const more of [{}, { amount: 10_000_000 }])
      expect(errorOf(await fee({ order_id: 'fee-1', ...more }))).toBe(1006);
    expect(errorOf(await fee({ customer_id: 'a0000000000000000000' }))).toBe(1005);
    expect(errorOf(await fee({ amount: 10_000_000 }))).toBe(4001);
    const withoutAccount = await shop.newCustomer({ requires_account: false });
    expect(errorOf(await fee({ customer_id: withoutAccount }))).toBe(4001);
    expect(errorOf(await fee({ amount: 0 }))).toBe(1003);
    expect(errorOf(await fee({ description: undefined }))).toBe(1001);
  });

  it('never overdraw the account in fifty concurrent requests', async () => {
    const balance = await shop.customerBalance(customer);
    const answers = await Promise.all(Array.from({ length: 50 }, () => fee({ amount: balance / 4 })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(answers.filter(answer => errorOf(answer) === 4001)).toHaveLength(46);
    expect(await shop.customerBalance(customer)).toBe(0);
    expect((await api.rest('DELETE', `/customers/${customer}`)).status).toBe(204);
  });
});
