/** Workflow failures include a call stack; waiting workflows do not, because it would slow every renewal. */
import { TASK_QUEUE } from '../../../workflows/contract';
import { subscriptionWorkflowId } from '../../../workflows/subscriptionContract';
import { eventually } from '../../harness/flow/until';
import { testBilling } from '../../harness/merchant/subscriptions';

const billing = testBilling();

it('a failing workflow task reports its position, and the worker continues with other workflows', async () => {
  const temporal = billing.namespace.client();
  const workflowId = subscriptionWorkflowId('broken');
  const broken = await temporal.workflow.start('subscription', { workflowId, taskQueue: TASK_QUEUE, args: [null] });
  const failure = await eventually(async () => {
    const { events = [] } = await broken.fetchHistory();
    const failed = events?.find(event => event.workflowTaskFailedEventAttributes)?.workflowTaskFailedEventAttributes;
    if (!failed?.failure) throw new Error('no task has failed yet');
    return failed.failure;
  });
  expect(failure.message).toMatch(/null/);
  expect(failure.stackTrace).toMatch(/at .*subscription\.ts:\d+:\d+\)/);
  await broken.terminate();

  const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
  expect(await subscription.diary('2040-01-12')).toBe('2040-01-12 | active 1 | next 2040-02-11');
});

it('a run that has begun reports that call stacks are not collected', async () => {
  const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
  await subscription.waitForWorkflow();
  await subscription.workflow().executeUpdate('nudge');
  await expect(subscription.workflow().query('__stack_trace')).rejects.toThrow('stack traces are not enabled');
});
