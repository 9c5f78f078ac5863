/** Subscriptions of a suspended merchant pause, and lose neither a period nor a retry. */
import { chargePeriod } from '../../../src/billing/subscriptions/billing/attempt';
import { repairSubscriptions } from '../../../src/billing/subscriptions/billing/maintenance/repair';
import { nudgeOverdue, nudgeOverdueInSandbox } from '../../../src/billing/subscriptions/billing/maintenance/rows';
import { nextActionOf } from '../../../src/billing/subscriptions/billing/snapshot';
import { reloadSubscription } from '../../../src/billing/subscriptions/rows';
import type { HttpAcquirer } from '../../../src/gateway/acquirer/client';
import { drainOutbox } from '../../../src/operations/background/outbox';
import { outboxHandlers } from '../../../src/operations/background/outboxHandlers';
import { BOTH_ENVIRONMENTS } from '../../../src/platform/database/environments';
import { eventually } from '../../harness/flow/until';
import { testBilling } from '../../harness/merchant/subscriptions';
import { suspension } from '../../harness/merchant/suspension';
import { errorOf } from '../../harness/servers/api';

const billing = testBilling({ ownWorld: true });
const { api, shop, subscribe } = billing;
const { suspend, resume } = suspension(api);
const db = () => api.database.db();

describe('while the merchant is suspended', () => {
  it('nothing is charged, clock moves finish, operators see why, and each period is charged once after resumption', async () => {
    const subscription = await subscribe('2040-01-10');
    const trial = await subscribe('2040-01-10', { plan: { trial_days: 5 } });
    await suspend('Documents are missing');
    for (const each of [subscription, trial]) await each.moveTo('2040-03-15');
    expect(await subscription.read()).toMatchObject({
      status: 'active',
      current_period_number: 1,
      charge_date: '2040-02-10',
    });
    expect(await trial.read()).toMatchObject({ status: 'trial', current_period_number: 0 });
    expect([(await subscription.charges()).length, (await trial.charges()).length]).toEqual([1, 0]);
    expect((await subscription.history()).next).toMatch(/^The merchant is suspended/);
    const words = 'charge period 2 (paused, the merchant is suspended: Documents are missing)';
    await eventually(async () => {
      expect(await subscription.details()).toContain(`next: ${words}, when the merchant is resumed`);
      // It sleeps and adds nothing to its history.
      const { executionTime } = await subscription.workflow().describe();
      expect(executionTime?.getTime()).toBeGreaterThan(Date.now() + 300 * 86_400_000);
    });

    await resume();
    await subscription.becomes({ status: 'active', current_period_number: 3, charge_date: '2040-04-10' });
    await trial.becomes({ status: 'active', current_period_number: 3, charge_date: '2040-04-15' });
    expect(
      (await subscription.charges()).map(({ creation_date }: { creation_date: string }) => creation_date.slice(0, 10)),
    ).toEqual(['2040-01-10', '2040-03-15', '2040-03-15']);
    expect(await subscription.journal()).toHaveLength(3);
    expect((await subscription.history()).next).toMatch(/^Period 4 is charged on 2040-04-10/);
  });

  it('no retry is used up, and the next retry follows the resumption', async () => {
    const subscription = await subscribe('2040-01-10', { card: '4000000000000341', plan: { retry_times: 2 } });
    expect(await subscription.read()).toMatchObject({
      status: 'past_due',
      retries_left: 2,
      next_retry_date: '2040-01-11',
    });
    await suspend();
    await subscription.moveTo('2040-01-20');
    expect(await subscription.read()).toMatchObject({
      status: 'past_due',
      retries_left: 2,
      next_retry_date: '2040-01-11',
    });
    await resume();
    await subscription.becomes({ status: 'past_due', retries_left: 1, next_retry_date: '2040-01-21' });
  });

  it('an unpaid subscription is not cancelled, and has time for a new card after the resumption', async () => {
    const subscription = await subscribe('2040-01-10', { card: '4000000000000341', plan: { retry_times: 0 } });
    const other = await subscribe('2040-01-10', { card: '4000000000000341', plan: { retry_times: 0 } });
    expect(await subscription.read()).toMatchObject({ status: 'unpaid' });
    const deadline = async (id: string) =>
      (await db().subscription.findUniqueOrThrow({ where: { id } })).due_at.getTime();
    const before = await deadline(other.id);
    await suspend();
    await subscription.moveTo('2040-06-01');
    expect(await subscription.read()).toMatchObject({ status: 'unpaid' });
    // Simulates a suspension that began a day ago.
    await db().merchant.updateMany({ data: { suspended_at: new Date(Date.now() - 86_400_000) } });
    await resume();
    expect((await deadline(other.id)) - before).toBeGreaterThanOrEqual(86_400_000);
    expect((await deadline(other.id)) - before).toBeLessThan(90_000_000);
    await subscription.moveTo('2040-06-05');
    expect(await subscription.read()).toMatchObject({ status: 'unpaid' });
    const card = await shop.newCard(`/customers/${subscription.customer_id}/cards`);
    expect((await subscription.put({ source_id: card })).body).toMatchObject({ status: 'active' });
  });

  it('a subscription can be cancelled, at once or at the end of its period, but gets no card, trial or retry', async () => {
    const ending = await subscribe('2040-01-10');
    const deleted = await subscribe('2040-01-10');
    const trial = await subscribe('2040-01-10', { plan: { trial_days: 5 } });
    const card = await shop.newCard(`/customers/${ending.customer_id}/cards`, '5555555555554444');
    await suspend();
    expect((await ending.put({ cancel_at_period_end: true })).body).toMatchObject({ cancel_at_period_end: true });
    // Clients send the whole object that they received.
    expect((await ending.put(await ending.read())).status).toBe(200);
    expect((await deleted.remove()).status).toBe(204);
    for (const refused of [
      await ending.put({ source_id: card }),
      await trial.put({ trial_end_date: '2040-01-20' }),
      await shop.post(`${trial.path}/retry`, {}),
    ])
      expect([refused.status, errorOf(refused)]).toEqual([423, 1008]);
    await ending.moveTo('2040-02-11');
    expect(await ending.read()).toMatchObject({ status: 'cancelled' });
    expect(await trial.read()).toMatchObject({ trial_end_date: trial.created.trial_end_date });
    await resume();
  });
});

