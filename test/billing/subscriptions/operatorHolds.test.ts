/** Operators hold and release the billing of one subscription in the Temporal UI. */
import { eventually } from '../../harness/flow/until';
import { testBilling } from '../../harness/merchant/subscriptions';
import { inDatabase } from '../../harness/world/database';

const billing = testBilling({ ownWorld: true });
const db = () => billing.api.database.db();
const form = { reason: 'Wrong price', actor: 'ana' };

it('hold postpones charges, release charges each missed period once, and both record the operator and the reason', async () => {
  const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
  await subscription.waitForWorkflow();
  const ask = (name: string, more: object = {}) =>
    subscription.workflow().executeUpdate<unknown, [unknown]>(name, { args: [{ ...form, ...more }] });
  const refusal = (message: string) => ({ cause: expect.objectContaining({ message }) });
  await expect(ask('release')).rejects.toMatchObject(refusal('Billing is not on hold'));
  for (const [until, problem] of [
    ['soon', 'must be a timestamp such as 2026-12-01T08:00:00-05:00'],
    ['2020-01-01', 'is in the past'],
  ])
    await expect(ask('hold', { until })).rejects.toMatchObject(refusal(`until ${problem}`));
  expect(await db().billingHold.count()).toBe(0);

  expect(await ask('hold')).toMatchObject({ next: 'charge period 1 (held by ana: Wrong price)' });
  const moved = await billing.moveClock('2040-01-12', { subscription_id: subscription.id });
  expect(moved.status).toBe(200);
  expect(await subscription.charges()).toEqual([]);
  expect(await ask('release', { reason: 'Mended' })).toMatchObject({ status: 'active', current_period_number: 1 });
  expect(await subscription.journal()).toHaveLength(1);
  const entries = await db().auditEntry.findMany({
    where: { object_id: subscription.id, action: { startsWith: 'billing.' } },
    orderBy: { id: 'asc' },
  });
  expect(entries).toMatchObject([
    { action: 'billing.held', actor: 'temporal', actor_id: 'ana', after: { reason: 'Wrong price' } },
    { action: 'billing.released', actor: 'temporal', actor_id: 'ana', after: { reason: 'Mended' } },
  ]);
  await eventually(async () => expect(await db().outbox.count({ where: { kind: 'hold' } })).toBe(0));

  const until = new Date(Date.now() + 86_400_000).toISOString();
  await ask('hold', { until });
  expect(await db().billingHold.findFirst({ where: { released_at: null } })).toMatchObject({ until: expect.any(Date) });
  await subscription.record('held and released');
});

it('a request in progress when its subscription ended gets a response, and the workflow ends', async () => {
  const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
  await subscription.waitForWorkflow();
  const holding = await inDatabase(billing.api.database.url(), async blocker => {
    await blocker.query('begin; lock table billing_holds in exclusive mode');
    const asked = subscription.workflow().executeUpdate<unknown, [unknown]>('hold', { args: [form] });
    await eventually(async () => {
      const waiting = `select from pg_locks where relation = 'billing_holds'::regclass and not granted`;
      expect((await blocker.query(waiting)).rowCount).toBe(1);
    });
    expect((await subscription.remove()).status).toBe(204);
    await eventually(async () =>
      expect(await subscription.details()).toContainEqual(expect.stringContaining('next: none')),
    );
    await blocker.query('rollback');
    return { asked };
  });
  expect(await holding.asked).toMatchObject({ status: 'cancelled' });
  expect(await subscription.workflow().result()).toMatchObject({ reason: 'cancelled_by_merchant' });
});
