/** Incidents that delay charges: a terminated or broken workflow, or an unavailable acquirer. */
import { openTemporal } from '../../../src/platform/temporal';
import { SWEEP_ID, TASK_QUEUE } from '../../../workflows/contract';
import { eventually } from '../../harness/flow/until';
import { operatorCommands } from '../../harness/merchant/operatorCommands';
import { type TestSubscription, testBilling } from '../../harness/merchant/subscriptions';
import { suspension } from '../../harness/merchant/suspension';
import { Program } from '../../harness/servers/program';
import { TcpProxy } from '../../harness/servers/tcpProxy';
import { temporalAddress } from '../../harness/world/temporal';
import { retriedCommands } from './retriedCommands';

let proxy: TcpProxy | undefined;
const billing = testBilling({ workerVariables: () => (proxy ? { ACQUIRER_URL: proxy.url } : {}) });
const { api, namespace } = billing;
const db = () => api.database.db();
const parts = () => ({ db: db(), secret: api.secret });
const run = retriedCommands(() => ({ ...parts(), temporal: namespace.client() }));
const { suspend, resume } = suspension(api);

/** Stops the sweep, which would restart a terminated workflow before the test has checked it. */
beforeAll(async () => {
  const { schedule, workflow } = namespace.client();
  await eventually(() => schedule.getHandle(SWEEP_ID).pause());
  const sweeps = (condition: string) => workflow.count(`WorkflowType = 'sweep' AND ExecutionStatus ${condition}`);
  await eventually(async () => {
    expect((await sweeps("= 'Completed'")).count).toBeGreaterThan(0);
    expect((await sweeps("= 'Running'")).count).toBe(0);
  });
});

const newSubscription = async (): Promise<TestSubscription> => {
  const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
  await subscription.waitForWorkflow();
  await eventually(async () => expect(await db().outbox.count({ where: { object_id: subscription.id } })).toBe(0));
  return subscription;
};
const makeDueAt = ({ id }: TestSubscription, due_at: Date) =>
  db().subscription.update({ where: { id }, data: { due_at } });
const makeLate = (subscription: TestSubscription) => makeDueAt(subscription, new Date(Date.now() - 7_200_000));
const overdue = async ({ id }: { id: string }) =>
  (await run('overdue', '--limit', '1000')).json.overdue.find((each: { id: string }) => each.id === id);
const stalledOf = async ({ id }: TestSubscription) =>
  (await run('stuck')).json.workflows.find(
    ({ workflow_id }: { workflow_id: string }) => workflow_id === `subscription-${id}`,
  );
const audited = (object_id: string) =>
  db().auditEntry.findMany({
    where: { object_id, actor: 'operator' },
    select: { action: true, actor_id: true, after: true },
  });
const stateOf = async ({ id }: TestSubscription) => [
  await db().subscription.findUniqueOrThrow({ where: { id } }),
  await db().outbox.count({ where: { object_id: id } }),
  await audited(id),
];

it("a terminated workflow is reported as the cause, and an operator's command restarts it from the row", async () => {
  const subscription = await newSubscription();
  const { due_at } = await db().subscription.findUniqueOrThrow({ where: { id: subscription.id } });
  const { runId } = await subscription.workflow().describe();
  await subscription.workflow().terminate('by mistake');
  await makeLate(subscription);
  expect(await overdue(subscription)).toMatchObject({
    kind: 'subscription',
    merchant_id: api.merchants().own.id,
    reason: 'no_workflow',
    details: 'closed as TERMINATED',
    late: expect.stringMatching(/^[0-9]+ d|^2 h/),
  });
  expect(await stalledOf(subscription)).toMatchObject({ status: 'ended', failure: 'closed as TERMINATED' });
  await makeDueAt(subscription, due_at);

  const before = await stateOf(subscription);
  const dry = await run('rebuild', subscription.id, '--reason', 'It was terminated');
  expect(dry).toMatchObject({ isDryRun: true, json: { done: false } });
  expect(dry.text).toContain('A worker restarts it from the row: trial, period 0, next: charge period 1.');
  expect(await stateOf(subscription)).toEqual(before);

  expect(await run('rebuild', subscription.id, '--reason', 'It was terminated', '--yes')).toMatchObject({
    isDryRun: false,
    json: { done: true },
  });
  await eventually(async () => expect((await subscription.workflow().describe()).status.name).toBe('RUNNING'));
  expect(await audited(subscription.id)).toEqual([
    {
      action: 'subscription.rebuilt',
      actor_id: 'command line',
      after: { reason: 'It was terminated', run_id: runId },
    },
  ]);
  expect(await subscription.diary('2040-01-12')).toBe('2040-01-12 | active 1 | next 2040-02-11');
  expect(await subscription.journal()).toHaveLength(1);
  // Temporal's list lags by a moment.
  const { text, json } = await eventually(async () => {
    const story = await run('story', subscription.id);
    expect(story.text).toMatch(/ temporal +subscription-\w+ ended: TERMINATED/);
    return story;
  });
  // In real time, although its clock was moved.
  const moments = json.story.flatMap(({ at }: { at: string }) => (at === 'now' ? [] : [Date.parse(at)]));
  expect(Math.min(...moments)).toBeGreaterThan(Date.now() - 3_600_000);
  expect(text).toMatch(/ audit log +subscription.rebuilt of \w+ by operator command line/);
});

