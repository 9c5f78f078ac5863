/** While billing is on hold no automatic charge is made and nothing is lost; afterwards each period is charged once. */
import { endHold } from '../../../src/billing/holds/hold';
import { chargePeriod } from '../../../src/billing/subscriptions/billing/attempt';
import { openQuery, repairSubscriptions } from '../../../src/billing/subscriptions/billing/maintenance/repair';
import { nextActionOf } from '../../../src/billing/subscriptions/billing/snapshot';
import { reloadSubscription } from '../../../src/billing/subscriptions/rows';
import type { HttpAcquirer } from '../../../src/gateway/acquirer/client';
import { BOTH_ENVIRONMENTS } from '../../../src/platform/database/environments';
import { formatMoment } from '../../../workflows/calendar';
import { eventually } from '../../harness/flow/until';
import { operatorCommands } from '../../harness/merchant/operatorCommands';
import { type TestSubscription, testBilling } from '../../harness/merchant/subscriptions';

const billing = testBilling({ ownWorld: true });
const { api, shop, subscribe, namespace } = billing;
const db = () => api.database.db();
const run = operatorCommands(() => ({ db: db(), secret: api.secret, temporal: namespace.client() }));
const hold = (id: string, ...more: string[]) => run('hold', id, '--reason', 'Wrong prices', ...more, '--yes');
const release = (id: string, ...more: string[]) => run('release', id, '--reason', 'Mended', ...more, '--yes');

const newTrial = () => subscribe('2040-01-10', { plan: { trial_days: 1 } });
const state = ({ id }: TestSubscription) => db().subscription.findUniqueOrThrow({ where: { id } });

describe('a hold on an object', () => {
  it.each([
    ['subscription', ({ id }: TestSubscription) => [id]],
    ['customer', ({ customer_id }: TestSubscription) => [customer_id]],
    ['plan', ({ created }: TestSubscription) => [created.plan_id]],
    ['merchant', () => [api.merchants().own.id]],
    ['everything', () => ['everything', '--environment', 'sandbox']],
  ] as const)('a held %s is charged once for each period, after the release', async (scope, targetOf) => {
    const held = await newTrial();
    const target = targetOf(held) as [string, ...string[]];
    expect((await hold(...target)).json).toMatchObject({ done: true, scope, environment: 'sandbox' });
    await held.moveTo('2040-02-15');
    expect(await held.read()).toMatchObject({ status: 'trial', current_period_number: 0 });
    expect(await held.charges()).toEqual([]);
    expect((await release(...target, '--over', '0s')).json).toMatchObject({ done: true });
    await held.becomes({ status: 'active', current_period_number: 2, charge_date: '2040-03-11' });
    expect((await held.journal()).map(({ operation }) => operation)).toEqual(['charge', 'charge']);
  });

  it('does not delay other subscriptions', async () => {
    const [held, other] = [await newTrial(), await newTrial()];
    await hold(held.id);
    await other.moveTo('2040-01-12');
    expect(await other.read()).toMatchObject({ status: 'active', current_period_number: 1 });
    await release(held.id);
  });

  it('ends for a subscription only when no other hold covers it', async () => {
    const held = await newTrial();
    await hold(held.id);
    await hold(held.customer_id);
    await held.moveTo('2040-01-12');
    await release(held.customer_id);
    await eventually(async () => expect(await db().outbox.count()).toBe(0));
    expect(await held.charges()).toEqual([]);
    await release(held.id);
    await held.becomes({ status: 'active', current_period_number: 1 });
  });
});

