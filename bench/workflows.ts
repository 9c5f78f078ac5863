/** The workflow of the bench's worker. */
import { makeContinueAsNewFunc, proxyLocalActivities, workflowInfo } from '@temporalio/workflow';
import { NextChargeAtAttribute } from '../workflows/operating/attributes';

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
