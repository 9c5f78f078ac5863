/**
 * Moves workflows to the task queue where the worker of their environment runs them. They are elsewhere where the
 * environments have shared a worker until now, or share one again. A workflow cannot change its queue, but each can be
 * started again from its row.
 */
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Environment } from '../../../prisma/generated/enums';
import { EnvironmentAttribute } from '../../../workflows/operating/attributes';
import type { Database } from '../../platform/database/connection';
import { andIn, type Environments } from '../../platform/database/environments';
import type { OutboxKind } from '../../platform/database/outbox';

const REASON = 'moved to the task queue of its environment';
const MAX_MOVED_PER_SWEEP = 10_000;
/** Longer than it takes to terminate a workflow. */
const RESTART_DELAY_MS = 5000;

/** Which row of the outbox starts a workflow of this type. */
const kinds: Record<string, OutboxKind> = {
  subscription: 'nudge',
  expiry: 'expiry',
  delivery: 'delivery',
  payout: 'payout',
  settlement: 'settlement',
};

export async function moveMisplacedWorkflows(
  db: Database,
  { workflow }: Client,
  environments: Environments,
  taskQueue: string,
): Promise<{ count: number }> {
  const query = `TaskQueue != '${taskQueue}' AND ExecutionStatus = 'Running'${andIn(environments)}`;
  let count = 0;
  for await (const { workflowId, type, typedSearchAttributes } of workflow.list({ query })) {
    const kind = kinds[type];
    const environment = typedSearchAttributes.get(EnvironmentAttribute) as Environment | undefined;
    if (!kind || !environment) continue;
    // Written first: whoever stops here has left a nudge to a workflow that still runs, which does no harm.
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
