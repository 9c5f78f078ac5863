/** Starts the workflow of a delivery whose first attempt failed, and tells it when a later one has ended. */
import type { Client } from '@temporalio/client';
import { TypedSearchAttributes, WorkflowIdReusePolicy } from '@temporalio/common';
import { deliveryWorkflowId, EnvironmentAttribute, MerchantIdAttribute, NUDGE } from '../../../workflows/contract';
import type { Database } from '../../database/connection';

export async function startDeliveryWorkflow(
  db: Database,
  { workflow }: Client,
  taskQueue: string,
  id: string,
): Promise<void> {
  const row = await db.delivery.findUnique({
    where: { id },
    select: { status: true, webhook: { select: { merchant: { select: { id: true, environment: true } } } } },
  });
  if (!row) return;
  const workflowId = deliveryWorkflowId(id);
  // It ends itself. Where it is gone already, the caller ignores that.
  if (row.status !== 'retrying') return workflow.getHandle(workflowId).signal(NUDGE);
  const { merchant } = row.webhook;
  await workflow.signalWithStart('delivery', {
    workflowId,
    taskQueue,
    args: [id],
    signal: NUDGE,
    // The row is authoritative: while it is retrying, a closed workflow of this id was not the one for it.
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    staticSummary: 'An event that has not arrived at a webhook yet',
    typedSearchAttributes: new TypedSearchAttributes([
      { key: MerchantIdAttribute, value: merchant.id },
      { key: EnvironmentAttribute, value: merchant.environment },
    ]),
  });
}
