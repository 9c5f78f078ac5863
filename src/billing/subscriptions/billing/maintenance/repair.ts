/** Finds subscriptions whose workflow was lost, terminated or deleted with its server, and starts it again. */
import type { Client } from '@temporalio/client';
import { subscriptionWorkflowId } from '../../../../../workflows/subscriptionContract';
import type { Database } from '../../../../platform/database/connection';
import { BOTH_ENVIRONMENTS, type Environments, environmentClause } from '../../../../platform/database/environments';
import {
  countNeedingWorkflow,
  nudgeOverdue,
  nudgeOverdueInSandbox,
  queueWorkflowStarts,
  readNeedingWorkflow,
} from './rows';

/** Includes paused workflows. The query does not name that status, which older servers refuse. */
export const openQuery = (environments: Environments): string =>
  `WorkflowType = 'subscription' AND CloseTime IS NULL${environmentClause(environments)}`;
const pausedQuery = (environments: Environments): string =>
  `${openQuery(environments)} AND ExecutionStatus != 'Running'`;
const MAX_PAGE_ROWS = 1000;

/** The list of open workflows is eventually consistent, and starting a workflow that runs has no effect. */
export async function repairSubscriptions(
  db: Database,
  temporal: Client,
  environments = BOTH_ENVIRONMENTS,
): Promise<{ count: number }> {
  const paused = [...(await subscriptionIds(temporal, pausedQuery(environments)))];
  const overdue =
    (await nudgeOverdue(db, environments, paused)) +
    (environments.includes('sandbox') ? await nudgeOverdueInSandbox(db, paused) : 0);
  const [open, needed] = await Promise.all([
    temporal.workflow.count(openQuery(environments)),
    countNeedingWorkflow(db, environments),
  ]);
  if (open.count >= needed) return { count: overdue };

  let count = overdue;
  for (let last = ''; ; ) {
    const rows = await readNeedingWorkflow(db, environments, last, MAX_PAGE_ROWS);
    const first = rows[0]?.id;
    if (first === undefined) return { count };
    last = rows.at(-1)?.id ?? first;
    // Compared page by page to bound the memory.
    const range = `WorkflowId BETWEEN '${subscriptionWorkflowId(first)}' AND '${subscriptionWorkflowId(last)}'`;
    const openIds = await subscriptionIds(temporal, `${openQuery(environments)} AND ${range}`);
    const lost = rows.map(({ id }) => id).filter(id => !openIds.has(id));
    count += await queueWorkflowStarts(db, lost);
  }
}

async function subscriptionIds(temporal: Client, query: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const { workflowId } of temporal.workflow.list({ query, pageSize: MAX_PAGE_ROWS }))
    ids.add(workflowId.slice(subscriptionWorkflowId('').length));
  return ids;
}
