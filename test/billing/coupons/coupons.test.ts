/** Coupons: created, redeemed by subscriptions at once, and billed. */
import { type TestSubscription, testBilling } from '../../harness/merchant/subscriptions';
import { errorOf } from '../../harness/servers/api';

const billing = testBilling();
const { api, shop } = billing;
let codes = 0;
const newCode = (): string => `Code-${++codes}`;
const create = (coupon: object = {}) =>
  shop.post('/coupons', { code: newCode(), percent_off: 20, duration: 'forever', ...coupon });
const newCoupon = async (coupon: object = {}) => (await create(coupon)).body;
const read = async (id: string) => (await api.rest('GET', `/coupons/${id}`)).body;
const apply = ({ path }: TestSubscription, coupon: string, headers = {}) =>
  shop.post(`${path}/coupon`, { coupon }, headers);
const removeFrom = ({ path }: TestSubscription) => api.rest('DELETE', `${path}/coupon`);
const amounts = async (subscription: TestSubscription) =>
  (await subscription.charges()).map(({ amount }: { amount: number }) => amount);
/** Fails with 422/1003 and changes nothing. */
const expectNotUsable = async (subscription: TestSubscription, coupon: string) => {
  const before = await subscription.read();
  const other = { quantity: 2, coupon };
  for (const answer of [
    await apply(subscription, coupon),
    await subscription.change(other),
    await subscription.change({ ...other, when: 'now' }),
    await shop.post(`${subscription.path}/preview`, { coupon: { coupon } }),
  ])
    expect([answer.status, errorOf(answer)]).toEqual([422, 1003]);
  expect(await subscription.read()).toEqual(before);
};

it('are created, read, listed by code, and deleted, over REST and GraphQL', async () => {
  const { body: coupon, status } = await create({ code: 'Launch20', duration: 'periods', periods: 3 });
  expect(status).toBe(201);
  expect(coupon).toMatchObject({
    ...{ code: 'LAUNCH20', percent_off: 20, amount_off: null, duration: 'periods', periods: 3 },
    ...{ max_redemptions: null, redemptions: 0, redeem_by: null, plan_ids: null, status: 'active' },
  });
  expect(await read(coupon.id)).toEqual(coupon);
  expect((await api.rest('GET', '/coupons?code=launch20')).body).toEqual([coupon]);
  const taken = await create({ code: 'LAUNCH20' });
  expect([taken.status, errorOf(taken)]).toEqual([422, 1003]);
  const query = `query ($id: ID!) { coupon(coupon_id: $id) { id code percent_off }
    coupons(code: "LaUnCh20") { nodes { id } totalCount } }`;
  const { data } = (await api.graphql(query, { id: coupon.id })).body;
  expect(data.coupon).toEqual({ id: coupon.id, code: 'LAUNCH20', percent_off: 20 });
  expect(data.coupons).toEqual({ nodes: [{ id: coupon.id }], totalCount: 1 });
  expect((await api.rest('DELETE', `/coupons/${coupon.id}`)).status).toBe(204);
  expect(errorOf(await api.rest('DELETE', `/coupons/${coupon.id}`))).toBe(1005);
  expect((await api.rest('GET', '/coupons?code=launch20')).body).toEqual([]);
  expect((await read(coupon.id)).status).toBe('deleted');
  const again = await create({ code: 'launch20' });
  expect(again.status).toBe(201);
  const once = () =>
    shop.post('/coupons', { code: 'once', amount_off: 1000, duration: 'once' }, { 'idempotency-key': 'once' });
  expect((await once()).body).toEqual((await once()).body);
  const { private_key: key } = api.merchants().other;
  expect(
    errorOf(await api.graphql('query ($id: ID!) { coupon(coupon_id: $id) { id } }', { id: again.body.id }, { key })),
  ).toBe(1005);
});

it('with wrong terms are refused', async () => {
  for (const wrong of [
    ...[
      { percent_off: undefined },
      { amount_off: 100 },
      { percent_off: 0.5 },
      { percent_off: 100.01 },
      { percent_off: 1.234 },
    ],
    ...[{ duration: 'periods' }, { periods: 3 }, { duration: 'periods', periods: 0 }, { duration: 'always' }],
    ...[{ code: '' }, { code: 'two words' }, { code: 'x'.repeat(51) }, { max_redemptions: 0 }, { redeem_by: 'soon' }],
    { percent_off: undefined, amount_off: 0 },
  ]) {
    const answer = await create(wrong);
    expect([JSON.stringify(wrong), answer.status]).toEqual([
      JSON.stringify(wrong),
      errorOf(answer) === 1001 ? 400 : 422,
    ]);
    expect([1001, 1003]).toContain(errorOf(answer));
  }
  expect(errorOf(await create({ plan_ids: ['p00000000000000000000'] }))).toBe(1005);
});

