/** What operators find and do in Temporal while charges are held up: by an acquirer that is away, or by a pause. */
import { repairSubscriptions } from '../../src/subscriptions/billing/repair';
import { eventually } from '../harness/flow/until';
import { testBilling } from '../harness/merchant/subscriptions';
import { TcpProxy } from '../harness/servers/tcpProxy';

let detour: TcpProxy | undefined;
const billing = testBilling(() => (detour ? { ACQUIRER_URL: detour.url } : {}));

type Life = Awaited<ReturnType<typeof billing.subscribe>>;

const dueTimesOf = async (life: Life) => (await life.workflow().describe()).searchAttributes.NextChargeAt;
const upsertsOf = async (life: Life) =>
  (await life.workflow().fetchHistory()).events?.filter(event => event.upsertWorkflowSearchAttributesEventAttributes);

it('a workflow that is paused is neither missing nor overdue: nothing is started or sent, and it goes on later', async () => {
  const [db, temporal] = [billing.api.database.db(), billing.namespace.client()];
  const life = await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
  const { runId } = await life.waitForWorkflow();
  const execution = { namespace: billing.namespace.name, workflowId: life.workflow().workflowId };
  // Its first task must be over: lists of this server do not show a pause that comes in the middle of one.
  await eventually(async () => expect(await life.workflow().query('state')).toMatchObject({ status: 'trial' }));
  const eventCount = async () => (await life.workflow().fetchHistory()).events?.length;
  await temporal.workflowService.pauseWorkflowExecution({ ...execution, requestId: 'once' });
  const isPaused = `WorkflowId = '${execution.workflowId}' AND ExecutionStatus = 'Paused'`;
  await eventually(async () => expect((await temporal.workflow.count(isPaused)).count).toBe(1));
  await eventually(async () => expect(await db.outbox.count()).toBe(0));
  const before = await eventCount();

  expect(await repairSubscriptions(db, temporal)).toEqual({ count: 0 });
  const { due_at } = await db.subscription.findUniqueOrThrow({ where: { id: life.id } });
  const overdue = new Date(Date.now() - 3_600_000);
  await db.subscription.update({ where: { id: life.id }, data: { due_at: overdue } });
  expect(await repairSubscriptions(db, temporal)).toEqual({ count: 0 });
  await db.subscription.update({ where: { id: life.id }, data: { due_at } });
  expect((await life.workflow().describe()).runId).toBe(runId);
  expect(await eventCount()).toBe(before);

  await temporal.workflowService.unpauseWorkflowExecution({ ...execution, requestId: 'again' });
  expect(await life.diary('2040-01-12')).toBe('2040-01-12 | active 1 | next 2040-02-11');
  expect(await life.journal()).toHaveLength(1);
});

// The last one: its worker reaches the acquirer by a detour, which ends with the test.
it('a charge keeps the time at which it was due, and costs no more upserts than a charge that is made at once', async () => {
  await Promise.all(billing.workers.splice(0).map(worker => worker.stop()));
  detour = await TcpProxy.start(billing.api.acquirer.credentials().url);
  await billing.startWorker();
  const lives = [
    await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } }),
    await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } }),
  ] as const;
  const [overdue, cancelled] = lives;
  for (const life of lives) await life.waitForWorkflow();
  const due = await dueTimesOf(overdue);
  expect(due).toEqual([expect.any(Date)]);

  detour.disconnect();
  const moves = lives.map(({ id }) => billing.moveClock('2040-01-12', { subscription_id: id }));
  for (const life of lives)
    await eventually(async () =>
      expect(await life.workflow().query('state')).toMatchObject({
        status: 'trial',
        next: 'ask what became of the charge of period 1',
      }),
    );
  expect(await dueTimesOf(overdue)).toEqual(due);
  const query = `CustomerId = '${overdue.customer_id}' AND NextChargeAt < '2040-01-12T00:00:00-05:00'`;
  await eventually(async () => expect((await billing.namespace.client().workflow.count(query)).count).toBe(1));
  expect(await upsertsOf(overdue)).toEqual([]);

  // Nothing is charged any more for one that has ended.
  expect((await cancelled.remove()).status).toBe(204);
  await eventually(async () =>
    expect(await cancelled.workflow().query('state')).toMatchObject({ status: 'cancelled', next_charge_at: null }),
  );

  detour.restore();
  for (const { status } of await Promise.all(moves)) expect(status).toBe(200);
  expect(await overdue.read()).toMatchObject({ status: 'active', current_period_number: 1 });
  // The workflow's task ends a moment after what it did shows in the API.
  await eventually(async () => expect(await upsertsOf(overdue)).toHaveLength(1));
  const [next] = (await dueTimesOf(overdue)) as Date[];
  expect(next?.toISOString()).toMatch(/^2040-02-11/);
}, 240_000);
