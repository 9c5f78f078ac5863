/** Changes of plan and quantity over REST and GraphQL: with the next period, and now with a charge. */
import { visa } from '../../harness/cards/testCards';
import { PAGE, testSessions } from '../../harness/merchant/sessions';
import { type TestSubscription, testBilling, trimDiary } from '../../harness/merchant/subscriptions';
import { errorOf } from '../../harness/servers/api';

const billing = testBilling();
const { api, shop } = billing;
const pro = (plan: object = {}) => shop.newPlan({ name: 'Pro', amount: 99_900, ...plan });
const withdraw = ({ path }: TestSubscription) => api.rest('DELETE', `${path}/change`);
const inSpanish = async ({ path }: TestSubscription) => (await api.rest('GET', `${path}/history?language=es`)).body;
/** A subscription on 20 January, of whose period of 31 days 21 are unused. */
const onDay11 = async (options: Record<string, unknown> = {}) => {
  const subscription = await billing.subscribe('2040-01-10', options);
  await subscription.moveTo('2040-01-20');
  return subscription;
};

it.concurrent('a change at the period end is shown, replaced, withdrawn, and charged with the next period', async () => {
  const subscription = await billing.subscribe('2040-01-10', { quantity: 2 });
  const [basic, plan_id] = [subscription.created.plan_id, await pro()];
  const planned = await subscription.change({ plan_id });
  expect(planned).toMatchObject({ status: 200, body: { plan_id: basic, quantity: 2, charge_date: '2040-02-10' } });
  expect(planned.body.pending_change).toEqual({ plan_id, quantity: 2, date: '2040-02-10' });
  expect((await withdraw(subscription)).status).toBe(204);
  expect(await subscription.read()).not.toHaveProperty('pending_change');
  expect(errorOf(await withdraw(subscription))).toBe(3006);
  await subscription.change({ quantity: 4 });
  const { charge_now, charges } = await subscription.preview({ change: { plan_id, quantity: 3 } });
  expect([charge_now, charges[0].amount, charges[0].charge_date]).toEqual([0, 299_700, '2040-02-10']);
  const mutation = `mutation ($id: ID!, $plan_id: ID!) {
    changeSubscription(subscription_id: $id, change: { plan_id: $plan_id, quantity: 3, when: period_end }) {
      id plan_id quantity charge_date pending_change { plan_id quantity date } } }`;
  const { changeSubscription } = (await api.graphql(mutation, { id: subscription.id, plan_id })).body.data;
  expect(await subscription.read()).toMatchObject(changeSubscription);
  expect(changeSubscription.pending_change).toEqual({ plan_id, quantity: 3, date: '2040-02-10' });
  expect((await subscription.history()).summary).toContain('It changes to Pro × 3 on 2040-02-10.');
  expect((await inSpanish(subscription)).summary).toContain('El 2040-02-10 cambia a Pro × 3.');
  expect((await api.rest('GET', `${subscription.path}/projection`)).body[0].amount).toBe(299_700);
  expect(await subscription.diary('2040-02-10')).toBe('2040-02-10 | active 2 | next 2040-03-10 | paid');
  const after = await subscription.read();
  expect(after).toMatchObject({ plan_id, quantity: 3 });
  expect(after).not.toHaveProperty('pending_change');
  const invoice = { quantity: 3, full_amount: 299_700, discount: 0, coupon_id: null, extras: [], credit: 0 };
  expect((await subscription.charges())[1]).toMatchObject({ amount: 299_700, description: 'Pro', invoice });
  expect(await subscription.lines()).toEqual([
    ...['created', 'charged', 'change_planned', 'planned_change_removed', 'change_planned', 'change_planned'],
    ...['plan_changed', 'charged'],
  ]);
  expect((await inSpanish(subscription)).entries[6].description).toBe('La suscripción cambió a Pro × 3.');
  expect(await shop.eventsOf(subscription.id)).toEqual([
    ...['subscription.created', 'subscription.activated'],
    ...Array(5).fill('subscription.changed'),
  ]);
});

it.concurrent('another interval is counted from the day of the change', async () => {
  const subscription = await billing.subscribe('2040-01-31');
  const plan_id = await pro({ repeat_unit: 'week' });
  expect((await subscription.change({ plan_id })).body.pending_change.date).toBe('2040-02-29');
  expect(await subscription.diary('2040-02-29', '2040-03-07')).toBe(
    trimDiary(`
      2040-02-29 | active 2 | next 2040-03-07 | paid
      2040-03-07 | active 3 | next 2040-03-14 | paid`),
  );
});