it('a workflow that cannot continue is reported with its failure, terminated and restarted', async () => {
  const broken = await newSubscription();
  await broken.workflow().terminate('to put another in its place');
  const workflowId = broken.workflow().workflowId;
  await namespace.client().workflow.start('nonsense', { workflowId, taskQueue: TASK_QUEUE, args: [] });
  await eventually(async () =>
    expect(await stalledOf(broken)).toMatchObject({
      status: 'failing',
      failure: expect.stringContaining('nonsense'),
    }),
  );
  const dry = await run('rebuild', broken.id, '--reason', 'Poisoned');
  expect(dry.text).toMatch(
    /The workflow subscription-\w+ \(running, workflow task failed \d+ times, .*\) is terminated\./,
  );
  expect((await broken.workflow().describe()).type).toBe('nonsense');
  await run('rebuild', broken.id, '--reason', 'Poisoned', '--yes');
  await eventually(async () => expect(await broken.workflow().describe()).toMatchObject({ type: 'subscription' }));
  expect(await stalledOf(broken)).toBeUndefined();
  expect(await broken.diary('2040-01-12')).toBe('2040-01-12 | active 1 | next 2040-02-11');
});

it('a late subscription of a suspended merchant has the suspension as its cause, and is counted in a summary', async () => {
  const subscription = await newSubscription();
  await suspend();
  await makeLate(subscription);
  expect(await overdue(subscription)).toMatchObject({ reason: 'merchant_suspended' });
  const { id, name } = await db().merchant.findUniqueOrThrow({ where: { id: api.merchants().own.id } });
  const { json, text } = await run('overdue', '--merchant', id);
  expect(json.merchants).toEqual([expect.objectContaining({ merchant_id: id, name, subscriptions: 1, payouts: 0 })]);
  expect(text).toMatch(/^OVERDUE\nKIND +ID +MERCHANT ID +DUE AT +LATE +AMOUNT +REASON +DETAILS\nsubscription /m);
  expect((await run('overdue', '--merchant', 'm0000000000000000000')).text).toContain('OVERDUE\nNo results.');
  await subscription.remove();
  await resume();
  // A pending outbox entry would restart the workflow that the next test terminates.
  await eventually(async () =>
    expect(await db().outbox.count({ where: { kind: { in: ['merchant', 'nudge'] } } })).toBe(0),
  );
});

it('pages are consecutive, and an invalid page is refused', async () => {
  const subscriptions = [await newSubscription(), await newSubscription()];
  for (const subscription of subscriptions) await subscription.workflow().terminate('terminated by the test');
  for (const subscription of subscriptions) await makeLate(subscription);
  const first = (await run('overdue', '--limit', '1')).json;
  expect(first).toMatchObject({ overdue: [expect.anything()], next_offset: 1 });
  const second = (await run('overdue', '--limit', '1', '--offset', '1')).json;
  expect([...first.overdue, ...second.overdue].map(({ id }) => id).sort()).toEqual(
    subscriptions.map(({ id }) => id).sort(),
  );
  await expect(run('overdue', '--limit', '0')).rejects.toThrow('--limit must be a whole number from 1 to 1000');
  for (const subscription of subscriptions) await subscription.remove();
});

