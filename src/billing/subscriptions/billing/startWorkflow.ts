/** Starts or nudges the workflow of a subscription. A workflow starts from the row, asleep until its next action. */
import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  WorkflowUpdateStage,
} from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import { NUDGE } from '../../../../workflows/contract';
import {
  CustomerIdAttribute,
  EnvironmentAttribute,
  MerchantIdAttribute,
} from '../../../../workflows/operating/attributes';
import { memoOf, startAttributes } from '../../../../workflows/operating/view';
import {
  type SubscriptionInput,
  type SubscriptionSnapshot,
  subscriptionWorkflowId,
} from '../../../../workflows/subscriptionContract';
import type { Database } from '../../../platform/database/connection';
import { declinesOf } from '../lines/rows';
import { findVisible, realNow, type SubscriptionRow } from '../rows';
import { snapshotOf } from './snapshot';

/** Within which a worker must have accepted a nudge. Otherwise the outbox repeats it. */
const NUDGE_TIMEOUT_MS = 10_000;

/** Has no effect if the workflow is running or the subscription has ended. */
export async function startSubscriptionWorkflow(
  db: Database,
  { workflow }: Client,
  taskQueue: string,
  id: string,
): Promise<void> {
  const row = await findVisible(db, id);
  if (!row) return;
  const snapshot = snapshotOf(row, undefined, await declinesOf(db, row));
  if (snapshot.over === null) await workflow.start('subscription', startOptions(taskQueue, row, snapshot));
}

/** An update, because a signal does not wake a workflow whose run has not begun. */
export async function nudgeSubscriptionWorkflow(
  db: Database,
  temporal: Client,
  taskQueue: string,
  id: string,
): Promise<void> {
  const row = await findVisible(db, id);
  const snapshot = row && snapshotOf(row);
  // Names the activity in the workflow's timeline.
  const action = row && snapshot && snapshot.wake_at <= realNow(row) ? snapshot.action : 'catchUp';
  const running = temporal.workflow.getHandle(subscriptionWorkflowId(id));
  try {
    await temporal.withDeadline(Date.now() + NUDGE_TIMEOUT_MS, () =>
      running.startUpdate(NUDGE, { args: [action], waitForStage: WorkflowUpdateStage.ACCEPTED }),
    );
  } catch (error) {
    // A running workflow of an ended subscription is nudged, but never started.
    if (!(error instanceof WorkflowNotFoundError) || snapshot?.over !== null) throw error;
    await startSubscriptionWorkflow(db, temporal, taskQueue, id).catch(failure => {
      if (!(failure instanceof WorkflowExecutionAlreadyStartedError)) throw failure;
      // Started meanwhile, perhaps from an older version of the row.
      return nudgeSubscriptionWorkflow(db, temporal, taskQueue, id);
    });
  }
}

function startOptions(taskQueue: string, row: SubscriptionRow, snapshot: SubscriptionSnapshot) {
  const { id, merchant_id, customer_id, plan_id, environment } = row;
  const { action, wake_at, declined, amount } = snapshot;
  const repeats = `every ${row.repeat_every === 1 ? row.repeat_unit : `${row.repeat_every} ${row.repeat_unit}s`}`;
  const input: SubscriptionInput = { id, action, wake_at, ...(declined !== undefined && { declined }) };
  return {
    workflowId: subscriptionWorkflowId(id),
    taskQueue,
    args: [input],
    startDelay: Math.max(0, wake_at - realNow(row)),
    // Shown to operators even without a worker.
    staticSummary: `${amount} COP ${repeats}: customer ${customer_id}, plan ${plan_id}, merchant ${merchant_id}, ${environment}`,
    memo: { kind: 'subscription', merchant_id, customer_id, ...memoOf(snapshot) },
    // Merchants take turns when many workflows wait for a worker after an outage.
    priority: { fairnessKey: merchant_id },
    typedSearchAttributes: new TypedSearchAttributes([
      { key: MerchantIdAttribute, value: merchant_id },
      { key: CustomerIdAttribute, value: customer_id },
      { key: EnvironmentAttribute, value: environment },
      ...startAttributes(snapshot),
    ]),
  };
}
