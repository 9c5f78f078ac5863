/** What Temporal knows of the workflow of a thing. */
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { deliveryWorkflowId, expiryWorkflowId, payoutWorkflowId } from '../../../../workflows/contract';
import { subscriptionWorkflowId } from '../../../../workflows/subscriptionContract';
import type { DueKind } from './rows';

const TIMEOUT_MS = 3000;
/** Each takes the server a moment. */
const MAX_CONCURRENT_CALLS = 16;
/** Of its history, in which the latest failure is looked for. */
const MAX_EVENTS = 20;

export const workflowIdOf: Readonly<Record<DueKind, (id: string) => string>> = {
  subscription: subscriptionWorkflowId,
  expiry: expiryWorkflowId,
  payout: payoutWorkflowId,
  delivery: deliveryWorkflowId,
};

export interface WorkflowState {
  /** `missing` where there never was one, or it is forgotten. */
  status: 'missing' | 'running' | 'paused' | 'ended';
  run_id: string | null;
  /** How often its current task has failed: the code of the workflow cannot go on. */
  failedTasks: number;
  /** The activity that is being tried, and how often it was. */
  activity: string | null;
  failure: string | null;
}

/** Why Temporal cannot be asked; undefined if it can. */
export async function temporalProblem(temporal: Client | undefined): Promise<string | undefined> {
  if (!temporal) return 'not known: TEMPORAL_ADDRESS is not set';
  const { namespace } = temporal.options;
  return temporal.connection
    .withDeadline(Date.now() + TIMEOUT_MS, () => temporal.workflowService.describeNamespace({ namespace }))
    .then(
      () => undefined,
      ({ details, message }) => `cannot be reached: ${details || message}`,
    );
}

/** In the order of the ids. */
export async function workflowStates(temporal: Client, workflowIds: readonly string[]): Promise<WorkflowState[]> {
  const states: WorkflowState[] = [];
  const queue = [...workflowIds.entries()].reverse();
  const work = async (): Promise<void> => {
    for (let next = queue.pop(); next; next = queue.pop()) states[next[0]] = await workflowState(temporal, next[1]);
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_CALLS }, work));
  return states;
}

const MISSING: WorkflowState = { status: 'missing', run_id: null, failedTasks: 0, activity: null, failure: null };

export async function workflowState(temporal: Client, workflowId: string): Promise<WorkflowState> {
  const description = await temporal.workflow
    .getHandle(workflowId)
    .describe()
    .catch(error => {
      if (error instanceof WorkflowNotFoundError) return undefined;
      throw error;
    });
  if (!description) return MISSING;
  const { raw, runId: run_id, status } = description;
  if (raw.workflowExecutionInfo?.closeTime)
    return { ...MISSING, status: 'ended', run_id, failure: `it is ${status.name}` };
  const failedTasks = Math.max(0, (raw.pendingWorkflowTask?.attempt ?? 1) - 1);
  const [pending] = raw.pendingActivities ?? [];
  const failure = pending?.lastFailure?.message ?? (await latestFailure(temporal, workflowId));
  return {
    status: status.name === 'RUNNING' ? 'running' : 'paused',
    run_id,
    failedTasks,
    activity: pending ? `${pending.activityType?.name}, attempt ${pending.attempt ?? 1}` : null,
    failure,
  };
}

/**
 * Null where the latest that it did went well. Local activities leave a mark in the history, with the failure of one
 * that is tried again later.
 */
async function latestFailure({ workflowService, options }: Client, workflowId: string): Promise<string | null> {
  const { history } = await workflowService.getWorkflowExecutionHistoryReverse({
    namespace: options.namespace,
    execution: { workflowId },
    maximumPageSize: MAX_EVENTS,
  });
  for (const event of history?.events ?? []) {
    const task = event.workflowTaskFailedEventAttributes;
    if (task) return task.failure?.message ?? 'its task failed';
    const mark = event.markerRecordedEventAttributes;
    if (mark || event.activityTaskCompletedEventAttributes) return mark?.failure?.message ?? null;
  }
  return null;
}
