/**
 * Starts the workflow that lets a transaction expire; once the transaction is settled, wakes the workflow so that it
 * ends.
 */
import type { Client } from '@temporalio/client';
import { TypedSearchAttributes, WorkflowIdReusePolicy } from '@temporalio/common';
import {
  CustomerIdAttribute,
  EnvironmentAttribute,
  expiryWorkflowId,
  MerchantIdAttribute,
  NUDGE,
} from '../../workflows/contract';
import type { Database } from '../database/connection';

export async function startExpiryWorkflow(
  db: Database,
  { workflow }: Client,
  taskQueue: string,
  id: string,
): Promise<void> {
  const row = await db.transaction.findUnique({
    where: { id },
    select: {
      progress: true,
      page_key: true,
      method: true,
      merchant_id: true,
      customer_id: true,
      merchant: { select: { environment: true } },
    },
  });
  if (!row || row.progress === 'settled') return workflow.getHandle(expiryWorkflowId(id)).signal(NUDGE);
  const { merchant_id, customer_id, merchant, page_key, method } = row;
  const staticSummary = page_key === null ? 'A reserved charge that waits to be captured' : summaries[method];
  await workflow.signalWithStart('expiry', {
    workflowId: expiryWorkflowId(id),
    taskQueue,
    args: [id],
    signal: NUDGE,
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
    ...(staticSummary === undefined ? {} : { staticSummary }),
    typedSearchAttributes: new TypedSearchAttributes([
      { key: MerchantIdAttribute, value: merchant_id },
      ...(customer_id === null ? [] : [{ key: CustomerIdAttribute, value: customer_id }]),
      { key: EnvironmentAttribute, value: merchant.environment },
    ]),
  });
}

/** Shown to operators in Temporal. */
const summaries: Record<string, string> = {
  card: 'A payment page that waits for its payer',
  store: 'A voucher that waits to be paid in a store',
  bank_account: 'A payment that waits for the bank of its payer',
};
