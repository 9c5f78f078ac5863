import { visa } from '../../harness/cards/testCards';
import { testCharges } from '../../harness/merchant/charges';
import { errorOf, sendRequest } from '../../harness/servers/api';

const { api, shop, pay, newCharge, refund, script } = testCharges();
const { post, charge } = shop;
const refundedAmount = async (id: string): Promise<number> =>
  Number(
    (
      await api.database
        .db()
        .transaction.aggregate({ where: { parent_id: id, status: 'completed' }, _sum: { amount: true } })
    )._sum.amount ?? 0,
  );

describe('POST /charges/:transaction_id/refund', () => {
  it('refunds a charge in whole, returns its cost, and shows the refund', async () => {
    const before = await shop.merchantBalance();
    const id = await newCharge();
    const { status, body } = await refund(id, { description: 'Sorry' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, status: 'refunded', amount: 100000 });
    expect(body.refund).toEqual({
      id: expect.stringMatching(/^t/),
      amount: 100000,
      authorization: expect.any(String),
      method: 'card',
      operation_type: 'out',
      transaction_type: 'refund',
      status: 'completed',
      conciliated: false,
      currency: 'COP',
      creation_date: expect.any(String),
      operation_date: expect.any(String),
      description: 'Sorry',
      error_message: null,
      order_id: null,
    });
    expect(body.refunds).toEqual([body.refund]);
    expect((await api.rest('GET', `/charges/${id}`)).body).toEqual(body);
    expect(await shop.merchantBalance()).toBe(before);
    expect(shop.journalOf(body.refund.id)).toMatchObject([
      { operation: 'refund', amount: 10000000, outcome: 'approved' },
    ]);
    const [, event] = await api.database
      .db()
      .event.findMany({ where: { object_id: id }, orderBy: { creation_date: 'asc' } });
    expect(event).toMatchObject({ type: 'charge.refunded', object: body });
    expect(errorOf(await refund(id))).toBe(3006);
  });

  it('refunds in parts and returns the cost in proportion; the last part gets the remainder', async () => {
    const before = await shop.merchantBalance();
    const id = await newCharge({ amount: 100.01 });
    const shares: number[] = [];
    for (const amount of [33.33, 33.33, '33.35']) {
      const { body } = await refund(id, { amount });
      const row = await api.database.db().transaction.findUniqueOrThrow({ where: { id: body.refund.id } });
      shares.push(Number(row.fee_amount), Number(row.fee_tax));
      expect(body.status).toBe(amount === '33.35' ? 'refunded' : 'completed');
    }
    // The whole cost is 902.90 and 171.55. Shares are rounded cumulatively, so the last part gets the remainder.
    expect(shares).toEqual([30091, 5717, 30090, 5717, 30109, 5721]);
    expect(await shop.merchantBalance()).toBe(before);
    expect((await api.rest('GET', `/charges/${id}`)).body.refunds).toHaveLength(3);
  });

  it('never refunds more than the charged amount in fifty concurrent requests', async () => {
    const id = await newCharge({ amount: 1000 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => refund(id, { amount: 300 })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(answer => errorOf(answer) === 1003)).toHaveLength(47);
    expect(await refundedAmount(id)).toBe(90000);
    const whole = await newCharge({ amount: 1000 });
    const wholeRefunds = await Promise.all(Array.from({ length: 50 }, () => refund(whole)));
    expect(wholeRefunds.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await refundedAmount(whole)).toBe(100000);
  });

  it('fails with 1003 for more than the remainder, 0 and negative amounts, and with 1001 for malformed fields', async () => {
    const id = await newCharge({ amount: 100 });
    const before = [await shop.merchantBalance(), api.acquirer.journal().length];
    for (const [amount, code] of [
      [100.01, 1003],
      [0, 1003],
      [-1, 1003],
      ['x', 1001],
      [1.234, 1003],
      [{}, 1001],
    ] as const)
      expect([amount, errorOf(await refund(id, { amount }))]).toEqual([amount, code]);
    expect(errorOf(await refund(id, { description: 'x'.repeat(251) }))).toBe(1001);
    expect([await shop.merchantBalance(), api.acquirer.journal().length]).toEqual(before);
  });

  it('fails with 3006 for a failed charge, and with 1005 for an unknown charge and below another customer', async () => {
    await script(3001);
    await pay({ order_id: 'fails' });
    const [failed] = (await api.rest('GET', '/charges?order_id=fails')).body;
    expect(errorOf(await refund(failed.id))).toBe(3006);
    expect(errorOf(await refund('t0000000000000000000', { amount: 'x' }))).toBe(1005);
    const customer = await shop.newCustomer();
    const id = await newCharge();
    expect(errorOf(await post(`/customers/${customer}/charges/${id}/refund`, {}))).toBe(1005);
  });

  it('fails with 4001 if the balance of the credited account is too low', async () => {
    const customer = await shop.newCustomer();
    const source_id = await shop.newCard(`/customers/${customer}/cards`);
    const { body } = await post(`/customers/${customer}/charges`, { ...charge, source_id, amount: 1000 });
    expect((await post('/fees', { customer_id: customer, amount: 600, description: 'Fee' })).status).toBe(200);
    expect((await refund(body.id)).body).toMatchObject({
      error_code: 4001,
      description: "The balance of the customer's account is less than the refund because of fees: refund a fee first",
    });
    expect((await refund(body.id, { amount: 400 })).status).toBe(200);
    expect(await shop.customerBalance(customer)).toBe(0);
  });

  it('names the merchant’s account in 4001, and refunds in any case where the returned cost exceeds the amount', async () => {
    const { other } = api.merchants();
    const send = (path: string, body: object) =>
      sendRequest(`${api.origin()}/v1/${other.id}${path}`, 'POST', { key: other.private_key, body });
    const source_id = (await send('/cards', visa)).body.id;
    const newCharge = async (amount: number): Promise<string> =>
      (await send('/charges', { ...charge, source_id, customer: shop.payer, amount })).body.id;
    const [tiny] = [await newCharge(1), await newCharge(1)];
    expect((await send(`/charges/${tiny}/refund`, {})).body).toMatchObject({ status: 'refunded' });
    expect((await send(`/charges/${await newCharge(2000)}/refund`, {})).body).toMatchObject({
      error_code: 4001,
      description: "The balance of the merchant's account is less than the refund",
    });
  });

  it('returns the first refund to a repeated request, even if the stored response was lost', async () => {
    const id = await newCharge();
    const headers = { 'idempotency-key': `refund-${id}` };
    const first = await refund(id, { amount: 10 }, headers);
    await api.database.db().idempotentReply.updateMany({
      where: { key: `refund-${id}` },
      data: { status: null, body: null, lease_until: new Date(0) },
    });
    expect((await refund(id, { amount: 10 }, headers)).text).toBe(first.text);
    expect(await refundedAmount(id)).toBe(1000);
  });
});

describe('a refund', () => {
  it('is returned by its ID, at both levels, over REST and GraphQL', async () => {
    const customer = await shop.newCustomer();
    const at = `/customers/${customer}`;
    const source_id = await shop.newCard(`${at}/cards`);
    const { id } = (await post(`${at}/charges`, { ...charge, source_id, amount: 1000 })).body;
    const { refund: made } = (await refund(id, { amount: 400 })).body;
    expect((await api.rest('GET', `/charges/${made.id}`)).body).toEqual({ ...made, tax: null });
    expect((await api.rest('GET', `${at}/charges/${made.id}`)).body).toEqual({ ...made, tax: null });
    const query = 'query($id: ID!) { charge(transaction_id: $id) { id amount transaction_type } }';
    const { body } = await api.graphql(query, { id: made.id });
    expect(body.data.charge).toEqual({ id: made.id, amount: 400, transaction_type: 'refund' });
    const stranger = await shop.newCustomer();
    expect(errorOf(await api.rest('GET', `/customers/${stranger}/charges/${made.id}`))).toBe(1005);
    const { other } = api.merchants();
    expect(errorOf(await api.graphql(query, { id: made.id }, { key: other.private_key }))).toBe(1005);
  });

  it('is listed only with the filter for refunds', async () => {
    const customer = await shop.newCustomer();
    const at = `/customers/${customer}/charges`;
    const source_id = await shop.newCard(`/customers/${customer}/cards`);
    const { id } = (await post(at, { ...charge, source_id, amount: 1000 })).body;
    const refunds = [];
    for (const amount of [300, 200]) refunds.unshift((await refund(id, { amount })).body.refund.id);
    const fee = (await post('/fees', { customer_id: customer, amount: 100, description: 'Fee' })).body;
    const ofFee = (await post(`/fees/${fee.id}/refund`, {})).body.refund.id;
    const of = async (path: string) => (await api.rest('GET', path)).body.map((each: { id: string }) => each.id);
    expect(await of(at)).toEqual([id]);
    expect(await of(`${at}?transaction_type=charge`)).toEqual([id]);
    expect(await of(`${at}?transaction_type=REFUND`)).toEqual(refunds);
    expect((await of('/charges?transaction_type=refund')).slice(0, 2)).toEqual(refunds);
    expect((await of('/charges?limit=1'))[0]).toBe(id);
    expect((await of('/fees?transaction_type=refund'))[0]).toBe(ofFee);
    expect(await of('/charges?transaction_type=refund&limit=1000')).not.toContain(ofFee);
    const query = 'query($c: ID) { charges(customer_id: $c, transaction_type: refund) { nodes { id } } }';
    const listed = (await api.graphql(query, { c: customer })).body.data.charges.nodes;
    expect(listed).toEqual(refunds.map(each => ({ id: each })));
    expect(errorOf(await api.rest('GET', '/charges?transaction_type=gift'))).toBe(1003);
  });

  it('cannot be refunded or captured', async () => {
    const { refund: made } = (await refund(await newCharge(), { amount: 10 })).body;
    expect(errorOf(await refund(made.id))).toBe(1005);
    expect(errorOf(await post(`/charges/${made.id}/capture`, {}))).toBe(1005);
  });
});
