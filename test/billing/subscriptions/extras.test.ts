/** One-off amounts of the next period, and credit that is used, left at the end, and returned. */
import { type TestSubscription, testBilling, trimDiary } from '../../harness/merchant/subscriptions';
import { errorOf } from '../../harness/servers/api';

const billing = testBilling();
const { api, shop } = billing;
const add = ({ path }: TestSubscription, amount: number, description = 'Messages', headers = {}) =>
  shop.post(`${path}/extras`, { description, amount }, headers);
const list = async ({ path }: TestSubscription) => (await api.rest('GET', `${path}/extras`)).body;
const removeExtra = ({ path }: TestSubscription, id: string) => api.rest('DELETE', `${path}/extras/${id}`);
const returnCredit = ({ path }: TestSubscription, headers = {}) => shop.post(`${path}/credit/return`, {}, headers);
const amounts = async (subscription: TestSubscription) =>
  (await subscription.charges()).map(({ amount }: { amount: number }) => amount);

it.concurrent('extras are added, listed, removed, and billed once, with the next period', async () => {
  const subscription = await billing.subscribe('2040-01-10');
  const preview = await subscription.preview({ extra: { description: 'Messages', amount: 1_200.5 } });
  expect([preview.charge_now, preview.charges[0].amount, preview.charges[1].amount]).toEqual([0, 51_100.5, 49_900]);
  const once = () => add(subscription, 1_200.5, 'Messages', { 'idempotency-key': `extra ${subscription.id}` });
  const [first, repeated] = [await once(), await once()];
  expect(first).toMatchObject({ status: 201, body: { description: 'Messages', amount: 1_200.5 } });
  expect(repeated.body).toEqual(first.body);
  const mutation = `mutation ($id: ID!) { createExtra(subscription_id: $id, extra: { description: "Calls", amount: 800 }) {
    id description amount } }`;
  const { createExtra: second } = (await api.graphql(mutation, { id: subscription.id })).body.data;
  expect(await list(subscription)).toEqual([first.body, second]);
  expect((await subscription.read()).extras).toEqual([first.body, second]);
  expect((await removeExtra(subscription, second.id)).status).toBe(204);
  const gone = await removeExtra(subscription, second.id);
  expect([gone.status, errorOf(gone)]).toEqual([404, 1005]);
  expect(await subscription.diary('2040-02-10', '2040-03-10')).toBe(
    trimDiary(`
      2040-02-10 | active 2 | next 2040-03-10 | paid
      2040-03-10 | active 3 | next 2040-04-10 | paid`),
  );
  expect(await amounts(subscription)).toEqual([49_900, 51_100.5, 49_900]);
  expect((await subscription.charges())[1].invoice).toMatchObject({ full_amount: 49_900, extras: [first.body] });
  expect(await list(subscription)).toEqual([]);
  expect((await removeExtra(subscription, first.body.id)).status).toBe(404);
  expect((await once()).body).toEqual(first.body);
  expect(await subscription.lines()).toEqual([
    ...['created', 'charged', 'extra_added', 'extra_added', 'extra_removed', 'charged', 'charged'],
  ]);
  const { entries } = (await api.rest('GET', `${subscription.path}/history?language=es`)).body;
  expect(entries[2].description).toMatch(/^Se agregó .*1\.200,50.* al próximo período: Messages\.$/);
});

it.concurrent('a courtesy reduces periods to zero, and its rest stays for the next ones', async () => {
  const subscription = await billing.subscribe('2040-01-10');
  const { id } = (await add(subscription, -60_000, 'Outage')).body;
  await add(subscription, 5_000);
  expect(await subscription.diary('2040-02-10')).toBe('2040-02-10 | active 2 | next 2040-03-10');
  expect(await list(subscription)).toEqual([{ id, description: 'Outage', amount: -5_100 }]);
  await subscription.moveTo('2040-03-10');
  expect(await list(subscription)).toEqual([]);
  expect(await subscription.charges()).toMatchObject([
    { amount: 49_900 },
    { amount: 44_800, invoice: { extras: [{ id, description: 'Outage', amount: -5_100 }] } },
  ]);
});

it.concurrent('the amount of a period is fixed when it opens, also for its retries', async () => {
  const subscription = await billing.subscribe('2040-01-10');
  await add(subscription, 1_000);
  await shop.script(subscription.card_id, 3003);
  await subscription.moveTo('2040-02-10');
  const waiting = (await add(subscription, 500, 'Later')).body;
  await subscription.change({ quantity: 2 });
  await subscription.moveTo('2040-02-11');
  expect(await subscription.charges()).toMatchObject([
    ...[{ amount: 49_900 }, { amount: 50_900, status: 'failed' }, { amount: 50_900, status: 'completed' }],
  ]);
  expect(await list(subscription)).toEqual([waiting]);
  await subscription.moveTo('2040-03-10');
  expect((await amounts(subscription))[3]).toBe(100_300);
});

