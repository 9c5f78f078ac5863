import { condition, continueAsNew, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import type { PayoutActivities } from './contract';
import { nudge } from './nudge';
import { showDetails } from './operating/showDetails';

const { sendPayout } = proxyActivities<PayoutActivities>({
  startToCloseTimeout: '45 seconds',
  // No attempt limit: the payout is sent until the acquirer answers.
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

/** Sends a payout to the acquirer until its outcome is known. Returns the outcome. */
export async function payout(id: string): Promise<string> {
  let nudged = false;
  setHandler(nudge, () => {
    nudged = true;
  });
  for (;;) {
    nudged = false;
    const step = await sendPayout(id);
    if ('over' in step) {
      showDetails([`${step.over}.`]);
      return step.over;
    }
    const summary = `waiting for ${step.for}`;
    showDetails([`The payout is ${summary}.`]);
    await condition(() => nudged, step.waitMs, { summary });
    if (workflowInfo().continueAsNewSuggested) return continueAsNew<typeof payout>(id);
  }
}