it('without Temporal the other incidents are listed, and commands that need Temporal are refused', async () => {
  const subscription = await newSubscription();
  const nowhere = openTemporal('127.0.0.1:1', 'default');
  const away = operatorCommands(() => ({ ...parts(), temporal: nowhere }));
  for (const args of [['overdue'], ['stuck'], ['story', subscription.id]])
    expect((await away(...args)).json.temporal).toMatch(/^unreachable: /);
  expect((await away('story', subscription.id)).text).toMatch(/ history +\S/);
  await expect(away('rebuild', subscription.id, '--reason', 'x', '--yes')).rejects.toThrow(/^Temporal is unreachable/);
  expect(await audited(subscription.id)).toEqual([]);
  const without = operatorCommands(parts);
  expect((await without('stuck')).json.temporal).toBe('not configured: TEMPORAL_ADDRESS is not set');
  await nowhere.connection.close();
});

it('the program reports that it changed nothing, and exits with 1', async () => {
  const subscription = await newSubscription();
  const env = {
    DATABASE_URL: api.database.url(),
    API_KEY_SECRET: api.secret,
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: namespace.name(),
  };
  /** Retries while Temporal is too slow for the command's limit of three seconds. */
  const ended = (...args: string[]) =>
    eventually(async () => {
      const program = new Program('operator', env, args);
      const code = await program.exited;
      expect(program.output).not.toContain('unreachable');
      return { code, output: program.output };
    });
  const rebuilt = await ended('rebuild', subscription.id, '--reason', 'To see');
  expect(rebuilt.code).toBe(1);
  expect(rebuilt.output).toMatch(/\nNo changes made. Repeat the command with --yes to apply them\.\n$/);
  const story = await ended('story', subscription.id, '--json');
  expect(story.code).toBe(0);
  expect(JSON.parse(story.output)).toMatchObject({ kind: 'subscription', temporal: 'up', environment: 'sandbox' });
});

// This test is the last one: its worker reaches the acquirer through a proxy, which stops with the test.
it("an unavailable acquirer is reported as the cause, and an operator's command queries it at once", async () => {
  const idle = await newSubscription();
  await Promise.all(billing.workers.splice(0).map(worker => worker.stop()));
  await db().heartbeat.updateMany({ data: { beat_at: new Date(0) } });
  await makeLate(idle);
  expect(await overdue(idle)).toMatchObject({ reason: 'worker_away' });
  await idle.remove();

  proxy = await TcpProxy.start(api.acquirer.credentials().url);
  await billing.startWorker();
  const subscription = await newSubscription();
  proxy.disconnect();
  const moving = billing.moveClock('2040-01-12', { subscription_id: subscription.id });
  await eventually(async () => expect(await overdue(subscription)).toMatchObject({ reason: 'waits_for_acquirer' }));
  const [{ id: charge }] = await subscription.charges();
  const findAttempt = async () =>
    (await run('stuck')).json.attempts.find((attempt: { id: string }) => attempt.id === charge);
  expect(await findAttempt()).toMatchObject({ progress: 'prepared', tries: expect.any(Number) });

  // Simulates an outage of many hours, after which the delays have become long.
  const tomorrow = Date.now() + 86_400_000;
  await eventually(async () => {
    // Retries in case an attempt in flight has overwritten the delay.
    await db().$executeRaw`update subscriptions set version = version + 1,
      open = jsonb_set(open, '{again_at}', to_jsonb(${tomorrow}::bigint))
      where id = ${subscription.id} and (open ->> 'again_at')::bigint <> ${tomorrow}`;
    expect(Math.abs((await subscription.wakesAt()) - tomorrow)).toBeLessThan(5000);
  });
  const before = await stateOf(subscription);
  for (const id of [subscription.id, charge]) {
    const dry = await run('ask-acquirer', id, '--reason', 'It is back');
    expect(dry).toMatchObject({ isDryRun: true, json: { done: false, id: subscription.id } });
    expect(dry.text).toContain(`The charge ${charge} of period 1 got no response`);
  }
  expect(await stateOf(subscription)).toEqual(before);
  await expect(run('ask-acquirer', idle.id, '--reason', 'x')).rejects.toThrow(
    `No attempt of ${idle.id} is waiting for the acquirer`,
  );

  proxy.restore();
  await run('ask-acquirer', subscription.id, '--reason', 'It is back', '--yes');
  expect((await moving).status).toBe(200);
  expect(await subscription.read()).toMatchObject({ status: 'active', current_period_number: 1 });
  expect(await audited(subscription.id)).toEqual([
    { action: 'acquirer.asked', actor_id: 'command line', after: { reason: 'It is back', transaction_id: charge } },
  ]);
  expect(await findAttempt()).toBeUndefined();
  expect(await subscription.journal()).toHaveLength(1);
  await expect(run('ask-acquirer', charge, '--reason', 'x')).rejects.toThrow(
    `The outcome of ${charge} is already known: completed`,
  );
});
