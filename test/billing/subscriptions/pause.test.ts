/** Pauses: requested, resumed and previewed over REST and GraphQL, and billed by the workflow. */
import { eventually } from '../../harness/flow/until';
import { testBilling, trimDiary } from '../../harness/merchant/subscriptions';
import { errorOf } from '../../harness/servers/api';

const billing = testBilling();
const { api, shop } = billing;
type Subscribed = Awaited<ReturnType<typeof billing.subscribe>>;

const pause = ({ path }: Subscribed, body: object = {}) => shop.post(`${path}/pause`, body);
const resume = ({ path }: Subscribed) => shop.post(`${path}/resume`, {});
const preview = ({ path }: Subscribed, body: object) => shop.post(`${path}/preview`, body);
const eventsOf = async ({ id }: Subscribed): Promise<string[]> =>
  (await api.rest('GET', `/events?object_id=${id}&limit=50`)).body.map(({ type }: { type: string }) => type).reverse();

it.concurrent('a pause begins when the paid period ends, and a resumption charges a new period at once', async () => {
  const subscription = await billing.subscribe('2040-01-10');
  expect(await subscription.read()).not.toHaveProperty('pause');
  expect((await preview(subscription, { pause: {} })).body).toEqual({
    charge_now: 0,
    credit: 0,
    credit_balance: 0,
    next_charge_date: null,
    charges: [],
  });
  const paused = await pause(subscription);
  expect(paused).toMatchObject({ status: 200, body: { status: 'active', charge_date: '2040-02-10' } });
  expect(paused.body.pause).toEqual({ since: '2040-02-10', resume_date: null });
  expect(await subscription.diary('2040-02-09', '2040-02-10', '2040-05-20')).toBe(
    trimDiary(`
      2040-02-09 | active 1 | next 2040-02-10
      2040-02-10 | active 1 | next 2040-02-10
      2040-05-20 | active 1 | next 2040-02-10
    `),
  );
  expect((await subscription.history()).next).toBe('Nothing is charged until the subscription is resumed.');
  await eventually(async () => expect((await subscription.details())[0]).toMatch(/^\*\*active\*\*, period 1, paused$/));
  const planned = (await preview(subscription, { resume: true })).body;
  expect(planned).toMatchObject({ charge_now: 49_900, next_charge_date: '2040-05-20' });
  expect(planned.charges[1]).toMatchObject({ charge_date: '2040-06-20' });
  expect((await resume(subscription)).body).toMatchObject({
    ...{ status: 'active', current_period_number: 2, charge_date: '2040-06-20', period_end_date: '2040-06-19' },
  });
  expect(await subscription.read()).not.toHaveProperty('pause');
  expect(await subscription.diary('2040-06-20')).toBe('2040-06-20 | active 3 | next 2040-07-20 | paid');
  expect(await eventsOf(subscription)).toEqual([
    ...['subscription.created', 'subscription.activated', 'subscription.paused', 'subscription.resumed'],
  ]);
  const entries = (await subscription.history()).entries.map(({ event }: { event: string }) => event);
  expect(entries).toEqual(['created', 'charged', 'pause_requested', 'resumed', 'charged', 'charged']);
});

it.concurrent('a pause of a trial resumes by itself on its day, from which later periods are counted', async () => {
  const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 5 } });
  const answer = await pause(subscription, { resume_date: '2040-01-31' });
  expect(answer.body).toMatchObject({ charge_date: '2040-01-31', pause: { since: '2040-01-15' } });
  expect(await subscription.diary('2040-01-30', '2040-01-31', '2040-02-29', '2040-03-31')).toBe(
    trimDiary(`
      2040-01-30 | trial 0 | next 2040-01-31
      2040-01-31 | active 1 | next 2040-02-29 | paid
      2040-02-29 | active 2 | next 2040-03-31 | paid
      2040-03-31 | active 3 | next 2040-04-30 | paid
    `),
  );
});

it.concurrent('a pause is replaced, and withdrawn before it begins', async () => {
  const subscription = await billing.subscribe('2040-01-10');
  await pause(subscription, { resume_date: '2040-03-01' });
  expect((await pause(subscription, { resume_date: '2040-04-01' })).body.charge_date).toBe('2040-04-01');
  expect((await preview(subscription, { resume: true })).body).toMatchObject({
    ...{ charge_now: 0, next_charge_date: '2040-02-10' },
  });
  expect((await resume(subscription)).body.charge_date).toBe('2040-02-10');
  expect(await subscription.diary('2040-02-10')).toBe('2040-02-10 | active 2 | next 2040-03-10 | paid');
  expect((await subscription.history()).entries.map(({ event }: { event: string }) => event)).toContain(
    'pause_withdrawn',
  );
});

