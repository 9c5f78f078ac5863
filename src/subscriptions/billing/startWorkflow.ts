/** Tells the workflow of a subscription that it is wanted. Whatever was lost, it begins again from the row. */
import type { Client } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import {
  CustomerId,
  Environment,
  type Look,
  MerchantId,
  NextChargeAt,
  NUDGE,
  PlanId,
  SubscriptionStatus,
  subscriptionId,
  TASK_QUEUE,
} from '../../../workflows/contract';
import type { Database } from '../../database/connection';
import { type SubscriptionRow, subscriptionById } from '../rows';
import { lookAt } from './activities';

/** Does nothing where it runs already, or where there is nothing left to do. */
export async function startSubscription(db: Database, { workflow }: Client, id: string): Promise<void> {
  const [row, seen] = await lookFor(db, id);
  if (row && seen.over === null) await workflow.start('subscription', beginning(row, seen));
}

export async function nudgeSubscription(db: Database, { workflow }: Client, id: string): Promise<void> {
  const [row, seen] = await lookFor(db, id);
  // One that is over is told so, and never begun again.
  if (!row || seen.over !== null) await workflow.getHandle(subscriptionId(id)).signal(NUDGE);
  else await workflow.signalWithStart('subscription', { ...beginning(row, seen), signal: NUDGE });
}

/** One that waits for its first charge is not there yet. */
async function lookFor(db: Database, id: string): Promise<[SubscriptionRow, Look] | [undefined, Look?]> {
  const row = await subscriptionById(db, id);
  return row && row.status !== 'new' ? [row, lookAt({ row, lines: [] })] : [undefined];
}

function beginning(row: SubscriptionRow, seen: Look) {
  return {
    workflowId: subscriptionId(row.id),
    taskQueue: TASK_QUEUE,
    args: [{ id: row.id, seen }],
    typedSearchAttributes: new TypedSearchAttributes([
      { key: MerchantId, value: row.merchant_id },
      { key: CustomerId, value: row.customer_id },
      { key: PlanId, value: row.plan_id },
      { key: Environment, value: row.environment },
      { key: SubscriptionStatus, value: row.status },
      ...(seen.next_charge_at === null ? [] : [{ key: NextChargeAt, value: new Date(seen.next_charge_at) }]),
    ]),
  };
}