it.concurrent('reduce the next periods, and the first one of a creation', async () => {
  const coupon = await newCoupon({ duration: 'periods', periods: 2 });
  const subscription = await billing.subscribe('2040-01-10', { coupon: coupon.code.toLowerCase(), quantity: 2 });
  expect(subscription.created.coupon).toEqual({
    ...{ coupon_id: coupon.id, code: coupon.code, percent_off: 20, amount_off: null, periods_left: 1 },
  });
  const projected = (await api.rest('GET', `${subscription.path}/projection`)).body;
  expect(projected.slice(0, 2)).toMatchObject([
    { amount: 79_840, invoice: { full_amount: 99_800, discount: 19_960, coupon_id: coupon.id } },
    { amount: 99_800, invoice: { discount: 0, coupon_id: null } },
  ]);
  await subscription.moveTo('2040-03-10');
  expect(await subscription.charges()).toMatchObject([
    { amount: 79_840, invoice: { quantity: 2, full_amount: 99_800, discount: 19_960, coupon_id: coupon.id } },
    { amount: 79_840, invoice: { coupon_id: coupon.id } },
    { amount: 99_800, invoice: { coupon_id: null } },
  ]);
  expect(await subscription.read()).not.toHaveProperty('coupon');
  expect(errorOf(await removeFrom(subscription))).toBe(3006);
  expect((await read(coupon.id)).redemptions).toBe(1);
});

it.concurrent('are applied, replaced and removed, one at a time', async () => {
  const subscription = await billing.subscribe('2040-01-10');
  const [first, second] = [await newCoupon(), await newCoupon({ percent_off: undefined, amount_off: 9_900 })];
  const preview = await subscription.preview({ coupon: { coupon: first.code } });
  expect([preview.charge_now, preview.charges[0].amount, preview.charges[11].amount]).toEqual([0, 39_920, 39_920]);
  const once = () => apply(subscription, first.code, { 'idempotency-key': `apply ${subscription.id}` });
  const [applied, repeated] = [await once(), await once()];
  expect(applied).toMatchObject({ status: 200, body: { coupon: { coupon_id: first.id, periods_left: null } } });
  expect(repeated.body).toEqual(applied.body);
  expect(errorOf(await apply(subscription, first.id))).toBe(3006);
  expect((await apply(subscription, second.id)).body.coupon).toMatchObject({ coupon_id: second.id, amount_off: 9_900 });
  await subscription.moveTo('2040-02-10');
  expect((await removeFrom(subscription)).status).toBe(204);
  expect(errorOf(await removeFrom(subscription))).toBe(3006);
  await subscription.moveTo('2040-03-10');
  expect(await amounts(subscription)).toEqual([49_900, 40_000, 49_900]);
  expect([(await read(first.id)).redemptions, (await read(second.id)).redemptions]).toEqual([1, 1]);
  expect(await subscription.lines()).toEqual([
    ...['created', 'charged', 'coupon_added', 'coupon_added', 'charged', 'coupon_removed', 'charged'],
  ]);
  expect((await shop.eventsOf(subscription.id)).slice(2)).toEqual(Array(3).fill('subscription.changed'));
});

it.concurrent('with a change now reduce the period that it opens', async () => {
  const subscription = await billing.subscribe('2040-01-10');
  const coupon = await newCoupon({ duration: 'once', percent_off: 50 });
  const body = { quantity: 2, coupon: coupon.code, when: 'now' };
  expect(await subscription.preview({ change: body })).toMatchObject({ charge_now: 0, credit: 49_900 });
  expect((await read(coupon.id)).redemptions).toBe(0);
  expect((await subscription.change(body)).body).toMatchObject({ quantity: 2, current_period_number: 2 });
  expect((await read(coupon.id)).redemptions).toBe(1);
  // A period that is replaced on its first day does not use up the coupon.
  await subscription.change({ quantity: 3, when: 'now' });
  expect((await subscription.charges())[1]).toMatchObject({
    amount: 24_950,
    invoice: { discount: 74_850, credit: 49_900 },
  });
  expect(await subscription.read()).not.toHaveProperty('coupon');
});

