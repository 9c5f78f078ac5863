import { continueAsNew, proxyActivities, sleep } from '@temporalio/workflow';
import type { AuditActivities, AuditProgress } from '../contract';

const { auditPortion, auditSuspects, recordAudit } = proxyActivities<AuditActivities>({
  startToCloseTimeout: '1 minute',
  // Then the next scheduled run begins anew.
  retry: { maximumInterval: '1 minute', maximumAttempts: 20 },
});

/** Then the workflow continues as new, so that its history stays small however many subscriptions there are. */
const MAX_PORTIONS_PER_RUN = 200;
/** Between two looks at what differs: what is just being changed is whole again by then. */
const LOOK_AGAIN_AFTER = '5 seconds';

/**
 * Compares all subscriptions with their workflows and their charges, portion by portion, so that any worker can go on
 * where another one has died. What differs counts only if two further looks find the same.
 */
export async function audit(begun?: AuditProgress): Promise<Record<string, number>> {
  let progress = begun ?? { after: '', isDone: false, tallies: {}, suspects: [] };
  for (let portions = 0; !progress.isDone; portions++) {
    if (portions === MAX_PORTIONS_PER_RUN) return continueAsNew<typeof audit>(progress);
    progress = await auditPortion(progress);
  }
  let { suspects } = progress;
  for (let looks = 0; looks < 2 && suspects.length > 0; looks++) {
    await sleep(LOOK_AGAIN_AFTER, { summary: 'what is just being changed is given time' });
    suspects = await auditSuspects(suspects);
  }
  return recordAudit({ ...progress, suspects });
}
