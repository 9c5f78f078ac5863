/** State of workflows in Temporal. */
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { deliveryWorkflowId, expiryWorkflowId, payoutWorkflowId } from '../../../../workflows/contract';
import { subscriptionWorkflowId } from '../../../../workflows/subscriptionContract';
import type { DueKind } from './rows';

const TIMEOUT_MS = 3000;
/** Limits the load on the Temporal server. */
const MAX_CONCURRENT_CALLS = 16;
/** History events searched for the latest failure. */
const MAX_EVENTS = 20;

export const workflowIdOf: Readonly<Record<DueKind, (id: string) => string>> = {
  subscription: subscriptionWorkflowId,
  expiry: expiryWorkflowId,
  payout: payoutWorkflowId,
  delivery: deliveryWorkflowId,
};

export interface WorkflowState {
  /** `missing` also after Temporal's retention period. */
  status: 'missing' | 'running' | 'paused' | 'ended';
  run_id: string | null;
  /** Failures of the current workflow task. */
  failedTasks: number;
  /** Pending activity with its attempt number. */
  activity: string | null;
  failure: string | null;
}

/** Returns why Temporal is unavailable; undefined if it is available. */
export async function temporalProblem(temporal: Client | undefined): Promise<string | undefined> {
  if (!temporal) return 'not configured: TEMPORAL_ADDRESS is not set';
  const { namespace } = temporal.options;
  return temporal.connection
    .withDeadline(Date.now() + TIMEOUT_MS, () => temporal.workflowService.describeNamespace({ namespace }))
    .then(
      () => undefined,
      ({ details, message }) => `unreachable: ${details || message}`,
    );
}

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
    return { ...MISSING, status: 'ended', run_id, failure: `closed as ${status.name}` };
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
 * Returns null if the latest task or activity succeeded. Failures of local activities are in marker events.
 */
async function latestFailure({ workflowService, options }: Client, workflowId: string): Promise<string | null> {
  const { history } = await workflowService.getWorkflowExecutionHistoryReverse({
    namespace: options.namespace,
    execution: { workflowId },
    maximumPageSize: MAX_EVENTS,
  });
  for (const event of history?.events ?? []) {
    const task = event.workflowTaskFailedEventAttributes;
    if (task) return task.failure?.message ?? 'workflow task failed';
    const marker = event.markerRecordedEventAttributes;
    if (marker || event.activityTaskCompletedEventAttributes) return marker?.failure?.message ?? null;
  }
  return null;
}
