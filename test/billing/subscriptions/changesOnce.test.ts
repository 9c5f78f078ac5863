/** Changes that coincide with each other, with renewals and requests, and with crashes: money moves once. */
import { makeLookupDue } from '../../../src/billing/subscriptions/operating/rows';
import { reloadSubscription } from '../../../src/billing/subscriptions/rows';
import { eventually } from '../../harness/flow/until';
import { type TestSubscription, testBilling } from '../../harness/merchant/subscriptions';
import { type ApiResponse, basic, errorOf } from '../../harness/servers/api';
import { startApi } from '../../harness/servers/apiProgram';
import { bookDifferences } from '../../harness/servers/damage';

const billing = testBilling({ ownWorld: true });
const { api, shop } = billing;
const db = () => api.database.db();
const PRICE = 49_900;

const atOnce = <T>(count: number, work: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)));
const outcomeOf = (answer: ApiResponse): number => (answer.status < 300 ? 200 : errorOf(answer));
const outcomesOf = (answers: ApiResponse[]): number[] => [...new Set(answers.map(outcomeOf))].sort();

/** Each charge was sent once, at most one for a period was paid, and only reversed ones failed without an answer. */
async function expectOnce(subscription: TestSubscription): Promise<number> {
  const charges = await subscription.charges();
  const paid = charges.filter(({ status }: { status: string }) => status === 'completed');
  const journal = await subscription.journal();
  const reversed = new Set(journal.filter(({ operation }) => operation === 'reverse').map(({ key }) => key));
  const kept = journal.filter(
    ({ operation, outcome, key }) => operation === 'charge' && outcome === 'approved' && !reversed.has(key),
  );
  expect(kept.map(({ key }) => key).sort()).toEqual(paid.map(({ id }: { id: string }) => id).sort());
  return paid.reduce((sum: number, { amount }: { amount: number }) => sum + Math.round(amount * 100), 0) / 100;
}

it.concurrent('fifty identical changes with one key charge once and return one response', async () => {
  const subscription = await billing.subscribe('2040-01-10');
  const headers = { 'idempotency-key': `fifty ${subscription.id}` };
  const answers = await atOnce(50, () => subscription.change({ quantity: 2, when: 'now' }, headers));
  expect(new Set(answers.map(({ text }) => text))).toEqual(new Set([answers[0]?.text]));
  expect(answers[0]).toMatchObject({ status: 200, body: { quantity: 2, current_period_number: 2 } });
  expect(await expectOnce(subscription)).toBe(2 * PRICE);
});

it.concurrent('fifty identical changes without a key charge once', async () => {
  const subscription = await billing.subscribe('2040-01-10');
  const answers = await atOnce(50, () => subscription.change({ quantity: 2, when: 'now' }));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect([200, 1003, 1010, 1011, 3006]).toEqual(expect.arrayContaining(outcomesOf(answers)));
  expect(await subscription.read()).toMatchObject({ quantity: 2, current_period_number: 2 });
  expect(await expectOnce(subscription)).toBe(2 * PRICE);
});

it.concurrent('changes of one day at once cost as much as the last one', async () => {
  const subscription = await billing.subscribe('2040-01-10');
  const answers = await atOnce(20, i => subscription.change({ quantity: 2 + i, when: 'now' }));
  expect([200, 1010, 1011, 3006]).toEqual(expect.arrayContaining(outcomesOf(answers)));
  const { quantity, credit_balance = 0, current_period_number } = await subscription.read();
  expect(current_period_number).toBe(1 + answers.filter(({ status }) => status === 200).length);
  expect((await expectOnce(subscription)) - credit_balance).toBeCloseTo(quantity * PRICE, 2);
});

it.concurrent('changes and the renewal that is due make one charge each', async () => {
  const subscription = await billing.subscribe('2040-01-10');
  const [moved, ...answers] = await Promise.all([
    billing.moveClock('2040-02-10T23:00:00-05:00', { subscription_id: subscription.id }),
    ...Array.from({ length: 8 }, (_, i) => subscription.change({ quantity: 2 + i, when: 'now' })),
  ]);
  expect(moved.status).toBe(200);
  expect([200, 1010, 1011, 3006]).toEqual(expect.arrayContaining(outcomesOf(answers)));
  const { status, current_period_number, charge_date } = await subscription.read();
  const changes = answers.filter(answer => answer.status === 200).length;
  expect({ status, charge_date }).toEqual({ status: 'active', charge_date: '2040-03-10' });
  expect(current_period_number).toBe(2 + changes);
  await expectOnce(subscription);
});

it.concurrent('changes, pauses, card changes and a cancellation at once leave one of their states', async () => {
  const subscription = await billing.subscribe('2040-01-10');
  const other = await shop.newCard(`/customers/${subscription.customer_id}/cards`, '5555555555554444');
  const answers = await Promise.all([
    ...Array.from({ length: 10 }, (_, i) =>
      subscription.change({ quantity: 2 + i, when: i % 2 ? 'now' : 'period_end' }),
    ),
    ...Array.from({ length: 5 }, () => shop.post(`${subscription.path}/pause`, {})),
    ...Array.from({ length: 5 }, () => shop.post(`${subscription.path}/extras`, { description: 'x', amount: 100 })),
    ...Array.from({ length: 3 }, () => subscription.put({ source_id: other })),
    subscription.remove(),
  ]);
  expect([200, 1010, 1011, 3006]).toEqual(expect.arrayContaining(outcomesOf(answers)));
  await eventually(async () => expect((await reloadSubscription(db(), subscription.id)).open).toBeNull());
  const { status, current_period_number } = await subscription.read();
  expect(status).toBe('cancelled');
  const charges = (await subscription.charges()).filter((charge: { status: string }) => charge.status === 'completed');
  expect(charges).toHaveLength(current_period_number);
  await expectOnce(subscription);
});

