import {
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { PayoutActivities } from './contract';
import { nudge } from './nudge';

const { sendPayout } = proxyActivities<PayoutActivities>({
  startToCloseTimeout: '45 seconds',
  // Without a limit: whether the acquirer has paid is asked until it answers.
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

/** Sends a payout to the acquirer until its outcome is known. Its result is that outcome. */
export async function payout(id: string): Promise<string> {
  let nudged = false;
  setHandler(nudge, () => {
    nudged = true;
  });
  for (;;) {
    nudged = false;
    const step = await sendPayout(id);
    if ('over' in step) {
      setCurrentDetails(`${step.over}.`);
      return step.over;
    }
    const waits = `waits for ${step.for}`;
    setCurrentDetails(`The payout ${waits}.`);
    await condition(() => nudged, step.waitMs, { summary: waits });
    if (workflowInfo().continueAsNewSuggested) return continueAsNew<typeof payout>(id);
  }
}