it.concurrent('extras that were not billed are listed when the subscription ends', async () => {
  const subscription = await billing.subscribe('2040-01-10');
  const extra = (await add(subscription, 700)).body;
  await subscription.remove();
  expect((await subscription.read()).extras).toEqual([extra]);
  const [event] = (await api.rest('GET', `/events?object_id=${subscription.id}&type=subscription.cancelled`)).body;
  expect(event.subscription).toMatchObject({ status: 'cancelled', extras: [extra] });
  expect(errorOf(await add(subscription, 100))).toBe(3006);
});

it.concurrent('extras fail with their errors', async () => {
  const subscription = await billing.subscribe('2040-01-10');
  for (const [amount, description] of [
    [0, 'x'],
    [9_999_999_999_999.99, 'x'],
    [1, ''],
    [1, 'x'.repeat(251)],
  ] as const)
    expect([1001, 1003]).toContain(errorOf(await add(subscription, amount, description)));
  await Promise.all(Array.from({ length: 20 }, (_, i) => add(subscription, i + 1)));
  const rows = Array.from({ length: 80 }, (_, i) => ({ id: `i${i}`, description: 'x', amount: 100 }));
  const extras = [
    ...(await list(subscription)).map((each: { amount: number }) => ({ ...each, amount: each.amount * 100 })),
    ...rows,
  ];
  expect(extras).toHaveLength(100);
  await api.database
    .db()
    .subscription.update({ where: { id: subscription.id }, data: { extras, version: { increment: 1 } } });
  const answer = await add(subscription, 1);
  expect([answer.status, errorOf(answer)]).toEqual([412, 3006]);
});

it.concurrent('credit left at the end is shown, listed, and returned once', async () => {
  const subscription = await billing.subscribe('2040-01-10', { quantity: 3 });
  await subscription.change({ quantity: 1, when: 'now' });
  expect((await subscription.read()).credit_balance).toBe(99_800);
  expect(errorOf(await returnCredit(subscription))).toBe(3006);
  await subscription.remove();
  const cancelled = await subscription.read();
  expect(cancelled).toMatchObject({ status: 'cancelled', credit_balance: 99_800 });
  const [event] = (await api.rest('GET', `/events?object_id=${subscription.id}&type=subscription.cancelled`)).body;
  expect(event.subscription).toMatchObject({ credit_balance: 99_800 });
  expect((await subscription.history()).summary).toContain('It has a credit of');
  const withCredit = async () =>
    (await api.rest('GET', `/customers/${subscription.customer_id}/subscriptions?status=cancelled&has_credit=true`))
      .body;
  expect(await withCredit()).toEqual([cancelled]);
  const once = () => returnCredit(subscription, { 'idempotency-key': `credit ${subscription.id}` });
  const [first, second] = [await once(), await once()];
  expect([first.status, second.body]).toEqual([200, first.body]);
  expect(first.body).not.toHaveProperty('credit_balance');
  expect(errorOf(await returnCredit(subscription))).toBe(3006);
  expect(await withCredit()).toEqual([]);
  expect((await subscription.lines()).at(-1)).toBe('credit_returned');
  expect((await shop.eventsOf(subscription.id)).at(-1)).toBe('subscription.changed');
});

it.concurrent('credit that is left pays later periods, first without a charge and then in part', async () => {
  const subscription = await billing.subscribe('2040-01-10', { quantity: 3 });
  await subscription.moveTo('2040-01-20');
  const before = await subscription.read();
  const expected = await subscription.preview({ change: { quantity: 1, when: 'now' } });
  expect(expected).toMatchObject({ charge_now: 0, credit: 101_409.68, credit_balance: 51_509.68 });
  expect(expected.charges.slice(0, 2).map(({ amount }: { amount: number }) => amount)).toEqual([0, 48_290.32]);
  const { body } = await subscription.change({ when: 'now', quantity: 1 });
  expect(body).toMatchObject({
    ...{ status: 'active', quantity: 1, credit_balance: 51_509.68, current_period_number: 2 },
    ...{ charge_date: '2040-02-20', transaction_id: before.transaction_id },
  });
  expect(await subscription.diary('2040-02-20', '2040-03-20')).toBe(
    trimDiary(`
      2040-02-20 | active 3 | next 2040-03-20
      2040-03-20 | active 4 | next 2040-04-20 | paid`),
  );
  expect((await subscription.charges())[1]).toMatchObject({ amount: 48_290.32, invoice: { credit: 1_609.68 } });
  expect(await subscription.read()).not.toHaveProperty('credit_balance');
  expect(await subscription.lines()).toEqual([
    ...['created', 'charged', 'plan_changed', 'covered', 'covered', 'charged'],
  ]);
  expect((await shop.eventsOf(subscription.id)).slice(2)).toEqual([
    ...['subscription.period.covered', 'subscription.changed', 'subscription.period.covered'],
  ]);
});
