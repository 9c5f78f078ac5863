/** An installation moves from one worker for both environments to a worker for each environment. */
import { eventually } from '../../harness/flow/until';
import { testBilling } from '../../harness/merchant/subscriptions';

let environment: Record<string, string> = {};
const billing = testBilling({ workerVariables: () => environment });

it('workflows from the common queue continue in the sandbox queue, and no customer is charged twice', async () => {
  const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
  await subscription.waitForWorkflow();
  // The new worker checks Temporal's list once, and the list lags by a moment.
  const isListed = `WorkflowId = '${subscription.workflow().workflowId}' AND ExecutionStatus = 'Running'`;
  await eventually(async () => expect((await billing.namespace.client().workflow.count(isListed)).count).toBe(1));
  const taskQueue = async () => (await subscription.workflow().describe()).taskQueue;
  expect(await taskQueue()).toBe('recaudo');

  await Promise.all(billing.workers.splice(0).map(worker => worker.stop()));
  environment = { ENVIRONMENT: 'sandbox' };
  await billing.startWorker();
  await eventually(async () => expect(await taskQueue()).toBe('recaudo-sandbox'));
  expect(await subscription.diary('2040-01-12')).toBe('2040-01-12 | active 1 | next 2040-02-11');
  expect(await subscription.journal()).toHaveLength(1);
});
