/** The scheduled audit: subscriptions whose workflow, attributes or periods differ from their rows. */
import { ScheduleOverlapPolicy } from '@temporalio/client';
import { reconciliationActivities } from '../../../src/operations/reconciliation/workflowChecks';
import { SWEEP_ID } from '../../../workflows/contract';
import { eventually } from '../../harness/flow/until';
import { testBilling } from '../../harness/merchant/subscriptions';

const billing = testBilling({ ownWorld: true });
const { api, namespace } = billing;
const db = () => api.database.db();
const PLAN = { plan: { trial_days: 0 } };

/** Stops the sweep, which would repair the damage before the audit. */
beforeAll(() => eventually(() => namespace.client().schedule.getHandle(SWEEP_ID).pause()));

/** Runs the audit as its schedule does, up to the stored result. */
async function runAudit() {
  // The audit that the worker began when it started.
  await eventually(async () => expect(await db().audit.count()).toBeGreaterThanOrEqual(8));
  const { id: last } = await db().audit.findFirstOrThrow({ orderBy: { id: 'desc' } });
  // An audit that has stored its result may still be running, and the schedule would then skip the next one.
  await namespace.client().schedule.getHandle('audit').trigger(ScheduleOverlapPolicy.BUFFER_ALL);
  const rows = await eventually(async () => {
    const found = await db().audit.findMany({ where: { id: { gt: last } } });
    expect(found).toHaveLength(8);
    return found;
  });
  return Object.fromEntries(
    rows.map(({ scope, name, checks, differences, examples }) => [
      `${scope} ${name}`,
      { checks, differences, examples },
    ]),
  );
}

/** Waits for Temporal's list, which lags by a moment. */
const areListed = (id: string, count: number) =>
  eventually(async () => {
    const query = `WorkflowId = 'subscription-${id}' AND CloseTime IS NULL`;
    expect((await namespace.client().workflow.count(query)).count).toBe(count);
  });

const subscribe = async () => {
  const made = await billing.subscribe('2039-12-01', PLAN);
  await areListed(made.id, 1);
  // Pending outbox entries do not count as differences.
  await eventually(async () => expect(await db().outbox.count({ where: { object_id: made.id } })).toBe(0));
  return made;
};

it('without differences the audit reports the number of checked objects', async () => {
  await subscribe();
  await subscribe();
  const agreed = { checks: 2, differences: 0, examples: [] };
  const nothing = { ...agreed, checks: 0 };
  expect(await runAudit()).toEqual({
    'sandbox subscriptions_have_workflows': agreed,
    'sandbox workflows_have_subscriptions': agreed,
    'sandbox attributes_equal_rows': agreed,
    'sandbox periods_are_collected': agreed,
    'production subscriptions_have_workflows': nothing,
    'production workflows_have_subscriptions': nothing,
    'production attributes_equal_rows': nothing,
    'production periods_are_collected': nothing,
  });
});

it('names each damage: a missing or remaining workflow, a wrong attribute, a late wake-up, a wrong period', async () => {
  const [gone, leftOver, late, drowsy, skipped, forgotten] = [
    await subscribe(),
    await subscribe(),
    await subscribe(),
    await subscribe(),
    await subscribe(),
    await subscribe(),
  ];
  await gone.workflow().terminate('by a test');
  await areListed(gone.id, 0);
  await db()
    .$executeRaw`update subscriptions set status = 'cancelled', reason = 'cancelled_by_merchant' where id = ${leftOver.id}`;
  await db().$executeRaw`update subscriptions set due_at = due_at + interval '1 day' where id = ${late.id}`;
  await db()
    .$executeRaw`update subscriptions s set clock_offset = c.clock_offset + 864000 from customers c where c.id = s.customer_id and s.id = ${drowsy.id}`;
  await db().$executeRaw`update subscriptions set current_period_number = 3 where id = ${skipped.id}`;
  await db().$executeRaw`update transactions set period = 7, status = 'failed' where subscription_id = ${forgotten.id}`;
  await db().$executeRaw`update subscriptions set status = 'past_due' where id = ${forgotten.id}`;
  const found = await runAudit();
  expect(found['sandbox subscriptions_have_workflows']).toMatchObject({
    differences: 1,
    examples: [`${gone.id} is active and has no open workflow`],
  });
  expect(found['sandbox workflows_have_subscriptions']).toMatchObject({
    differences: 1,
    examples: [`${leftOver.id} is cancelled and its workflow is open`],
  });
  const attributes = found['sandbox attributes_equal_rows']?.examples.join('\n') ?? '';
  expect(attributes).toMatch(
    new RegExp(`^${late.id} is active, next charge \\S+, but its workflow has active, next`, 'm'),
  );
  expect(attributes).toMatch(new RegExp(`^${drowsy.id} is active, .* its workflow has .* and sleeps until 20`, 'm'));
  expect(attributes).toMatch(new RegExp(`^${forgotten.id} is past_due, .* its workflow has active`, 'm'));
  const periods = found['sandbox periods_are_collected']?.examples.join('\n') ?? '';
  expect(periods).toContain(`${skipped.id} is active in period 3, paid periods: 1`);
  expect(periods).toContain(`${forgotten.id} is past_due, and has no attempt in period 1`);
  await billing.recordScheduled('an audit that finds differences', 'audit');
});

it('the audit reports no difference that a second check does not confirm', async () => {
  const { id } = await subscribe();
  const { auditSuspects } = reconciliationActivities(db(), namespace.client());
  const suspect = { invariant: 'subscriptions_have_workflows', environment: 'sandbox', subscription_id: id } as const;
  expect(await auditSuspects([suspect])).toEqual([]);
  await db().$executeRaw`update subscriptions set due_at = due_at + interval '1 day' where id = ${id}`;
  const [differs] = await auditSuspects([{ ...suspect, invariant: 'attributes_equal_rows' }]);
  expect(differs?.difference).toContain(`${id} is active`);
  expect(await auditSuspects([differs ?? suspect])).toEqual([differs]);
  await db().$executeRaw`update subscriptions set due_at = due_at + interval '1 day' where id = ${id}`;
  expect(await auditSuspects([differs ?? suspect])).toEqual([]);
});

it('the audit reports long overdue periods without an attempt, except of suspended merchants', async () => {
  const { id } = await subscribe();
  await db()
    .$executeRaw`update subscriptions set due_at = now() - interval '3 hours', status = 'trial', current_period_number = 0 where id = ${id}`;
  await db()
    .$executeRaw`delete from entries where transaction_id in (select id from transactions where subscription_id = ${id})`.catch(
    () => undefined,
  );
  const { auditPortion } = reconciliationActivities(db(), namespace.client(), ['sandbox']);
  const start = { after: '', isDone: false, tallies: {}, suspects: [] };
  const examples = async () => (await auditPortion(start)).tallies.sandbox?.periods_are_collected?.examples.join('\n');
  expect(await examples()).toContain(`${id} has been due since`);
  await db().merchant.updateMany({ data: { status: 'suspended' } });
  expect(await examples()).not.toContain(`${id} has been due since`);
});
