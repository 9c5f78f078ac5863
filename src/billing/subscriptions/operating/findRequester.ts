/** Finds the requester of an operator request in the workflow history. */
import type { Client } from '@temporalio/client';
import type { OperatorRequest } from '../../../../workflows/operating/requests';
import { subscriptionWorkflowId } from '../../../../workflows/subscriptionContract';
import type { Actor } from '../../../schema/operation/context';

const MAX_EVENTS = 20;
const MAX_NAME_LENGTH = 100;

/**
 * Returns the authenticated principal, or else the actor of the request, or else the client identity. Without a request, the
 * event is a Request Cancellation.
 */
export async function findRequester(
  { workflowService, options }: Client,
  subscription_id: string,
  request?: OperatorRequest,
): Promise<Actor> {
  const { history } = await workflowService.getWorkflowExecutionHistoryReverse({
    namespace: options.namespace,
    execution: { workflowId: subscriptionWorkflowId(subscription_id) },
    maximumPageSize: MAX_EVENTS,
  });
  for (const event of history?.events ?? []) {
    const cancellation = event.workflowExecutionCancelRequestedEventAttributes;
    const update = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.meta;
    const signal = event.workflowExecutionSignaledEventAttributes;
    const isRequest = !request
      ? cancellation
      : request.update_id === undefined
        ? signal?.signalName === request.name
        : update?.updateId === request.update_id;
    if (!isRequest) continue;
    const identity = (cancellation ?? update ?? signal)?.identity;
    return actorOf(event.principal?.name || request?.actor || identity);
  }
  return actorOf(request?.actor);
}

const actorOf = (name: string | null | undefined): Actor => ({
  kind: 'temporal',
  id: name ? name.slice(0, MAX_NAME_LENGTH) : null,
});
