/** Starts the expiry workflow of a transaction, or wakes it after the transaction is settled so that it ends. */
import type { Client } from '@temporalio/client';
import { expiryWorkflowId, NUDGE } from '../../../workflows/contract';
import {
  CustomerIdAttribute,
  EnvironmentAttribute,
  MerchantIdAttribute,
} from '../../../workflows/operating/attributes';
import type { Database } from '../../platform/database/connection';
import { startOrNudge } from '../../platform/startOrNudge';
import { type ChargeMethodName, METHODS } from '../methods/methods';

export async function startExpiryWorkflow(
  db: Database,
  temporal: Client,
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
  if (!row || row.progress === 'settled') return temporal.workflow.getHandle(expiryWorkflowId(id)).signal(NUDGE);
  const { merchant_id, customer_id, merchant, page_key, method } = row;
  const kind = page_key === null ? 'Uncaptured charge' : METHODS[method as ChargeMethodName].unpaid;
  const owner = customer_id === null ? `merchant ${merchant_id}` : `customer ${customer_id}, merchant ${merchant_id}`;
  await startOrNudge(temporal, 'expiry', id, {
    workflowId: expiryWorkflowId(id),
    taskQueue,
    staticSummary: `${kind}: ${owner}, ${merchant.environment}`,
    memo: { kind: 'expiry', method, merchant_id, customer_id },
    attributes: [
      { key: MerchantIdAttribute, value: merchant_id },
      ...(customer_id === null ? [] : [{ key: CustomerIdAttribute, value: customer_id }]),
      { key: EnvironmentAttribute, value: merchant.environment },
    ],
  });
}
