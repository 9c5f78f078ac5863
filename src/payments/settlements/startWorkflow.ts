/** Starts the workflow of a settlement report, or nudges it after another part arrived. */
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
    staticSummary: `Settlement report of ${day}`,
    attributes: [{ key: EnvironmentAttribute, value: environment }],
  });
}
