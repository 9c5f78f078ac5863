/**
 * Moves workflows to the task queue of their environment's worker, after environments start or stop sharing a worker. A
 * workflow cannot change its task queue, so it is terminated and restarted from its row.
 */
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Environment } from '../../../prisma/generated/enums';
import { EnvironmentAttribute } from '../../../workflows/operating/attributes';
import type { Database } from '../../platform/database/connection';
import { type Environments, environmentClause } from '../../platform/database/environments';
import type { OutboxKind } from '../../platform/database/outbox';

const REASON = 'moved to the task queue of its environment';
const MAX_MOVED_PER_SWEEP = 10_000;
/** Must exceed the time that terminating a workflow takes. */
const RESTART_DELAY_MS = 5000;

/** Outbox kind that starts each workflow type. */
const kinds: Record<string, OutboxKind> = {
  subscription: 'nudge',
  expiry: 'expiry',
  delivery: 'delivery',
  payout: 'payout',
  settlement: 'settlement',
  planReplacement: 'plan_replacement',
};

export async function moveMisplacedWorkflows(
  db: Database,
  { workflow }: Client,
  environments: Environments,
  taskQueue: string,
): Promise<{ count: number }> {
  const query = `TaskQueue != '${taskQueue}' AND ExecutionStatus = 'Running'${environmentClause(environments)}`;
  let count = 0;
  for await (const { workflowId, type, typedSearchAttributes } of workflow.list({ query })) {
    const kind = kinds[type];
    const environment = typedSearchAttributes.get(EnvironmentAttribute) as Environment | undefined;
    if (!kind || !environment) continue;
    // Written first: after a crash here, a nudge to a workflow that still runs is harmless.
    const again_at = new Date(Date.now() + RESTART_DELAY_MS);
    await db.outbox.create({ data: { kind, object_id: workflowId.slice(type.length + 1), environment, again_at } });
    await workflow.getHandle(workflowId).terminate(REASON).catch(ignoreIfEnded);
    count += 1;
    if (count === MAX_MOVED_PER_SWEEP) break;
  }
  return { count };
}

function ignoreIfEnded(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}
