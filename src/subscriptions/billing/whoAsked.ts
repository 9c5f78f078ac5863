/** Who cancelled a workflow, as far as its history tells. */
import type { Client } from '@temporalio/client';
import { subscriptionWorkflowId } from '../../../workflows/contract';
import type { Actor } from '../../context';

const MAX_EVENTS = 20;
const MAX_NAME_LENGTH = 100;

/** Whom the server has authenticated, or else what the client calls itself. */
export async function whoAsked({ workflowService, options }: Client, subscription_id: string): Promise<Actor> {
  const { history } = await workflowService.getWorkflowExecutionHistoryReverse({
    namespace: options.namespace,
    execution: { workflowId: subscriptionWorkflowId(subscription_id) },
    maximumPageSize: MAX_EVENTS,
  });
  for (const event of history?.events ?? []) {
    const cancellation = event.workflowExecutionCancelRequestedEventAttributes;
    const update = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.meta;
    if (!cancellation && !update) continue;
    const name = event.principal?.name || (cancellation ?? update)?.identity;
    return { kind: 'temporal', id: name ? name.slice(0, MAX_NAME_LENGTH) : null };
  }
  return { kind: 'temporal', id: null };
}
