/** Tells the workflow of a subscription that it is wanted. Whatever was lost, it begins again from the row. */
import type { Client } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import {
  CustomerId,
  Environment,
  MerchantId,
  NextChargeAt,
  NUDGE,
  PlanId,
  SubscriptionStatus,
  subscriptionId,
  TASK_QUEUE,
} from '../../workflows/contract';
import type { Database } from '../database';
import { lookAt } from './activities';
import { type SubscriptionRow, subscriptionById } from './rows';

/** Does nothing where it runs already, or where there is nothing left to do. */
export async function startSubscription(db: Database, { workflow }: Client, id: string): Promise<void> {
  const row = await subscriptionById(db, id);
  if (row && !isOver(row)) await workflow.start('subscription', beginning(row));
}

export async function nudgeSubscription(db: Database, { workflow }: Client, id: string): Promise<void> {
  const row = await subscriptionById(db, id);
  if (!row) return;
  // One that is over is told so, and never begun again.
  if (isOver(row)) await workflow.getHandle(subscriptionId(id)).signal(NUDGE);
  else await workflow.signalWithStart('subscription', { ...beginning(row), signal: NUDGE });
}

const isOver = (row: SubscriptionRow): boolean => lookAt({ row, lines: [] }).over !== null;

function beginning(row: SubscriptionRow) {
  const seen = lookAt({ row, lines: [] });
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
