import { condition, continueAsNew, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import type { ExpiryActivities } from './contract';
import { nudge } from './nudge';
import { showDetails } from './operating/showDetails';

const { expire } = proxyActivities<ExpiryActivities>({
  startToCloseTimeout: '45 seconds',
  // No attempt limit: an outage of the acquirer or the database can be long.
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

/** Waits until an authorization or a pending payment expires, and cancels it. Returns its final status. */
export async function expiry(id: string): Promise<string> {
  let nudged = false;
  setHandler(nudge, () => {
    nudged = true;
  });
  for (let action = 'read the expiry time'; ; ) {
    nudged = false;
    const step = await expire.executeWithOptions({ summary: action }, [id]);
    if ('over' in step) {
      showDetails([`Ended: **${step.over}**`]);
      return step.over;
    }
    const summary = step.until ? `expires at ${step.until}` : 'another request is in progress';
    showDetails([`Waiting: ${summary}.`]);
    const isEarly = await condition(() => nudged, step.waitMs, { summary });
    action = isEarly ? 'read the row after a change' : 'cancel the expired transaction';
    if (workflowInfo().continueAsNewSuggested) return continueAsNew<typeof expiry>(id);
  }
}
