import {
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
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
  for (let asks = 'until when does it wait?'; ; ) {
    nudged = false;
    const step = await expire.executeWithOptions({ summary: asks }, [id]);
    if ('over' in step) {
      setCurrentDetails(`It is over: **${step.over}**`);
      return step.over;
    }
    const summary = step.until ? `runs out at ${step.until}` : 'somebody is just at it';
    setCurrentDetails(step.until ? `It waits, and ${summary}.` : `It waits: ${summary}.`);
    const isEarly = await condition(() => nudged, step.waitMs, { summary });
    asks = isEarly ? 'somebody changed it: what is next?' : 'it runs out now';
    if (workflowInfo().continueAsNewSuggested) return continueAsNew<typeof expiry>(id);
  }
}
