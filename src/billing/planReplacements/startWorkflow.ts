import type { Client } from '@temporalio/client';
import { replacementWorkflowId } from '../../../workflows/contract';
import { EnvironmentAttribute, MerchantIdAttribute, PlanIdAttribute } from '../../../workflows/operating/attributes';
import type { Database } from '../../platform/database/connection';
import { startOrNudge } from '../../platform/startOrNudge';

export async function startReplacementWorkflow(
  db: Database,
  temporal: Client,
  taskQueue: string,
  id: string,
): Promise<void> {
  const row = await db.planReplacement.findUnique({
    where: { id },
    include: { merchant: { select: { environment: true } } },
  });
  if (row?.status !== 'running') return;
  const { merchant_id, plan_id, successor_id, total, merchant } = row;
  await startOrNudge(temporal, 'planReplacement', id, {
    workflowId: replacementWorkflowId(id),
    taskQueue,
    staticSummary: `Change of ${total} subscribers from plan ${plan_id} to ${successor_id}`,
    attributes: [
      { key: MerchantIdAttribute, value: merchant_id },
      { key: PlanIdAttribute, value: plan_id },
      { key: EnvironmentAttribute, value: merchant.environment },
    ],
  });
}
