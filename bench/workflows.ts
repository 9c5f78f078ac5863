/** Workflows of the bench's worker: the program's own, and empty ones to compare with. */
import { continueAsNew, proxyActivities, sleep } from '@temporalio/workflow';

export * from '../workflows/all';

const { nothing } = proxyActivities<{ nothing(): Promise<void> }>({ startToCloseTimeout: '1 minute' });

/** The smallest possible cycle: a timer of 10 ms, an empty activity, continue-as-new. */
export async function empty(): Promise<void> {
  await sleep(10);
  await nothing();
  await continueAsNew<typeof empty>();
}

export async function waiting(): Promise<void> {
  await sleep('1 year');
}
