import { condition, continueAsNew, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import type { ExpiryActivities } from './contract';
import { nudge } from './nudge';

const { expire } = proxyActivities<ExpiryActivities>({
  startToCloseTimeout: '45 seconds',
  // Without a limit: an acquirer or database that is down is waited for, however long that takes.
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

/** Waits until an authorization or a pending payment expires, and ends it then. Its result says how it ended. */
export async function expiry(id: string): Promise<string> {
  let nudged = false;
  setHandler(nudge, () => {
    nudged = true;
  });
  for (;;) {
    nudged = false;
    const step = await expire(id);
    if ('over' in step) return step.over;
    const summary = step.until ? `runs out at ${step.until}` : 'somebody is just at it';
    await condition(() => nudged, step.waitMs, { summary });
    if (workflowInfo().continueAsNewSuggested) return continueAsNew<typeof expiry>(id);
  }
}
