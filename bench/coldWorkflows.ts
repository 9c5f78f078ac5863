/** Workflows that wake without work, with a separate worker: the lower bound for the cost of a renewal. */

import { setTimeout as sleep } from 'node:timers/promises';
import { TypedSearchAttributes } from '@temporalio/common';
import { retryUntilAnswered } from '../src/local/processes/managedProcess';
import { ensureSearchAttributes } from '../src/operations/background/temporalNamespace';
import { openTemporal } from '../src/platform/temporal';
import {
  AmountAttribute,
  BillingStateAttribute,
  CustomerIdAttribute,
  EnvironmentAttribute,
  MerchantIdAttribute,
  NextChargeAtAttribute,
  PlanIdAttribute,
  SubscriptionStatusAttribute,
} from '../workflows/operating/attributes';
import type { BenchEnvironment } from './environment';
import { forEach } from './fleet';
import { startBenchWorker } from './programs';

/** Long enough to start them all. */
const START_SECONDS = 20;
/** Separate from the task queue of the subscriptions' worker. */
const QUEUE = 'cold';
const workflowId = (i: number): string => `cold-${i}`;

/** Same number as a subscription has: the server writes all attributes if one changes. */
const typedSearchAttributes = new TypedSearchAttributes([
  { key: MerchantIdAttribute, value: 'm'.repeat(20) },
  { key: CustomerIdAttribute, value: 'c'.repeat(20) },
  { key: PlanIdAttribute, value: 'p'.repeat(20) },
  { key: EnvironmentAttribute, value: 'sandbox' },
  { key: AmountAttribute, value: 49_900 },
  { key: SubscriptionStatusAttribute, value: 'active' },
  { key: BillingStateAttribute, value: 'sleeping' },
  { key: NextChargeAtAttribute, value: new Date() },
]);

const memo = { kind: 'cold', details: ['**active**, period 1, sleeping', 'next: charge period 2'.padEnd(80)] };

export async function openColdWorkflows(environment: BenchEnvironment, address: string, count: number) {
  const temporal = openTemporal(address, 'default');
  await retryUntilAnswered(() => ensureSearchAttributes(temporal));
  const worker = await startBenchWorker(environment, address, QUEUE);
  const terminate = () => forEach(count, i => temporal.workflow.getHandle(workflowId(i)).terminate());
  return {
    /** Starts workflows that wake together, and returns when they have. */
    wake: async (measure: (work: () => Promise<void>) => Promise<void>): Promise<void> => {
      const before = await worker.countWoken();
      const at = Date.now() + START_SECONDS * 1000;
      await forEach(count, i =>
        temporal.workflow.start('cold', {
          ...{ workflowId: workflowId(i), taskQueue: QUEUE, memo, typedSearchAttributes },
          startDelay: at - Date.now(),
        }),
      );
      await sleep(at - Date.now());
      await measure(async () => {
        while ((await worker.countWoken()) < before + count) await sleep(100);
      });
      await terminate();
    },
    down: async (): Promise<void> => {
      await worker.stop();
      await temporal.connection.close();
    },
  };
}
