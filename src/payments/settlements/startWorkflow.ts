/** Starts the workflow of a settlement report, or tells it that another part has come. */
import type { Client } from '@temporalio/client';
import { settlementWorkflowId } from '../../../workflows/contract';
import { EnvironmentAttribute } from '../../../workflows/operating/attributes';
import type { Database } from '../../platform/database/connection';
import { startOrNudge } from '../../platform/startOrNudge';

export async function startSettlementWorkflow(
  db: Database,
  temporal: Client,
  taskQueue: string,
  id: string,
): Promise<void> {
  const report = await db.settlementReport.findUnique({ where: { id } });
  if (!report || report.ended_at) return;
  const { environment, day } = report;
  await startOrNudge(temporal, 'settlement', id, {
    workflowId: settlementWorkflowId(id),
    taskQueue,
    staticSummary: `What the acquirer has settled for ${day}`,
    attributes: [{ key: EnvironmentAttribute, value: environment }],
  });
}
