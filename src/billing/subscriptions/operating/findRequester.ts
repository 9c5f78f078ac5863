/** Finds the requester of an operator request in the workflow history. */
import type { Client } from '@temporalio/client';
import type { OperatorRequest } from '../../../../workflows/operating/requests';
import { subscriptionWorkflowId } from '../../../../workflows/subscriptionContract';
import type { Actor } from '../../../schema/operation/context';

const MAX_EVENTS = 20;
const MAX_NAME_LENGTH = 100;

/** Returns the authenticated principal, or else the actor of the request. */
export async function findRequester(
  { workflowService, options }: Client,
  subscription_id: string,
  { update_id, actor }: OperatorRequest,
): Promise<Actor> {
  const { history } = await workflowService.getWorkflowExecutionHistoryReverse({
    namespace: options.namespace,
    execution: { workflowId: subscriptionWorkflowId(subscription_id) },
    maximumPageSize: MAX_EVENTS,
  });
  for (const event of history?.events ?? []) {
    const update = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.meta;
    if (update?.updateId === update_id) return actorOf(event.principal?.name || actor);
  }
  return actorOf(actor);
}

const actorOf = (name: string): Actor => ({ kind: 'temporal', id: name.slice(0, MAX_NAME_LENGTH) });
