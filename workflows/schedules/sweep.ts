import { proxyActivities } from '@temporalio/workflow';
import type { SweepActivities, SweepCounts } from '../contract';

const { sweepExpired } = proxyActivities<SweepActivities>({
  startToCloseTimeout: '5 minutes',
  // Then the next scheduled run takes over.
  retry: { maximumAttempts: 5 },
});

/** Deletes what has expired, restarts lost workflows, sums up balances. Its result counts the rows, for operators. */
export async function sweep(): Promise<SweepCounts> {
  return sweepExpired();
}