it.concurrent('a change now charges a new period less the credit for unused days, as its preview said', async () => {
  const subscription = await onDay11({ plan: { iva: '3900' } });
  const plan_id = await pro({ iva: '19%' });
  const expected = await subscription.preview({ change: { plan_id, when: 'now' } });
  expect(expected).toMatchObject({ charge_now: 66_096.77, credit: 33_803.23, credit_balance: 0 });
  expect(expected.next_charge_date).toBe('2040-02-20');
  const answer = await subscription.change({ when: 'now', plan_id });
  expect(answer).toMatchObject({
    status: 200,
    body: { plan_id, current_period_number: 2, charge_date: '2040-02-20', period_end_date: '2040-02-19' },
  });
  expect(await subscription.read()).toEqual(answer.body);
  const { id, subscription: read } = (
    await api.graphql(
      `query ($id: ID!) { subscription(subscription_id: $id) { id subscription: id plan_id current_period_number charge_date
        transaction_id charges { nodes { id amount description tax { base rate amount } invoice { full_amount credit } } } } }`,
      { id: subscription.id },
    )
  ).body.data.subscription;
  expect(id).toBe(read);
  const [, charge] = await subscription.charges();
  expect(charge).toMatchObject({
    id: answer.body.transaction_id,
    amount: expected.charge_now,
    description: 'Pro',
    status: 'completed',
    tax: { base: 55_543.5, rate: 19, amount: 10_553.27 },
    invoice: { quantity: 1, full_amount: 99_900, discount: 0, extras: [], credit: 33_803.23 },
  });
  expect(await subscription.journal()).toMatchObject([{ amount: 4_990_000 }, { amount: 6_609_677 }]);
  expect(await subscription.lines()).toEqual(['created', 'charged', 'plan_changed', 'charged']);
  expect((await shop.eventsOf(subscription.id)).slice(2)).toEqual(['subscription.changed']);
  const [event] = (await api.rest('GET', `/events?object_id=${subscription.id}&type=subscription.changed`)).body;
  expect(event.subscription).toEqual(answer.body);
  // The same day again: the last change alone.
  await subscription.change({ when: 'now', quantity: 2 });
  expect((await subscription.charges())[2]).toMatchObject({
    amount: 99_900,
    invoice: { full_amount: 199_800, credit: 99_900 },
  });
  expect(await subscription.diary('2040-02-19', '2040-02-20')).toBe(
    trimDiary(`
      2040-02-19 | active 3 | next 2040-02-20
      2040-02-20 | active 4 | next 2040-03-20 | paid`),
  );
  expect((await subscription.charges())[3].amount).toBe(199_800);
});

it.concurrent('a refunded amount is not credited', async () => {
  const subscription = await onDay11();
  const { transaction_id } = subscription.created;
  await shop.post(`/charges/${transaction_id}/refund`, { amount: 20_000, description: 'Sorry' });
  expect((await subscription.preview({ change: { quantity: 2, when: 'now' } })).credit).toBe(20_254.84);
});

it.concurrent('a trial keeps its end, unless another plan has none', async () => {
  const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 5 } });
  const trial = { status: 'trial', charge_date: '2040-01-15', transaction_id: null };
  const longer = await pro({ trial_days: 30 });
  expect((await subscription.change({ when: 'now', plan_id: longer })).body).toMatchObject({
    ...trial,
    plan_id: longer,
  });
  expect((await subscription.change({ when: 'now', quantity: 2 })).body).toMatchObject({ ...trial, quantity: 2 });
  const plan_id = await pro({ amount: 10_000 });
  expect(await subscription.preview({ change: { plan_id, when: 'now' } })).toMatchObject({
    charge_now: 20_000,
    credit: 0,
  });
  expect((await subscription.change({ when: 'now', plan_id })).body).toMatchObject({
    ...{ status: 'active', current_period_number: 1, trial_end_date: '2040-01-09', charge_date: '2040-02-10' },
  });
  expect(await subscription.charges()).toMatchObject([{ amount: 20_000 }]);
  const fixed = await billing.subscribe('2040-01-10', { trial_end_date: '2040-01-20' });
  expect((await fixed.change({ when: 'now', quantity: 2 })).body).toMatchObject({
    status: 'trial',
    charge_date: '2040-01-21',
  });
  await fixed.change({ plan_id });
  await fixed.moveTo('2040-01-21');
  expect(await fixed.charges()).toMatchObject([{ amount: 20_000, description: 'Pro' }]);
});

it.concurrent('a declined change is 402 with its code and changes nothing; the period renews as before', async () => {
  const subscription = await onDay11();
  await subscription.change({ quantity: 5 });
  const before = await subscription.read();
  await shop.script(subscription.card_id, 3003);
  const answer = await subscription.change({ when: 'now', plan_id: await pro() });
  expect([answer.status, errorOf(answer)]).toEqual([402, 3003]);
  expect(await subscription.read()).toEqual(before);
  expect((await subscription.charges())[1]).toMatchObject({ status: 'failed', error_code: 3003, amount: 66_096.77 });
  expect(await subscription.lines()).toEqual(['created', 'charged', 'change_planned', 'change_declined']);
  expect((await inSpanish(subscription)).entries[3].description).toMatch(/^Se rechazó el cobro de un cambio: .*3003/);
  const failed = (await subscription.charges())[1].id;
  expect(await shop.eventsOf(failed)).toEqual(['charge.failed']);
  expect(await subscription.diary('2040-02-10')).toBe('2040-02-10 | active 2 | next 2040-03-10 | paid');
  expect((await subscription.charges())[2].amount).toBe(249_500);
});

