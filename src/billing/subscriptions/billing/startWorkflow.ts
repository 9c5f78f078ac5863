/** Starts or nudges the workflow of a subscription. A lost workflow restarts from the row. */
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import { NUDGE } from '../../../../workflows/contract';
import {
  AmountAttribute,
  BillingStateAttribute,
  CustomerIdAttribute,
  EnvironmentAttribute,
  MerchantIdAttribute,
  NextChargeAtAttribute,
  OverdueSinceAttribute,
  PlanIdAttribute,
  RetriesLeftAttribute,
  SubscriptionStatusAttribute,
} from '../../../../workflows/operating/attributes';
import { stepsOfFirstRun, subscriptionWorkflowId } from '../../../../workflows/subscriptionContract';
import type { Database } from '../../../platform/database/connection';
import { formatMoney } from '../../../platform/money';
import { recentLines } from '../history';
import { findVisible, realNow, type SubscriptionRow } from '../rows';
import { snapshotOf } from './snapshot';

/** Has no effect if the workflow is running or the subscription has ended. */
export async function startSubscriptionWorkflow(
  db: Database,
  { workflow }: Client,
  taskQueue: string,
  id: string,
): Promise<void> {
  const row = await findVisible(db, id);
  if (row && snapshotOf(row).over === null)
    await workflow.start('subscription', await startOptions(db, taskQueue, row));
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
  // Nudges a running workflow of an ended subscription, but never starts one.
  if (!row || snapshot?.over !== null) return running.signal(NUDGE);
  // Names the activity in the workflow's timeline.
  const action = snapshot.wake_at <= realNow(row) ? snapshot.action : 'catchUp';
  // The workflow is usually running, and a signal is cheaper than signalWithStart.
  await running.signal(NUDGE, action).catch(async error => {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    const start = await startOptions(db, taskQueue, row);
    await workflow.signalWithStart('subscription', { ...start, signal: NUDGE, signalArgs: [action] });
  });
}

async function startOptions(db: Database, taskQueue: string, row: SubscriptionRow) {
  const { id, merchant_id, customer_id, plan_id, environment, status } = row;
  const { recent: lines, ...snapshot } = snapshotOf(row, undefined, [], await recentLines(db, id));
  const { next_charge_at, billing_state, retries_left, overdue_since } = snapshot;
  const amount = formatMoney(row.amount);
  const repeats = `every ${row.repeat_every === 1 ? row.repeat_unit : `${row.repeat_every} ${row.repeat_unit}s`}`;
  return {
    workflowId: subscriptionWorkflowId(id),
    taskQueue,
    args: [{ id, snapshot, lines, steps: stepsOfFirstRun(id) }],
    // Shown to operators even without a worker.
    staticSummary: `${amount} COP ${repeats}: customer ${customer_id}, plan ${plan_id}, merchant ${merchant_id}, ${environment}`,
    memo: { kind: 'subscription', merchant_id, customer_id, plan_id, amount },
    // Merchants take turns when many workflows wait for a worker after an outage.
    priority: { fairnessKey: merchant_id },
    typedSearchAttributes: new TypedSearchAttributes([
      { key: MerchantIdAttribute, value: merchant_id },
      { key: CustomerIdAttribute, value: customer_id },
      { key: PlanIdAttribute, value: plan_id },
      { key: EnvironmentAttribute, value: environment },
      { key: AmountAttribute, value: amount },
      { key: SubscriptionStatusAttribute, value: status },
      { key: BillingStateAttribute, value: billing_state },
      ...(retries_left === null ? [] : [{ key: RetriesLeftAttribute, value: retries_left }]),
      ...(next_charge_at === null ? [] : [{ key: NextChargeAtAttribute, value: new Date(next_charge_at) }]),
      ...(overdue_since === null ? [] : [{ key: OverdueSinceAttribute, value: new Date(overdue_since) }]),
    ]),
  };
}