describe('while the charge of a change is in flight', () => {
  /** A change whose charge waits at the acquirer. */
  const inFlight = async () => {
    const subscription = await billing.subscribe('2040-01-10');
    const { release } = api.acquirer.hold('/charge');
    const answer = subscription.change({ quantity: 2, when: 'now' });
    await eventually(async () => expect(await subscription.charges()).toHaveLength(2));
    return { subscription, answer, release };
  };

  it('changes of its price wait, and a pause and another card take effect', async () => {
    const { subscription, answer, release } = await inFlight();
    const other = await shop.newCard(`/customers/${subscription.customer_id}/cards`, '5555555555554444');
    for (const when of ['now', 'period_end'])
      expect(errorOf(await subscription.change({ quantity: 3, when }))).toBe(3006);
    expect(errorOf(await shop.post(`${subscription.path}/extras`, { description: 'x', amount: 100 }))).toBe(3006);
    expect(await subscription.read()).toMatchObject({ quantity: 1, current_period_number: 1 });
    expect((await shop.post(`${subscription.path}/pause`, {})).status).toBe(200);
    const withOther = subscription.put({ source_id: other });
    await subscription.becomes({ card: { id: other } });
    release();
    expect((await withOther).status).toBe(200);
    expect(await answer).toMatchObject({
      status: 200,
      body: { quantity: 2, current_period_number: 2, card: { id: other }, pause: { since: '2040-02-10' } },
    });
    expect(await expectOnce(subscription)).toBe(2 * PRICE);
    expect(await subscription.diary('2040-02-10')).toBe('2040-02-10 | active 2 | next 2040-02-10');
  });

  it('a cancellation keeps what was paid', async () => {
    const { subscription, answer, release } = await inFlight();
    expect((await subscription.remove()).status).toBe(204);
    release();
    expect((await answer).body).toMatchObject({ status: 'cancelled', quantity: 2, current_period_number: 2 });
    expect(await expectOnce(subscription)).toBe(2 * PRICE);
  });
});

it('an API that is killed during charges of changes leaves each change made once, or not at all', async () => {
  const [before, after] = [await billing.subscribe('2040-01-10'), await billing.subscribe('2040-01-10')];
  const { url: ACQUIRER_URL } = api.acquirer.credentials();
  const { program, origin } = await startApi({ DATABASE_URL: api.database.url(), ACQUIRER_URL });
  const { id, private_key } = api.merchants().own;
  const body = { quantity: 2, when: 'now' };
  const keyOf = (subscription: TestSubscription) => ({ 'idempotency-key': `killed ${subscription.id}` });
  const change = (subscription: TestSubscription) =>
    fetch(`${origin}/v1/${id}${subscription.path}/change`, {
      method: 'POST',
      headers: { authorization: basic(private_key), ...keyOf(subscription) },
      body: JSON.stringify(body),
    }).catch(() => 'lost');
  // The acquirer has this charge when the API is killed, and gets the other one later.
  await shop.script(after.card_id, 'slow');
  const answers = [change(after)];
  await eventually(async () => expect(await after.journal()).toHaveLength(2));
  const held = api.acquirer.hold('/charge');
  answers.push(change(before));
  await eventually(async () => expect(await before.charges()).toHaveLength(2));
  await program.stop('SIGKILL');
  expect((await Promise.all(answers))[1]).toBe('lost');
  held.release();
  for (const subscription of [before, after]) {
    const row = await reloadSubscription(db(), subscription.id);
    await db().$transaction(tx => makeLookupDue(tx, row, row.open?.transaction_id ?? ''));
    await eventually(async () => expect((await reloadSubscription(db(), subscription.id)).open).toBeNull());
    const { 'idempotency-key': key } = keyOf(subscription);
    await db().idempotentReply.updateMany({ where: { key }, data: { lease_until: new Date(0) } });
    const repeated = await subscription.change(body, keyOf(subscription));
    expect(repeated).toMatchObject({ status: 200, body: { quantity: 2, current_period_number: 2 } });
    expect(await expectOnce(subscription)).toBe(2 * PRICE);
    expect(await subscription.diary('2040-02-10')).toBe('2040-02-10 | active 3 | next 2040-03-10 | paid');
  }
});

it('a lost workflow is rebuilt from the row of a changed, discounted and paused subscription', async () => {
  const { id: coupon } = (await shop.post('/coupons', { code: 'LOST', percent_off: 50, duration: 'forever' })).body;
  const subscription = await billing.subscribe('2040-01-10');
  await subscription.waitForWorkflow();
  await subscription.change({ quantity: 2, when: 'now', coupon });
  await subscription.change({ plan_id: await shop.newPlan({ amount: 30_000 }) });
  await shop.post(`${subscription.path}/extras`, { description: 'x', amount: 1_000 });
  await shop.post(`${subscription.path}/pause`, { resume_date: '2040-02-20' });
  await subscription.workflow().terminate('lost');
  await eventually(async () => {
    await billing.namespace.client().schedule.getHandle('sweep').trigger();
    expect((await subscription.workflow().describe()).status.name).toBe('RUNNING');
  });
  await subscription.moveTo('2040-02-20');
  expect(await subscription.read()).toMatchObject({ status: 'active', quantity: 2, charge_date: '2040-03-20' });
  expect((await subscription.charges()).at(-1)).toMatchObject({
    ...{ amount: 31_000, status: 'completed', invoice: { full_amount: 60_000, discount: 30_000 } },
  });
});

it('the books and the journal of the acquirer agree', async () => {
  expect(await bookDifferences(api)).toEqual([]);
});