it.concurrent.each(['timeout', 'timeout_after_charge'])(
  'without an answer (%s) a change is 503/1004 and changes nothing, and its repetition charges once',
  async step => {
    const subscription = await onDay11();
    const before = await subscription.read();
    await shop.script(subscription.card_id, step);
    const repeat = async () =>
      subscription.change({ when: 'now', quantity: 2 }, { 'idempotency-key': `${step} ${subscription.id}` });
    const refused = await repeat();
    expect([refused.status, errorOf(refused)]).toEqual([503, 1004]);
    expect(await subscription.read()).toEqual(before);
    const [, charge] = await subscription.charges();
    expect(charge).toMatchObject({ status: 'failed', error_code: 1004 });
    expect(shop.journalOf(charge.id).at(-1)).toMatchObject({ operation: 'reverse' });
    expect((await subscription.lines()).slice(2)).toEqual(['unanswered', 'change_not_made']);
    const [first, second] = [await repeat(), await repeat()];
    expect(first).toMatchObject({ status: 200, body: { quantity: 2, current_period_number: 2 } });
    expect(second.body).toEqual(first.body);
    const paid = (await subscription.charges()).filter(({ status }: { status: string }) => status === 'completed');
    expect(paid).toHaveLength(2);
  },
);

it.concurrent('is refused with 3006 where the state does not allow it', async () => {
  const unpaid = await billing.subscribe('2040-01-10', { card: '4000000000000341' });
  expect(errorOf(await unpaid.change({ when: 'now', quantity: 2 }))).toBe(3006);
  expect((await unpaid.change({ quantity: 2 })).body).toMatchObject({
    status: 'past_due',
    pending_change: { quantity: 2 },
  });
  await unpaid.moveTo('2040-01-20');
  expect(await unpaid.read()).toMatchObject({ status: 'unpaid' });
  for (const when of ['now', 'period_end']) expect(errorOf(await unpaid.change({ quantity: 3, when }))).toBe(3006);
  await unpaid.moveTo('2040-02-10');
  expect(errorOf(await unpaid.change({ quantity: 3 }))).toBe(3006);
  const paused = await billing.subscribe('2040-01-10');
  await shop.post(`${paused.path}/pause`, {});
  await paused.moveTo('2040-02-10');
  const refusal = await paused.change({ when: 'now', quantity: 2 });
  expect([refusal.status, errorOf(refusal)]).toEqual([412, 3006]);
  expect((await paused.change({ quantity: 2 })).status).toBe(200);
});

it.concurrent('fails with its errors and changes nothing', async () => {
  const subscription = await billing.subscribe('2040-01-10', { quantity: 2 });
  const { plan_id } = subscription.created;
  const before = await subscription.read();
  const huge = await shop.newPlan({ amount: 9_999_999_999_999.99 });
  for (const when of ['now', 'period_end']) {
    for (const wrong of [{ plan_id: huge }, {}, { plan_id, quantity: 2 }]) {
      const answer = await subscription.change({ when, ...wrong });
      expect([answer.status, errorOf(answer)]).toEqual([422, 1003]);
    }
    expect(errorOf(await subscription.change({ when, plan_id: 'p00000000000000000000' }))).toBe(1005);
  }
  for (const wrong of [{ quantity: 0 }, { quantity: 10_001 }, { quantity: 1.5 }, { when: 'later', quantity: 3 }])
    expect([1001, 1003]).toContain(errorOf(await subscription.change(wrong)));
  const { customer_id, card_id } = await billing.newCustomerWithCard('2040-01-10');
  const create = (body: object) =>
    shop.post(`/customers/${customer_id}/subscriptions`, { source_id: card_id, ...body });
  expect(errorOf(await create({ plan_id: huge, quantity: 2 }))).toBe(1003);
  for (const [field, value] of [
    ['plan_id', await pro()],
    ['quantity', 3],
  ]) {
    const { status, body } = await subscription.put({ [field as string]: value });
    expect([status, body.error_code]).toEqual([422, 1003]);
    expect(body.description).toContain('/change');
  }
  expect((await subscription.put({ ...before, card: { ...visa, ...before.card } })).status).toBe(200);
  const { private_key: key } = api.merchants().other;
  const mutation = 'mutation ($id: ID!) { changeSubscription(subscription_id: $id, change: { quantity: 3 }) { id } }';
  expect(errorOf(await api.graphql(mutation, { id: subscription.id }, { key }))).toBe(1005);
  expect(
    (await api.rest('POST', `${subscription.path}/change`, { body: {}, key: api.merchants().own.public_key })).status,
  ).toBe(403);
  const { token } = await testSessions(api).newSession({ customer_id: subscription.customer_id, origins: [PAGE] });
  const refused = await testSessions(api).queryGraphql(token, mutation, { id: subscription.id });
  expect(errorOf(refused)).toBeGreaterThan(1000);
  expect(await subscription.read()).toMatchObject({ plan_id, quantity: 2, current_period_number: 1 });
});
