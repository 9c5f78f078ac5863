import { condition, continueAsNew, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import type { ReplacementActivities } from './contract';
import { nudge } from './nudge';
import { showDetails } from './operating/showDetails';

const { scheduleNextChanges } = proxyActivities<ReplacementActivities>({
  // Short, because a killed worker does not tell.
  startToCloseTimeout: '10 seconds',
  // No attempt limit: the activity fails only during database outages.
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

/** Schedules the change of a replaced plan's subscribers, some at a time. Returns the outcome. */
export async function planReplacement(id: string): Promise<string> {
  let nudged = false;
  setHandler(nudge, () => {
    nudged = true;
  });
  for (;;) {
    nudged = false;
    const step = await scheduleNextChanges(id);
    if ('over' in step) {
      showDetails([`Ended: **${step.over}**`]);
      return step.over;
    }
    const summary = `${step.handled} of ${step.total} subscribers handled`;
    showDetails([`${summary}.`]);
    await condition(() => nudged, step.waitMs, { summary });
    if (workflowInfo().continueAsNewSuggested) return continueAsNew<typeof planReplacement>(id);
  }
}
