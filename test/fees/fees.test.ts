import { merchantCalls } from '../harness/merchant/merchantCalls';
import { errorOf, testApi } from '../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const { post, charge, payer } = shop;
let card: string;
beforeAll(async () => {
  card = await shop.newCard();
  // Enough to pay costs from.
  await newCharge({ amount: 10_000_000 });
});
const newCharge = async (more: object = {}): Promise<string> =>
  (await post('/charges', { ...charge, source_id: card, customer: payer, ...more })).body.id;

describe('fees', () => {
  let customer: string;
  beforeAll(async () => {
    customer = await shop.newCustomer();
    const source_id = await shop.newCard(`/customers/${customer}/cards`);
    await post(`/customers/${customer}/charges`, { ...charge, source_id, amount: 10000 });
  });
  const fee = (more: object = {}) =>
    post('/fees', { customer_id: customer, amount: 1000, description: 'Membership', ...more });

  it('move money from the customer to the merchant, and can be read and given back', async () => {
    const [theirs, ours] = [await shop.customerBalance(customer), await shop.merchantBalance()];
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
        error_message: null,
        order_id: 'fee-1',
        customer_id: customer,
      },
    ]);
    expect([await shop.customerBalance(customer), await shop.merchantBalance()]).toEqual([theirs - 1000, ours + 1000]);
    expect((await api.rest('GET', `/fees/${body.id}`)).body).toEqual(body);
    expect((await api.rest('GET', '/fees?order_id=fee-1')).body).toEqual([body]);
    expect(errorOf(await api.rest('GET', `/charges/${body.id}`))).toBe(1005);
    const part = await post(`/fees/${body.id}/refund`, { amount: 400 });
    expect(part.body).toMatchObject({ status: 'completed', refund: { amount: 400, operation_type: 'in' } });
    expect((await post(`/fees/${body.id}/refund`, {})).body).toMatchObject({
      status: 'refunded',
      refund: { amount: 600 },
    });
    expect([await shop.customerBalance(customer), await shop.merchantBalance()]).toEqual([theirs, ours]);
    expect(errorOf(await post(`/fees/${body.id}/refund`, {}))).toBe(3006);
    const events = await api.database
      .db()
      .event.findMany({ where: { object_id: body.id }, orderBy: { creation_date: 'asc' } });
    expect(events.map(({ type }) => type)).toEqual(['fee.succeeded', 'fee.refund.succeeded', 'fee.refund.succeeded']);
  });

  it('1006 for an order_id that is taken, 1005 for a customer that is not there, 4001 without the money', async () => {
    expect(errorOf(await fee({ order_id: 'fee-1' }))).toBe(1006);
    expect(errorOf(await fee({ customer_id: 'a0000000000000000000' }))).toBe(1005);
    expect(errorOf(await fee({ amount: 10_000_000 }))).toBe(4001);
    const without = await shop.newCustomer({ requires_account: false });
    expect(errorOf(await fee({ customer_id: without }))).toBe(4001);
    expect(errorOf(await fee({ amount: 0 }))).toBe(1003);
    expect(errorOf(await fee({ description: undefined }))).toBe(1001);
  });

  it('fifty at once never overdraw the account', async () => {
    const balance = await shop.customerBalance(customer);
    const answers = await Promise.all(Array.from({ length: 50 }, () => fee({ amount: balance / 4 })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(answers.filter(answer => errorOf(answer) === 4001)).toHaveLength(46);
    expect(await shop.customerBalance(customer)).toBe(0);
    expect((await api.rest('DELETE', `/customers/${customer}`)).status).toBe(204);
  });
});
