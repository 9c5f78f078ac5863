/** A subscription sleeps in a run that has not begun, until the time at which its next action is due. */
import type { Client } from '@temporalio/client';
import { nudgeSubscriptionWorkflow } from '../../../src/billing/subscriptions/billing/startWorkflow';
import { TASK_QUEUE } from '../../../workflows/contract';
import { eventually } from '../../harness/flow/until';
import { type TestSubscription, testBilling } from '../../harness/merchant/subscriptions';

const billing = testBilling();
const { api } = billing;
const DAY_MS = 86_400_000;

const rowOf = ({ id }: TestSubscription) => api.database.db().subscription.findUniqueOrThrow({ where: { id } });
const runOf = (subscription: TestSubscription) => subscription.workflow().describe();

/** Nearly by the real clock: the customer's clock is at noon of tomorrow, to which it can always be moved. */
async function subscribeNow(trial_days: number): Promise<TestSubscription> {
  const subscription = await billing.subscribe(
    new Date(Date.now() - 5 * 3_600_000 + DAY_MS).toISOString().slice(0, 10),
    {
      plan: { trial_days },
    },
  );
  await subscription.waitForWorkflow();
  return subscription;
}

it.concurrent('a charge ends its run, and the next one begins at the next charge: until then it is one event', async () => {
  const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
  const { runId } = await subscription.waitForWorkflow();
  await subscription.diary('2040-01-11');
  await eventually(async () => expect((await runOf(subscription)).runId).not.toBe(runId));
  const { historyLength, executionTime } = await runOf(subscription);
  expect(historyLength).toBe(1);
  const days = ((await rowOf(subscription)).due_at.getTime() - Date.parse('2040-01-11T23:00:00-05:00')) / DAY_MS;
  expect(((executionTime?.getTime() ?? 0) - Date.now()) / DAY_MS).toBeCloseTo(days, 1);
});

it.concurrent('twenty updates that wake it early do not move its wake-up time', async () => {
  const subscription = await subscribeNow(20);
  const planned = await subscription.wakesAt();
  const { due_at } = await rowOf(subscription);
  expect(Math.abs(planned - due_at.getTime())).toBeLessThan(2 * DAY_MS);
  for (let i = 0; i < 20; i++) await subscription.workflow().executeUpdate('nudge');
  await eventually(async () => expect(Math.abs((await subscription.wakesAt()) - planned)).toBeLessThan(2000));
});

it.concurrent('a change that makes it due earlier or later moves the wake-up time by as much', async () => {
  const subscription = await subscribeNow(20);
  const planned = await subscription.wakesAt();
  const before = (await rowOf(subscription)).due_at.getTime();
  for (const days of [-10, 5, -3]) {
    const { trial_end_date } = await subscription.read();
    const moved = new Date(Date.parse(trial_end_date) + days * DAY_MS).toISOString().slice(0, 10);
    expect((await subscription.put({ trial_end_date: moved })).status).toBe(200);
    const { due_at } = await rowOf(subscription);
    await eventually(async () =>
      expect(Math.abs((await subscription.wakesAt()) - planned - (due_at.getTime() - before))).toBeLessThan(2000),
    );
  }
});

it.concurrent('a nudge wakes a workflow that another process starts in the same moment', async () => {
  const subscription = await subscribeNow(20);
  const { temporal } = api.world();
  await subscription.workflow().terminate();
  let started: string | undefined;
  const start: typeof temporal.workflow.start = async (type, options) => {
    started = (await temporal.workflow.start(type, options)).firstExecutionRunId;
    return temporal.workflow.start(type, options);
  };
  const workflow = Object.create(temporal.workflow, { start: { value: start } });
  const racing: Client = Object.create(temporal, { workflow: { value: workflow } });
  await nudgeSubscriptionWorkflow(api.database.db(), racing, TASK_QUEUE, subscription.id);
  expect(started).toBeDefined();
  await eventually(async () => expect((await runOf(subscription)).historyLength).toBeGreaterThan(1));
  expect((await runOf(subscription)).runId).toBe(started);
});
