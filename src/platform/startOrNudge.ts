import type { Client } from '@temporalio/client';
import { type SearchAttributePair, TypedSearchAttributes, WorkflowIdReusePolicy } from '@temporalio/common';
import { NUDGE } from '../../workflows/contract';

interface WorkflowOf {
  workflowId: string;
  taskQueue: string;
  /** Shown to operators before a worker has picked up the workflow. */
  staticSummary: string | undefined;
  attributes: SearchAttributePair[];
  memo?: Record<string, string | null>;
}

/**
 * Starts the workflow of one resource, or signals the running one to check the resource again. A completed workflow
 * restarts: the caller has seen unfinished work, for example in a restored database.
 */
export async function startOrNudge(
  { workflow }: Client,
  type: 'expiry' | 'payout' | 'planReplacement' | 'settlement',
  id: string,
  { workflowId, taskQueue, staticSummary, attributes, memo }: WorkflowOf,
): Promise<void> {
  await workflow.signalWithStart(type, {
    workflowId,
    taskQueue,
    args: [id],
    signal: NUDGE,
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    ...(staticSummary !== undefined && { staticSummary }),
    ...(memo && { memo }),
    typedSearchAttributes: new TypedSearchAttributes(attributes),
  });
}
