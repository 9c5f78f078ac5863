import { proxyActivities } from '@temporalio/workflow';
import type { SweepActivities, SweepCounts } from '../contract';

const { sweepExpired } = proxyActivities<SweepActivities>({
  startToCloseTimeout: '5 minutes',
  // After these attempts, the next scheduled run takes over.
  retry: { maximumAttempts: 5 },
});

/** Deletes expired rows, restarts lost workflows and snapshots balances. Returns row counts for operators. */
export async function sweep(): Promise<SweepCounts> {
  return sweepExpired();
}
