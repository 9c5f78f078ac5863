import { condition, continueAsNew, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import type { DeliveryActivities } from './contract';
import { nudge } from './nudge';

const { deliver } = proxyActivities<DeliveryActivities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

/** Retries a webhook delivery with growing pauses for three days. Its result says how it ended. */
export async function delivery(id: string): Promise<string> {
  let nudged = false;
  setHandler(nudge, () => {
    nudged = true;
  });
  for (;;) {
    nudged = false;
    const step = await deliver(id);
    if ('over' in step) return step.over;
    // One that waits in the queue for long would fill the history.
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof delivery>(id);
    await condition(() => nudged, step.waitMs, { summary: `then attempt ${step.attempt}` });
  }
}
