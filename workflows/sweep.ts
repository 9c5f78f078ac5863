import { proxyActivities } from '@temporalio/workflow';
import type { SweepActivities, SweepCounts } from './contract';

const { sweepExpired } = proxyActivities<SweepActivities>({
  startToCloseTimeout: '5 minutes',
  // The next run of the schedule sweeps what this one could not.
  retry: { maximumAttempts: 5 },
});

/** Destroys what has expired. Its result says how much, for whoever opens it in the Temporal UI. */
export async function sweep(): Promise<SweepCounts> {
  return sweepExpired();
}
