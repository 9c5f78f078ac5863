/** Workflows that wake without work, with a separate worker: the lower bound for the cost of a renewal. */
import { setTimeout as sleep } from 'node:timers/promises';
import { TypedSearchAttributes } from '@temporalio/common';
import { retryUntilAnswered } from '../src/local/managedProcess';
import { ensureSearchAttributes } from '../src/operations/background/temporalNamespace';
import { openTemporal } from '../src/platform/temporal';
import { NUDGE } from '../workflows/contract';
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

export async function startColdWorkflows(environment: BenchEnvironment, address: string, count: number) {
  const temporal = openTemporal(address, 'default');
  await retryUntilAnswered(() => ensureSearchAttributes(temporal));
  const worker = await startBenchWorker(environment, address, QUEUE);
  const woken = async (): Promise<number> => (await worker.readCounts()).empty;
  const options = { taskQueue: QUEUE, typedSearchAttributes };
  await forEach(count, i => temporal.workflow.start('cold', { workflowId: workflowId(i), ...options }));
  return {
    /** Wakes each workflow once. */
    wake: async (): Promise<void> => {
      const before = await woken();
      await forEach(count, i => temporal.workflow.getHandle(workflowId(i)).signal(NUDGE));
      while ((await woken()) < before + count) await sleep(100);
    },
    down: async (): Promise<void> => {
      await forEach(count, i => temporal.workflow.getHandle(workflowId(i)).terminate());
      await worker.stop();
      await temporal.connection.close();
    },
  };
}
