/** Workflows of the bench's worker: those of the program, and empty ones for comparison. */
import {
  continueAsNew,
  makeContinueAsNewFunc,
  proxyActivities,
  proxyLocalActivities,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { NextChargeAtAttribute } from '../workflows/operating/attributes';

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

const local = proxyLocalActivities<{ nothing(): Promise<void> }>({ startToCloseTimeout: '1 minute' });

/** Minimal wake-up of a sleeping workflow: an empty local activity, and a next run after a month. */
export async function cold(): Promise<void> {
  await local.nothing();
  const { memo, typedSearchAttributes } = workflowInfo();
  await makeContinueAsNewFunc<typeof cold>({
    backoffStartInterval: '30 days',
    ...(memo && { memo }),
    typedSearchAttributes: typedSearchAttributes
      .updateCopy([{ key: NextChargeAtAttribute, value: new Date() }])
      .getAll(),
  })();
}