describe('during a hold', () => {
  it('operators see the reason, the sweep leaves the workflow alone, and merchants see no reason', async () => {
    const held = await newTrial();
    await held.waitForWorkflow();
    expect((await held.history()).next).toMatch(/^Period 1 is charged on 2040-01-11/);
    await hold(held.id);
    expect((await held.history()).next).toMatch(/^Period 1 is charged on 2040-01-11/);
    await held.moveTo('2040-01-12');
    expect((await held.history()).next).toMatch(/^Automatic charges are paused/);
    const action = 'charge period 1 (held by command line: Wrong prices)';
    await eventually(async () =>
      expect(await held.details()).toContain(`next: ${action}, when its billing is released`),
    );
    await db().subscription.update({
      where: { id: held.id },
      data: { due_at: new Date(Date.now() - 7_200_000) },
    });
    await eventually(async () => expect(await db().outbox.count()).toBe(0));
    // Temporal's list lags by a moment: the sweep would start workflows that it does not show yet.
    const needed = await db().subscription.count({ where: { status: { notIn: ['new', 'cancelled'] } } });
    await eventually(async () => {
      const { count } = await namespace.client().workflow.count(openQuery(BOTH_ENVIRONMENTS));
      expect(count).toBeGreaterThanOrEqual(needed);
    });
    expect(await repairSubscriptions(db(), namespace.client())).toEqual({ count: 0 });
    expect((await run('overdue')).json.overdue).toContainEqual(
      expect.objectContaining({ id: held.id, reason: 'held', details: 'Wrong prices' }),
    );
    const story = (await run('story', held.id)).text;
    expect(story).toContain('held by command line: Wrong prices');
    expect(story).toMatch(/ audit log +billing.held of \w+ by operator command line/);
    await release(held.id);
    await held.becomes({ status: 'active' });
  });

  it('no automatic retry is made or used up, but a retry of the merchant is made', async () => {
    const held = await subscribe('2040-01-10', { card: '4000000000000341', plan: { retry_times: 2 } });
    await hold(held.id);
    await held.moveTo('2040-01-20');
    expect(await held.read()).toMatchObject({
      status: 'past_due',
      retries_left: 2,
      next_retry_date: '2040-01-11',
    });
    expect((await shop.post(`${held.path}/retry`, {})).body).toMatchObject({
      status: 'past_due',
      retries_left: 2,
    });
    expect(await held.charges()).toHaveLength(2);
    await release(held.id);
    await held.becomes({ status: 'past_due', retries_left: 1, next_retry_date: '2040-01-21' });
    expect(await held.charges()).toHaveLength(3);
  });

  it('a new card pays the open period, new subscriptions begin, and requested cancellations take effect', async () => {
    const held = await subscribe('2040-01-10', { card: '4000000000000341' });
    const ending = await subscribe('2040-01-10');
    await ending.put({ cancel_at_period_end: true });
    await hold(api.merchants().own.id);
    const card = await shop.newCard(`/customers/${held.customer_id}/cards`);
    expect((await held.put({ source_id: card })).body).toMatchObject({
      status: 'active',
      current_period_number: 1,
    });
    expect((await subscribe('2040-01-10')).created).toMatchObject({ status: 'active', current_period_number: 1 });
    await ending.moveTo('2040-02-11');
    expect(await ending.read()).toMatchObject({ status: 'cancelled' });
    await release(api.merchants().own.id);
  });

  it('an unpaid subscription is not cancelled, and has the remaining time after the release', async () => {
    const options = { card: '4000000000000341', plan: { retry_times: 0 } };
    const [held, other] = [await subscribe('2040-01-10', options), await subscribe('2040-01-10', options)];
    expect(await held.read()).toMatchObject({ status: 'unpaid' });
    const { due_at } = await state(other);
    for (const each of [held, other]) await hold(each.id);
    await held.moveTo('2040-06-01');
    expect(await held.read()).toMatchObject({ status: 'unpaid' });
    // Simulates a hold that began a day ago.
    await db().billingHold.updateMany({ data: { held_at: new Date(Date.now() - 86_400_000) } });
    for (const each of [held, other]) await release(each.id);
    const addedMs = (await state(other)).due_at.getTime() - due_at.getTime();
    expect([addedMs >= 86_400_000, addedMs < 90_000_000]).toEqual([true, true]);
    await held.moveTo('2040-06-05');
    expect(await held.read()).toMatchObject({ status: 'unpaid' });
  });
});

it('a hold with an end time is released automatically, and its charges are made even if the worker was killed', async () => {
  const held = await newTrial();
  const until = new Date(Math.floor(Date.now() / 1000) * 1000 + 86_400_000);
  await hold(held.id, '--until', until.toISOString());
  await held.moveTo('2040-01-12');
  await eventually(async () =>
    expect(await held.details()).toContainEqual(expect.stringContaining(formatMoment(until.getTime()))),
  );
  await Promise.all(billing.workers.splice(0).map(worker => worker.stop('SIGKILL')));
  // The hold ends while no worker runs.
  const past = new Date(Date.now() - 1000);
  await db().billingHold.updateMany({ where: { object_id: held.id }, data: { until: past } });
  await db().outbox.updateMany({ where: { kind: 'hold' }, data: { again_at: past } });
  await billing.startWorker();
  await held.becomes({ status: 'active', current_period_number: 1 });
  expect(await held.journal()).toHaveLength(1);
  expect(await db().billingHold.findFirst({ where: { object_id: held.id } })).toMatchObject({
    released_by: 'system',
  });
});