it.concurrent('that cover everything begin periods without a charge', async () => {
  const coupon = await newCoupon({ percent_off: 100, duration: 'periods', periods: 2 });
  const subscription = await billing.subscribe('2040-01-10', { coupon: coupon.id });
  expect(subscription.created).toMatchObject({
    ...{ status: 'active', current_period_number: 1, transaction_id: null, charge_date: '2040-02-10' },
  });
  expect(await subscription.diary('2040-02-10', '2040-03-10')).toBe(
    '2040-02-10 | active 2 | next 2040-03-10\n2040-03-10 | active 3 | next 2040-04-10 | paid',
  );
  expect(await amounts(subscription)).toEqual([49_900]);
  expect(await subscription.lines()).toEqual(['created', 'covered', 'covered', 'charged']);
  expect(await shop.eventsOf(subscription.id)).toEqual([
    ...['subscription.created', 'subscription.activated', 'subscription.period.covered', 'subscription.period.covered'],
  ]);
  expect((await api.rest('GET', `${subscription.path}/history?language=es`)).body.entries[1].description).toBe(
    'El período 1 no costó nada, por descuentos, cortesías o saldo a favor.',
  );
});

it.concurrent('that cannot be redeemed are 422/1003', async () => {
  const subscription = await billing.subscribe('2040-01-10');
  const other_plan = await shop.newPlan();
  const deleted = await newCoupon();
  await api.rest('DELETE', `/coupons/${deleted.id}`);
  for (const coupon of [
    ...['unknown', deleted.id, deleted.code],
    (await newCoupon({ redeem_by: '2040-01-09' })).id,
    (await newCoupon({ plan_ids: [other_plan] })).id,
  ])
    await expectNotUsable(subscription, coupon);
  const { customer_id, card_id: source_id } = await billing.newCustomerWithCard('2040-01-10');
  const answer = await shop.post(`/customers/${customer_id}/subscriptions`, {
    plan_id: other_plan,
    source_id,
    coupon: 'unknown',
  });
  expect([answer.status, errorOf(answer)]).toEqual([422, 1003]);
  const valid = await newCoupon({
    redeem_by: '2040-01-10',
    plan_ids: [subscription.created.plan_id],
    max_redemptions: 1,
  });
  expect((await apply(subscription, valid.code)).status).toBe(200);
  await expectNotUsable(await billing.subscribe('2040-01-10', { plan: { name: 'Third' } }), valid.code);
});

it.concurrent('return the redemption of a declined change and of a creation without an answer', async () => {
  const coupon = await newCoupon({ max_redemptions: 1 });
  const subscription = await billing.subscribe('2040-01-10');
  for (const [step, status] of [
    [3003, 402],
    ['timeout', 503],
  ] as const) {
    await shop.script(subscription.card_id, step);
    expect((await subscription.change({ quantity: 2, coupon: coupon.code, when: 'now' })).status).toBe(status);
    expect((await read(coupon.id)).redemptions).toBe(0);
  }
  const { customer_id, card_id } = await billing.newCustomerWithCard('2040-01-10');
  await shop.script(card_id, 'timeout');
  const body = { plan_id: subscription.created.plan_id, source_id: card_id, coupon: coupon.code };
  const subscribe = () => shop.post(`/customers/${customer_id}/subscriptions`, body);
  expect((await subscribe()).status).toBe(503);
  expect((await read(coupon.id)).redemptions).toBe(0);
  expect((await subscribe()).status).toBe(201);
  expect((await read(coupon.id)).redemptions).toBe(1);
  await expectNotUsable(subscription, coupon.code);
});

it.concurrent('that are redeemed fifty times at once keep their maximum of five', async () => {
  const coupon = await newCoupon({ max_redemptions: 5 });
  const plan_id = await shop.newPlan({ trial_days: 5 });
  const customer_id = await shop.newCustomer({ requires_account: false });
  const source_id = await shop.newCard(`/customers/${customer_id}/cards`);
  const path = `/customers/${customer_id}/subscriptions`;
  const ids = await Promise.all(
    Array.from({ length: 30 }, async () => (await shop.post(path, { plan_id, source_id })).body.id),
  );
  const answers = await Promise.all([
    ...ids.slice(0, 15).map(id => shop.post(`${path}/${id}/coupon`, { coupon: coupon.code })),
    ...ids.slice(15).map(id => shop.post(`${path}/${id}/change`, { quantity: 2, coupon: coupon.code, when: 'now' })),
    ...Array.from({ length: 20 }, () => shop.post(path, { plan_id, source_id, coupon: coupon.code })),
  ]);
  const outcomes = answers.map(answer => (answer.status < 300 ? 'redeemed' : errorOf(answer)));
  expect(outcomes.filter(outcome => outcome === 'redeemed')).toHaveLength(5);
  expect(outcomes.filter(outcome => outcome === 1003)).toHaveLength(45);
  const listed = (await api.rest('GET', `${path}?limit=100`)).body;
  expect(listed.filter((each: { coupon?: object }) => each.coupon)).toHaveLength(5);
  expect((await read(coupon.id)).redemptions).toBe(5);
});
