import { continueAsNew, proxyActivities, sleep } from '@temporalio/workflow';
import type { AuditActivities, AuditProgress } from '../contract';

const { auditPortion, auditSuspects, recordAudit } = proxyActivities<AuditActivities>({
  startToCloseTimeout: '1 minute',
  // After these attempts, the next scheduled run takes over.
  retry: { maximumInterval: '1 minute', maximumAttempts: 20 },
});

/** Limits the history of a run; then the workflow continues as new. */
const MAX_PORTIONS_PER_RUN = 200;
/** Time for concurrent changes to complete before suspects are checked again. */
const RECHECK_AFTER = '5 seconds';

/**
 * Compares all subscriptions with their workflows and charges in portions, so that another worker can continue after a
 * crash. A difference counts only if two further checks confirm it.
 */
export async function audit(begun?: AuditProgress): Promise<Record<string, number>> {
  let progress = begun ?? { after: '', isDone: false, tallies: {}, suspects: [] };
  for (let portions = 0; !progress.isDone; portions++) {
    if (portions === MAX_PORTIONS_PER_RUN) return continueAsNew<typeof audit>(progress);
    progress = await auditPortion(progress);
  }
  let { suspects } = progress;
  for (let checks = 0; checks < 2 && suspects.length > 0; checks++) {
    await sleep(RECHECK_AFTER, { summary: 'wait for concurrent changes' });
    suspects = await auditSuspects(suspects);
  }
  return recordAudit({ ...progress, suspects });
}