it('a hold ends by the clock of the database, so a worker with a slow clock does not miss the end', async () => {
  const { id } = await newTrial();
  await hold(id, '--until', new Date(Date.now() + 86_400_000).toISOString());
  const { id: hold_id } = await db().billingHold.findFirstOrThrow({ where: { object_id: id } });
  const inTwoDays = async () => [{ now: new Date(Date.now() + 2 * 86_400_000) }];
  const ahead = new Proxy(db(), {
    get: (target, name) => (name === '$queryRaw' ? inTwoDays : Reflect.get(target, name)),
  });
  expect(await endHold(db(), hold_id)).toBeUndefined();
  expect(await endHold(ahead, hold_id)).toMatchObject({ id: hold_id });
});

it('the hold of a cancelled subscription can be released, and a cancelled subscription cannot be put on hold', async () => {
  const held = await newTrial();
  await hold(held.id);
  expect((await held.remove()).status).toBe(204);
  await held.becomes({ status: 'cancelled' });
  expect((await release(held.id)).json).toMatchObject({ done: true });
  await expect(hold(held.id)).rejects.toThrow(/has ended and cannot be put on billing hold/);
});

it('during a hold on everything, subscriptions without a due charge show their sleep, also new ones', async () => {
  const everything = ['everything', '--environment', 'sandbox'] as const;
  await hold(...everything);
  const held = await newTrial();
  await held.waitForWorkflow();
  const isNext = (action: string) =>
    eventually(async () => expect((await held.details())[1]).toContain(`next: ${action}, `));
  await isNext('charge period 1');
  await held.moveTo('2040-01-12');
  await isNext('charge period 1 (held by command line: Wrong prices)');
  await release(...everything, '--over', '0s');
  await held.becomes({ status: 'active', current_period_number: 1 });
});

describe('a hold that begins', () => {
  it('during a charge does not discard the outcome of the charge', async () => {
    const held = await newTrial();
    const { release: answer, count } = api.acquirer.hold('/charge');
    const moving = billing.moveClock('2040-01-12', { subscription_id: held.id });
    await eventually(async () => expect(count()).toBe(1));
    await hold(held.id);
    answer();
    expect((await moving).status).toBe(200);
    expect(await held.read()).toMatchObject({ status: 'active', current_period_number: 1 });
    await release(held.id);
  });

  it('during a charge without a response reverses it and does not resend it; afterwards one charge is made', async () => {
    const held = await newTrial();
    await shop.script(held.card_id, 'timeout');
    const moving = billing.moveClock('2040-01-12', { subscription_id: held.id });
    await eventually(async () => expect(await held.charges()).toHaveLength(1));
    await hold(held.id);
    expect((await moving).status).toBe(200);
    expect(await held.read()).toMatchObject({ status: 'trial', current_period_number: 0 });
    await release(held.id);
    await held.becomes({ status: 'active', current_period_number: 1 });
    expect((await held.journal()).map(({ operation }) => operation)).toEqual(['reverse', 'charge']);
  });

  it('after the row was read but before the charge was written prevents the charge', async () => {
    const held = await newTrial();
    const row = await reloadSubscription(db(), held.id);
    const next = nextActionOf(row);
    if (next.do !== 'charge') throw new Error(next.do);
    for (const target of [[held.id], [held.created.plan_id], ['everything', '--environment', 'sandbox']] as const) {
      await hold(...(target as [string]));
      const services = { db: db(), acquirer: undefined as unknown as HttpAcquirer, fraud: undefined as never };
      expect(await chargePeriod(services, row, next.attempt, next.at)).toBeUndefined();
      expect((await reloadSubscription(db(), held.id)).version).toBe(row.version);
      await release(...(target as [string]));
    }
    expect(await held.charges()).toEqual([]);
  });
});
