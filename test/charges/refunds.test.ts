import pino from 'pino';
import { HttpAcquirer } from '../../src/acquirer/client';
import { recover } from '../../src/charges/recovery';
import { errorOf, testApi } from '../harness/api';
import { vault } from '../harness/secrets';
import { shopOf } from '../harness/shop';

const api = testApi();
const shop = shopOf(api);
const { post, charge, payer } = shop;
let card: string;
beforeAll(async () => {
  card = await shop.newCard();
  // Enough to pay costs from.
  await newCharge({ amount: 10_000_000 });
});
const newCharge = async (more: object = {}): Promise<string> =>
  (await post('/charges', { ...charge, source_id: card, customer: payer, ...more })).body.id;
const refund = (id: string, body: object = {}, headers = {}) => post(`/charges/${id}/refund`, body, headers);
const given = async (id: string): Promise<number> =>
  Number(
    (
      await api.database
        .db()
        .transaction.aggregate({ where: { parent_id: id, status: 'completed' }, _sum: { amount: true } })
    )._sum.amount ?? 0,
  );

describe('POST /charges/:transaction_id/refund', () => {
  it('gives a charge back as a whole, with its cost, and shows the refund', async () => {
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

  it('gives back in parts, the cost in proportion, the last part taking the remainder', async () => {
    const before = await shop.merchantBalance();
    const id = await newCharge({ amount: 100.01 });
    const shares: number[] = [];
    for (const amount of [33.33, 33.33, '33.35']) {
      const { body } = await refund(id, { amount });
      const row = await api.database.db().transaction.findUniqueOrThrow({ where: { id: body.refund.id } });
      shares.push(Number(row.fee_amount), Number(row.fee_tax));
      expect(body.status).toBe(amount === '33.35' ? 'refunded' : 'completed');
    }
    // 902.90 and 171.55 as a whole: cumulatively rounded, so the last part takes what is left.
    expect(shares).toEqual([30091, 5717, 30090, 5717, 30109, 5721]);
    expect(await shop.merchantBalance()).toBe(before);
    expect((await api.rest('GET', `/charges/${id}`)).body.refunds).toHaveLength(3);
  });

  it('fifty at once: never more than was charged', async () => {
    const id = await newCharge({ amount: 1000 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => refund(id, { amount: 300 })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(answer => errorOf(answer) === 1003)).toHaveLength(47);
    expect(await given(id)).toBe(90000);
    const whole = await newCharge({ amount: 1000 });
    const all = await Promise.all(Array.from({ length: 50 }, () => refund(whole)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await given(whole)).toBe(100000);
  });

  it('1003 for more than is left, 0, and amounts that are none; nothing moves', async () => {
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

  it('3006 for a charge that failed; 1005 for one of another merchant or customer, and one that never was', async () => {
    await shop.script(card, 3001);
    await post('/charges', { ...charge, source_id: card, customer: payer, order_id: 'fails' });
    const [failed] = (await api.rest('GET', '/charges?order_id=fails')).body;
    expect(errorOf(await refund(failed.id))).toBe(3006);
    expect(errorOf(await refund('t0000000000000000000', { amount: 'x' }))).toBe(1005);
    const customer = await shop.newCustomer();
    const id = await newCharge();
    expect(errorOf(await post(`/customers/${customer}/charges/${id}/refund`, {}))).toBe(1005);
  });

  it('4001 where the account that was credited holds less', async () => {
    const customer = await shop.newCustomer();
    const source_id = await shop.newCard(`/customers/${customer}/cards`);
    const { body } = await post(`/customers/${customer}/charges`, { ...charge, source_id, amount: 1000 });
    expect((await post('/fees', { customer_id: customer, amount: 600, description: 'Fee' })).status).toBe(200);
    expect(errorOf(await refund(body.id))).toBe(4001);
    expect((await refund(body.id, { amount: 400 })).status).toBe(200);
    expect(await shop.customerBalance(customer)).toBe(0);
  });

  it('answers a repeat with its own refund, also where the answer was lost', async () => {
    const id = await newCharge();
    const headers = { 'idempotency-key': `refund-${id}` };
    const first = await refund(id, { amount: 10 }, headers);
    await api.database.db().idempotentReply.updateMany({
      where: { key: `refund-${id}` },
      data: { status: null, body: null, lease_until: new Date(0) },
    });
    expect((await refund(id, { amount: 10 }, headers)).text).toBe(first.text);
    expect(await given(id)).toBe(1000);
  });
});

describe('capture: false', () => {
  const reserve = async (more: object = {}) =>
    (await post('/charges', { ...charge, source_id: card, customer: payer, capture: false, ...more })).body;
  const capture = (id: string, body?: object) => api.rest('POST', `/charges/${id}/capture`, body ? { body } : {});

  it('reserves, and moves nothing', async () => {
    const before = await shop.merchantBalance();
    const body = await reserve();
    expect(body).toMatchObject({ status: 'in_progress', authorization: expect.any(String) });
    expect('fee' in body).toBe(false);
    expect(await shop.merchantBalance()).toBe(before);
    expect(shop.journalOf(body.id)).toMatchObject([{ operation: 'authorize', outcome: 'approved' }]);
    expect(await api.database.db().event.findMany({ where: { object_id: body.id } })).toMatchObject([
      { type: 'charge.created' },
    ]);
  });

  it('is taken by POST …/capture, as a whole or in part, once', async () => {
    const before = await shop.merchantBalance();
    const whole = await reserve();
    const { status, body } = await capture(whole.id);
    expect([status, body.status, body.amount, body.fee.amount]).toEqual([200, 'completed', 100000, 3800]);
    const part = await reserve();
    const taken = await capture(part.id, { amount: 40000 });
    expect([taken.body.status, taken.body.amount, taken.body.fee.amount]).toEqual(['completed', 40000, 2060]);
    expect(await shop.merchantBalance()).toBeCloseTo(before + 100000 - 4522 + 40000 - 2060 - 391.4);
    expect(errorOf(await capture(part.id))).toBe(3006);
    expect(errorOf(await refund(part.id, { amount: 40000.01 }))).toBe(1003);
    expect((await refund(part.id)).body.status).toBe('refunded');
  });

  it('1003 for more than was reserved; it can still be captured', async () => {
    const { id } = await reserve();
    expect(errorOf(await capture(id, { amount: 100000.01 }))).toBe(1003);
    expect((await capture(id)).body.status).toBe('completed');
  });

  it('fifty captures at once take it once', async () => {
    const { id } = await reserve();
    const answers = await Promise.all(Array.from({ length: 50 }, () => capture(id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(answer => errorOf(answer) === 3006)).toHaveLength(49);
    expect(
      api.acquirer.journal().filter(({ operation, key }) => operation === 'capture' && key.startsWith(id)),
    ).toHaveLength(1);
  });

  it('is cancelled by a refund, and can then not be captured', async () => {
    const { id } = await reserve();
    expect(errorOf(await refund(id, { amount: 5 }))).toBe(1003);
    expect((await refund(id)).body).toMatchObject({ id, status: 'cancelled' });
    expect(errorOf(await capture(id))).toBe(3006);
    expect(errorOf(await refund(id))).toBe(3006);
    expect(shop.journalOf(id).map(({ operation }) => operation)).toEqual(['authorize', 'reverse']);
    const events = await api.database
      .db()
      .event.findMany({ where: { object_id: id }, orderBy: { creation_date: 'asc' } });
    expect(events.map(({ type }) => type)).toEqual(['charge.created', 'charge.cancelled']);
  });

  it('captured and cancelled at once it ends as one of the two', async () => {
    for (let i = 0; i < 5; i++) {
      const { id } = await reserve();
      const answers = await Promise.all([capture(id), refund(id)]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(['completed', 'cancelled']).toContain((await api.rest('GET', `/charges/${id}`)).body.status);
    }
  });
});

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

describe('chargebacks', () => {
  const decide = (id: string, outcome?: string) =>
    post(`/sandbox/charges/${id}/chargeback`, outcome ? { outcome } : {});

  it.each([
    ['accepted', 'chargeback_accepted', 0, 'chargeback.accepted'],
    ['rejected', 'chargeback_adjustment', 100000, 'chargeback.rejected'],
  ])('hold the money, and %s it is gone or back', async (outcome, status, back, event) => {
    const id = await newCharge();
    const before = await shop.merchantBalance();
    const opened = await decide(id);
    expect([opened.status, opened.body.status]).toEqual([200, 'chargeback_pending']);
    expect(await shop.merchantBalance()).toBe(before - 100000);
    expect(errorOf(await decide(id))).toBe(3006);
    expect(errorOf(await refund(id))).toBe(3006);
    expect((await decide(id, outcome)).body.status).toBe(status);
    expect(await shop.merchantBalance()).toBe(before - 100000 + back);
    for (const again of ['open', 'accepted', 'rejected']) expect(errorOf(await decide(id, again))).toBe(3006);
    const events = await api.database
      .db()
      .event.findMany({ where: { object_id: id }, orderBy: { creation_date: 'asc' } });
    expect(events.map(({ type }) => type)).toEqual(['charge.succeeded', 'chargeback.created', event]);
  });

  it('opened and refunded at once, the money is taken once', async () => {
    for (let i = 0; i < 10; i++) {
      const id = await newCharge();
      const before = await shop.merchantBalance();
      const [opened, refunded] = await Promise.all([decide(id), refund(id)]);
      expect([opened, refunded].filter(({ status }) => status === 200)).toHaveLength(1);
      const back = refunded.status === 200 ? 4522 : 0;
      expect(await shop.merchantBalance()).toBe(before - 100000 + back);
    }
  });

  it('release what was held, also for a refund that was under way and failed', async () => {
    const id = await newCharge();
    const start = await shop.merchantBalance();
    const { body } = await refund(id, { amount: 40_000 });
    const db = api.database.db();
    await db.transaction.update({
      where: { id: body.refund.id },
      data: { status: 'in_progress', progress: 'prepared', lease_until: new Date(0) },
    });
    expect((await decide(id)).body.status).toBe('chargeback_pending');
    const acquirer = new HttpAcquirer({ ...api.acquirer.credentials(), vault, log: pino({ level: 'silent' }) });
    await acquirer.reverse(body.refund.id);
    await recover(db, { sandbox: acquirer }, pino({ level: 'silent' }));
    await acquirer.close();
    expect(await shop.merchantBalance()).toBe(start - 100_000);
    expect((await decide(id, 'rejected')).body.status).toBe('chargeback_adjustment');
    expect(await shop.merchantBalance()).toBe(start);
  });

  it('keep a customer from being deleted, and a deleted one gets no fee back', async () => {
    const customer = await shop.newCustomer();
    const source_id = await shop.newCard(`/customers/${customer}/cards`);
    const { body } = await post(`/customers/${customer}/charges`, { ...charge, source_id, amount: 5000 });
    await decide(body.id);
    expect(errorOf(await api.rest('DELETE', `/customers/${customer}`))).toBe(3006);
    await decide(body.id, 'rejected');
    const fee = await post('/fees', { customer_id: customer, amount: 5000, description: 'All of it' });
    expect((await api.rest('DELETE', `/customers/${customer}`)).status).toBe(204);
    expect(errorOf(await post(`/fees/${fee.body.id}/refund`, {}))).toBe(3006);
  });

  it('1003 for an outcome that is none, 1005 for a charge that is not there, 3006 where there is none to decide', async () => {
    const id = await newCharge();
    expect(errorOf(await decide(id, 'maybe'))).toBe(1003);
    expect(errorOf(await decide('t0000000000000000000'))).toBe(1005);
    expect(errorOf(await decide(id, 'accepted'))).toBe(3006);
  });
});