describe('a suspension', () => {
  it('during a charge does not discard the outcome of the charge', async () => {
    const subscription = await subscribe('2040-01-10', { plan: { trial_days: 1 } });
    const { release, count } = api.acquirer.hold('/charge');
    const moving = billing.moveClock('2040-01-12', { subscription_id: subscription.id });
    await eventually(async () => expect(count()).toBe(1));
    await suspend();
    release();
    expect((await moving).status).toBe(200);
    expect(await subscription.read()).toMatchObject({ status: 'active', current_period_number: 1 });
    await resume();
  });

  it('during an attempt without a response reverses it, and charges again after the resumption', async () => {
    const subscription = await subscribe('2040-01-10', { card: '4000000000000341', plan: { retry_times: 0 } });
    expect(await subscription.read()).toMatchObject({ status: 'unpaid' });
    const card = await shop.newCard(`/customers/${subscription.customer_id}/cards`);
    await shop.script(card, ...Array(20).fill('timeout'));
    const answering = subscription.put({ source_id: card });
    await eventually(async () => expect(await subscription.charges()).toHaveLength(2));
    await suspend();
    await answering;
    await eventually(async () =>
      expect(await subscription.journal()).toContainEqual(expect.objectContaining({ operation: 'reverse' })),
    );
    await eventually(async () => expect((await subscription.charges()).at(-1)).toMatchObject({ status: 'failed' }));
    await api.acquirer.script(card);
    await resume();
    await subscription.becomes({ status: 'active', current_period_number: 1 });
  });

  it('during a charge without a response only queries it; the charge is made once after the resumption', async () => {
    const subscription = await subscribe('2040-01-10', { plan: { trial_days: 1 } });
    await shop.script(subscription.card_id, ...Array(20).fill('timeout'));
    const moving = billing.moveClock('2040-01-12', { subscription_id: subscription.id });
    await eventually(async () => expect(await subscription.charges()).toHaveLength(1));
    await suspend();
    expect((await moving).status).toBe(200);
    expect(await subscription.journal()).toMatchObject([{ operation: 'reverse' }]);
    expect(await subscription.read()).toMatchObject({ status: 'trial', current_period_number: 0 });
    await api.acquirer.script(subscription.card_id);
    await resume();
    await subscription.becomes({ status: 'active', current_period_number: 1 });
    expect((await subscription.journal()).map(({ operation }) => operation)).toEqual(['reverse', 'charge']);
  });

  it('after the row was read but before the charge was written prevents the charge', async () => {
    const subscription = await subscribe('2040-01-10', { plan: { trial_days: 5 } });
    const row = await reloadSubscription(db(), subscription.id);
    const next = nextActionOf(row);
    if (next.do !== 'charge') throw new Error(next.do);
    await suspend();
    const acquirer = undefined as unknown as HttpAcquirer;
    const fraud = undefined as never;
    expect(await chargePeriod({ db: db(), acquirer, fraud }, row, next.attempt, next.at)).toBeUndefined();
    expect(await subscription.charges()).toEqual([]);
    expect((await reloadSubscription(db(), subscription.id)).version).toBe(row.version);
    await resume();
  });
});

