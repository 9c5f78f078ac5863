/** What the bench's worker runs: the program's own workflows, and the emptiest cycle that there is. */
import { continueAsNew, proxyActivities, sleep } from '@temporalio/workflow';

export * from '../workflows/all';

const { nothing } = proxyActivities<{ nothing(): Promise<void> }>({ startToCloseTimeout: '1 minute' });

/** A timer of 10 ms, an empty activity, a fresh run. */
export async function empty(): Promise<void> {
  await sleep(10);
  await nothing();
  await continueAsNew<typeof empty>();
}

/** One that only waits. */
export async function waiting(): Promise<void> {
  await sleep('1 year');
}