it.concurrent('a declined resumption leaves it past due, and cancelling ends a pause', async () => {
  const subscription = await billing.subscribe('2040-01-10');
  await pause(subscription);
  await subscription.moveTo('2040-03-01');
  await shop.script(subscription.card_id, 3003);
  expect((await resume(subscription)).body).toMatchObject({
    status: 'past_due',
    error_code: 3003,
    charge_date: '2040-04-01',
  });
  const other = await billing.subscribe('2040-01-10');
  await pause(other);
  expect((await other.remove()).status).toBe(204);
  expect(await other.read()).not.toHaveProperty('pause');
});

it.concurrent('fails with its errors and changes nothing', async () => {
  const subscription = await billing.subscribe('2040-01-10');
  const before = await subscription.read();
  expect(errorOf(await resume(subscription))).toBe(3006);
  expect(errorOf(await pause(subscription, { resume_date: '2040-02-09' }))).toBe(1003);
  expect(errorOf(await pause(subscription, { resume_date: '2043-02-09' }))).toBe(1003);
  expect(errorOf(await pause(subscription, { resume_date: 'soon' }))).toBe(1001);
  for (const wrong of [{}, { resume: false }, { pause: {}, resume: true }])
    expect(errorOf(await preview(subscription, wrong))).toBe(1003);
  expect(errorOf(await preview(subscription, { resume: true }))).toBe(3006);
  const { private_key: key } = api.merchants().other;
  const mutation = 'mutation ($id: ID!) { pauseSubscription(subscription_id: $id, pause: {}) { id } }';
  expect(errorOf(await api.graphql(mutation, { id: subscription.id }, { key }))).toBe(1005);
  expect(await subscription.read()).toEqual(before);
});

it.concurrent('fifty resumptions at once charge one period', async () => {
  const subscription = await billing.subscribe('2040-01-10');
  await pause(subscription);
  await subscription.moveTo('2040-03-01');
  const answers = await Promise.all(Array.from({ length: 50 }, () => resume(subscription)));
  const codes = new Set(answers.map(answer => (answer.status === 200 ? 200 : errorOf(answer))));
  expect([...codes].every(code => code === 200 || code === 3006 || code === 1011 || code === 1010)).toBe(true);
  await subscription.becomes({ status: 'active', current_period_number: 2 });
  expect((await subscription.journal()).filter(({ outcome }) => outcome === 'approved')).toHaveLength(2);
});

it.concurrent('pauses, resumptions, card changes and a cancellation at once leave one of their states', async () => {
  const subscription = await billing.subscribe('2040-01-10');
  const answers = await Promise.all([
    ...Array.from({ length: 15 }, () => pause(subscription, { resume_date: '2040-06-01' })),
    ...Array.from({ length: 15 }, () => resume(subscription)),
    ...Array.from({ length: 3 }, () => subscription.put({ source_id: subscription.card_id })),
    subscription.remove(),
  ]);
  for (const answer of answers) if (answer.status >= 400) expect([3006, 1010, 1011]).toContain(errorOf(answer));
  expect(await subscription.read()).toMatchObject({ status: 'cancelled', current_period_number: 1 });
  expect(await subscription.read()).not.toHaveProperty('pause');
  expect(await subscription.charges()).toHaveLength(1);
});

it.concurrent('a repeated resumption with its key answers as the first one, also for GraphQL', async () => {
  const subscription = await billing.subscribe('2040-01-10');
  const mutation = `mutation ($id: ID!) { pauseSubscription(subscription_id: $id, pause: { resume_date: "2040-06-01" }) {
    pause { since resume_date } } }`;
  const { body } = await api.graphql(mutation, { id: subscription.id });
  expect(body.data.pauseSubscription.pause).toEqual({ since: '2040-02-10', resume_date: '2040-06-01' });
  await subscription.moveTo('2040-03-01');
  const once = () =>
    api.rest('POST', `${subscription.path}/resume`, { body: {}, headers: { 'idempotency-key': subscription.id } });
  const [first, second] = [await once(), await once()];
  expect([first.status, second.body]).toEqual([200, first.body]);
  expect(await subscription.charges()).toHaveLength(2);
});