it('the sweep does not touch the paused workflows', async () => {
  const subscription = await subscribe('2040-01-10', { plan: { trial_days: 5 } });
  await subscription.waitForWorkflow();
  await suspend();
  const repair = () => repairSubscriptions(db(), billing.namespace.client());
  const data = { due_at: new Date(Date.now() - 3_600_000) };
  await db().subscription.update({ where: { id: subscription.id }, data });
  expect(await nudgeOverdue(db(), BOTH_ENVIRONMENTS, [])).toBe(0);
  expect(await nudgeOverdueInSandbox(db(), [])).toBe(0);
  // Temporal's list lags by a moment, and workflows that are not in it appear to be lost.
  await eventually(async () => expect(await repair()).toEqual({ count: 0 }));
  await resume();
  await subscription.becomes({ status: 'active' });
});

it('the end of a suspension spreads the due renewals over time', async () => {
  await Promise.all(billing.workers.splice(0).map(worker => worker.stop()));
  const { id } = await subscribe('2040-01-10', { plan: { trial_days: 5 } });
  await suspend();
  // Copies of the subscription, all overdue.
  await db().$executeRaw`
    insert into subscriptions select (jsonb_populate_record(s, jsonb_build_object('id', 's' || translate(lpad(n::text, 19, '0'), '0123456789', 'abcdefghij'),
      'due_at', now() - interval '1 day'))).* from subscriptions s, generate_series(1, 2500) n where s.id = ${id}`;
  await db().outbox.deleteMany();
  await resume();
  while ((await drainOutbox(db(), outboxHandlers('database', { db: db() }))) > 0);
  const [spread] = await db().$queryRaw<{ nudges: number; seconds: number; moments: number }[]>`
    select count(distinct object_id)::integer as nudges, extract(epoch from max(again_at) - now())::integer as seconds,
      count(distinct date_trunc('second', again_at))::integer as moments
    from outbox where kind = 'nudge'`;
  expect(spread?.nudges).toBeGreaterThanOrEqual(2500);
  expect(spread?.seconds).toBeGreaterThan(400);
  expect(spread?.seconds).toBeLessThan(7200);
  expect(spread?.moments).toBeGreaterThan(300);
  await db().outbox.deleteMany();
});
