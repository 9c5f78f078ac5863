/** How the workflows of single things are started: one for each, and one that runs already is told to look again. */
import type { Client } from '@temporalio/client';
import { type SearchAttributePair, TypedSearchAttributes, WorkflowIdReusePolicy } from '@temporalio/common';
import { NUDGE } from '../../workflows/contract';

interface WorkflowOf {
  workflowId: string;
  taskQueue: string;
  /** What operators read of it before any worker has answered. */
  staticSummary: string | undefined;
  attributes: SearchAttributePair[];
  /** What it is about: ids and words. */
  memo?: Record<string, string | null>;
}

/**
 * `id` is of the thing: all that the workflow is told. One that has ended is started again: whoever calls has seen that
 * the thing is not done, as in a database that was restored.
 */
export async function startOrNudge(
  { workflow }: Client,
  type: 'expiry' | 'payout' | 'settlement',
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
