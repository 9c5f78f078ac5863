/**
 * A corrupt row, which makes every activity of its subscription fail, does not stop other subscriptions, and operators
 * see the subscription and the cause. A workflow whose history does not replay is restarted.
 */
import { TASK_QUEUE } from '../../../workflows/contract';
import { eventually } from '../../harness/flow/until';
import { operatorCommands } from '../../harness/merchant/operatorCommands';
import { type TestSubscription, testBilling } from '../../harness/merchant/subscriptions';

const billing = testBilling({ ownWorld: true });
const { api, namespace, shop } = billing;
const db = () => api.database.db();
const run = operatorCommands(() => ({ db: db(), secret: api.secret, temporal: namespace.client() }));

/** The number of this command in Temporal's protocol. */
const START_TIMER = 3;

const newSubscription = (day: string): Promise<TestSubscription> =>
  billing.subscribe(day, { plan: { trial_days: 1, repeat_unit: 'week' } });

/** Bypasses the trigger that computes the charge date, which no statement of the program could do. */
const spoilCalendar = ({ id }: TestSubscription) =>
  db().$transaction([
    db().$executeRaw`set local session_replication_role = replica`,
    db().$executeRaw`update subscriptions set first_charge_day = 'poisoned' where id = ${id}`,
  ]);
const spoilCard = ({ card_id }: TestSubscription) =>
  db().$executeRaw`update cards set number_sealed = '\\xdeadbeef' where id = ${card_id}`;

it('a subscription with a corrupt row does not stop other subscriptions', async () => {
  const [noCalendar, noCard, ...others] = await Promise.all(
    Array.from({ length: 6 }, () => newSubscription('2040-01-10')),
  );
  if (!noCalendar || !noCard) throw new Error('there are six');
  await Promise.all([noCalendar, noCard, ...others].map(subscription => subscription.waitForWorkflow()));
  await spoilCalendar(noCalendar);
  await spoilCard(noCard);

  // The clock waits for both subscriptions, and reports that.
  const moved = await eventually(async () => {
    const answer = await shop.post('/sandbox/clock', { to: '2040-01-19' });
    expect(answer).toMatchObject({ status: 202, body: { done: others.length, total: others.length + 2 } });
    return answer;
  });
  const waiting = moved.body.waiting_for.map(({ id }: { id: string }) => id);
  expect(waiting.sort()).toEqual([noCalendar.id, noCard.id].sort());
  for (const subscription of others) {
    expect(await subscription.read()).toMatchObject({
      status: 'active',
      current_period_number: 2,
      charge_date: '2040-01-25',
    });
    expect(await subscription.journal()).toHaveLength(2);
  }
  expect(await noCard.journal()).toEqual([]);

  await eventually(async () => {
    const stuck = (await run('stuck')).json.workflows as { workflow_id: string; failure: string }[];
    const failureOf = ({ id }: TestSubscription) =>
      stuck.find(({ workflow_id }) => workflow_id === `subscription-${id}`)?.failure;
    expect(failureOf(noCalendar)).toContain('Invalid time value');
    expect(failureOf(noCard)).toBeTruthy();
    expect(others.map(failureOf)).toEqual(others.map(() => undefined));
  });

  // The sweep still finds lost workflows of other subscriptions.
  const [lost] = others;
  await lost?.workflow().terminate('by mistake');
  await eventually(async () => {
    await namespace.client().schedule.getHandle('sweep').trigger();
    expect(await lost?.workflow().describe()).toMatchObject({ status: { name: 'RUNNING' }, taskQueue: TASK_QUEUE });
  });
});

it('a workflow whose history does not replay ends, and is restarted from the row', async () => {
  // The merchant's clock has moved in the meantime.
  const subscription = await newSubscription('2040-02-10');
  await subscription.waitForWorkflow();
  await Promise.all(billing.workers.splice(0).map(worker => worker.stop()));
  await subscription.workflow().terminate('to put another in its place');
  const { connection, workflow, workflowService } = namespace.client();
  const { workflowId } = subscription.workflow();
  await workflow.start('subscription', { workflowId, taskQueue: TASK_QUEUE, args: [{ id: subscription.id }] });
  // The test completes the first task with a timer that the workflow never sets.
  const task = await eventually(async () => {
    const queue = { namespace: namespace.name(), taskQueue: { name: TASK_QUEUE } };
    const found = await connection.withDeadline(Date.now() + 20_000, () =>
      workflowService.pollWorkflowTaskQueue(queue),
    );
    if (found.workflowExecution?.workflowId !== workflowId) throw new Error('another task');
    return found;
  });
  await workflowService.respondWorkflowTaskCompleted({
    namespace: namespace.name(),
    taskToken: task.taskToken,
    commands: [
      {
        commandType: START_TIMER,
        startTimerCommandAttributes: { timerId: 'nobody knows it', startToFireTimeout: { seconds: 86_400 as never } },
      },
    ],
  });
  const { runId } = await subscription.workflow().describe();
  await billing.startWorker();
  await subscription.workflow().signal('nudge');
  await eventually(async () =>
    expect((await workflow.getHandle(workflowId, runId).describe()).status.name).toBe('FAILED'),
  );
  expect(await subscription.diary('2040-02-12')).toBe('2040-02-12 | active 1 | next 2040-02-18');
  expect(await subscription.journal()).toHaveLength(1);
});
