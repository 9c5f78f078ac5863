/** Starts or nudges the workflow of a payout. */
import type { Client } from '@temporalio/client';
import { payoutWorkflowId } from '../../../workflows/contract';
import { EnvironmentAttribute, MerchantIdAttribute } from '../../../workflows/operating/attributes';
import type { Database } from '../../platform/database/connection';
import { startOrNudge } from '../../platform/startOrNudge';

export async function startPayoutWorkflow(
  db: Database,
  temporal: Client,
  taskQueue: string,
  id: string,
): Promise<void> {
  const row = await db.transaction.findUnique({
    where: { id },
    select: { merchant_id: true, progress: true, merchant: { select: { environment: true } } },
  });
  if (row?.progress !== 'sending') return;
  await startOrNudge(temporal, 'payout', id, {
    workflowId: payoutWorkflowId(id),
    taskQueue,
    staticSummary: 'Payout to a merchant',
    attributes: [
      { key: MerchantIdAttribute, value: row.merchant_id },
      { key: EnvironmentAttribute, value: row.merchant.environment },
    ],
  });
}
