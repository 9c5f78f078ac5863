/** Workflows of the bench's worker: those of the program, and empty ones for comparison. */
import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  sleep,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { NUDGE } from '../workflows/contract';
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

/** Minimal wake-up of a sleeping workflow: an empty local activity and a search attribute. */
export async function cold(): Promise<void> {
  let isWoken = false;
  setHandler(defineSignal(NUDGE), () => {
    isWoken = true;
  });
  for (let steps = 0; steps < 12; steps++) {
    await condition(() => isWoken, '30 days');
    isWoken = false;
    await local.nothing();
    upsertSearchAttributes([{ key: NextChargeAtAttribute, value: new Date() }]);
  }
  await continueAsNew<typeof cold>();
}
