/** Starts or nudges the workflow of a subscription. A workflow that was lost begins again from the row. */
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
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
} from '../../../workflows/contract';
import type { Database } from '../../database/connection';
import { findVisible, type SubscriptionRow } from '../rows';
import { snapshotOf } from './snapshot';

/** Does nothing if the workflow runs already, or if the subscription has ended. */
export async function startSubscriptionWorkflow(
  db: Database,
  { workflow }: Client,
  taskQueue: string,
  id: string,
): Promise<void> {
  const row = await findVisible(db, id);
  const snapshot = row && snapshotOf(row);
  if (row && snapshot?.over === null) await workflow.start('subscription', startOptions(taskQueue, row, snapshot));
}

export async function nudgeSubscriptionWorkflow(
  db: Database,
  { workflow }: Client,
  taskQueue: string,
  id: string,
): Promise<void> {
  const row = await findVisible(db, id);
  const snapshot = row && snapshotOf(row);
  const running = workflow.getHandle(subscriptionWorkflowId(id));
  // A workflow that still runs learns that its subscription has ended; an ended one is never started again.
  if (!row || snapshot?.over !== null) return running.signal(NUDGE);
  // Names the activity in the workflow's timeline by what it will do.
  const action = snapshot.wake_at <= Date.now() ? snapshot.action : 'catchUp';
  // Nearly always it runs, and a signal alone costs the server less than one that may start it.
  await running.signal(NUDGE, action).catch(async error => {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    const start = startOptions(taskQueue, row, snapshot);
    await workflow.signalWithStart('subscription', { ...start, signal: NUDGE, signalArgs: [action] });
  });
}

function startOptions(taskQueue: string, row: SubscriptionRow, snapshot: SubscriptionSnapshot) {
  const { next_charge_at } = snapshot;
  return {
    workflowId: subscriptionWorkflowId(row.id),
    taskQueue,
    args: [{ id: row.id, snapshot }],
    typedSearchAttributes: new TypedSearchAttributes([
      { key: MerchantIdAttribute, value: row.merchant_id },
      { key: CustomerIdAttribute, value: row.customer_id },
      { key: PlanIdAttribute, value: row.plan_id },
      { key: EnvironmentAttribute, value: row.environment },
      { key: SubscriptionStatusAttribute, value: row.status },
      ...(next_charge_at === null ? [] : [{ key: NextChargeAtAttribute, value: new Date(next_charge_at) }]),
    ]),
  };
}
