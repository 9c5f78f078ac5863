/** Starts the workflow of a delivery after its first failed attempt, and signals it after later ones. */
import type { Client } from '@temporalio/client';
import { TypedSearchAttributes, WorkflowIdReusePolicy } from '@temporalio/common';
import { deliveryWorkflowId, NUDGE } from '../../../../workflows/contract';
import {
  AttemptAttribute,
  EnvironmentAttribute,
  LastStatusAttribute,
  MerchantIdAttribute,
  WebhookIdAttribute,
} from '../../../../workflows/operating/attributes';
import type { Database } from '../../../platform/database/connection';
import { outcomeOf } from './activities';

export async function startDeliveryWorkflow(
  db: Database,
  { workflow }: Client,
  taskQueue: string,
  id: string,
): Promise<void> {
  const row = await db.delivery.findUnique({
    where: { id },
    select: {
      ...{ status: true, sequence: true, attempts: true, webhook_id: true, event_id: true },
      event: { select: { type: true } },
      webhook: { select: { merchant: { select: { id: true, environment: true } } } },
    },
  });
  if (!row) return;
  const workflowId = deliveryWorkflowId(id);
  // The workflow ends by itself; the caller ignores a missing one.
  if (row.status !== 'retrying') return workflow.getHandle(workflowId).signal(NUDGE);
  const { webhook_id, event_id, event } = row;
  const { id: merchant_id, environment } = row.webhook.merchant;
  const last = await outcomeOf(db, row);
  await workflow.signalWithStart('delivery', {
    workflowId,
    taskQueue,
    args: [id],
    signal: NUDGE,
    // The row is authoritative: while it is retrying, a closed workflow with this ID is obsolete.
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    staticSummary: `undelivered ${event.type}: webhook ${webhook_id}, merchant ${merchant_id}, ${environment}`,
    memo: { kind: 'delivery', merchant_id, webhook_id, event_id, event_type: event.type },
    typedSearchAttributes: new TypedSearchAttributes([
      { key: MerchantIdAttribute, value: merchant_id },
      { key: EnvironmentAttribute, value: environment },
      { key: WebhookIdAttribute, value: webhook_id },
      ...(last
        ? [
            { key: AttemptAttribute, value: last.attempt },
            { key: LastStatusAttribute, value: last.status },
          ]
        : []),
    ]),
  });
}
