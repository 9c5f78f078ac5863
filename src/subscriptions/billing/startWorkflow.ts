/** Tells the workflow of a subscription that it is wanted. Whatever was lost, it begins again from the row. */
import type { Client } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import {
  CustomerIdAttribute,
  EnvironmentAttribute,
  MerchantIdAttribute,
  NextChargeAtAttribute,
  NUDGE,
  PlanIdAttribute,
  type SubscriptionSnapshot,
  SubscriptionStatusAttribute,
  subscriptionWorkflowId,
  TASK_QUEUE,
} from '../../../workflows/contract';
import type { Database } from '../../database/connection';
import { type SubscriptionRow, subscriptionById } from '../rows';
import { snapshotOf } from './activities';

/** Does nothing where it runs already, or where there is nothing left to do. */
export async function startSubscriptionWorkflow(db: Database, { workflow }: Client, id: string): Promise<void> {
  const [row, seen] = await loadSnapshot(db, id);
  if (row && seen.over === null) await workflow.start('subscription', startOptions(row, seen));
}

export async function nudgeSubscriptionWorkflow(db: Database, { workflow }: Client, id: string): Promise<void> {
  const [row, seen] = await loadSnapshot(db, id);
  // One that is over is told so, and never begun again.
  if (!row || seen.over !== null) await workflow.getHandle(subscriptionWorkflowId(id)).signal(NUDGE);
  else await workflow.signalWithStart('subscription', { ...startOptions(row, seen), signal: NUDGE });
}

/** One that waits for its first charge is not there yet. */
async function loadSnapshot(
  db: Database,
  id: string,
): Promise<[SubscriptionRow, SubscriptionSnapshot] | [undefined, SubscriptionSnapshot?]> {
  const row = await subscriptionById(db, id);
  return row && row.status !== 'new' ? [row, snapshotOf({ row, lines: [] })] : [undefined];
}

function startOptions(row: SubscriptionRow, seen: SubscriptionSnapshot) {
  return {
    workflowId: subscriptionWorkflowId(row.id),
    taskQueue: TASK_QUEUE,
    args: [{ id: row.id, seen }],
    typedSearchAttributes: new TypedSearchAttributes([
      { key: MerchantIdAttribute, value: row.merchant_id },
      { key: CustomerIdAttribute, value: row.customer_id },
      { key: PlanIdAttribute, value: row.plan_id },
      { key: EnvironmentAttribute, value: row.environment },
      { key: SubscriptionStatusAttribute, value: row.status },
      ...(seen.next_charge_at === null ? [] : [{ key: NextChargeAtAttribute, value: new Date(seen.next_charge_at) }]),
    ]),
  };
}
