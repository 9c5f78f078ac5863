/** Finds the open subscription workflows of a query in Temporal. */
import type { Client } from '@temporalio/client';
import type { Environment } from '../../../../prisma/generated/enums';
import { EnvironmentAttribute } from '../../../../workflows/operating/attributes';
import { subscriptionWorkflowId } from '../../../../workflows/subscriptionContract';
import { ApiError } from '../../../platform/errors';
import { temporalProblem } from '../incidents/workflows';

const INVALID_ARGUMENT = 3;
const PREFIX = subscriptionWorkflowId('');

interface Selection {
  environment: Environment;
  query: string;
}

const openQuery = ({ environment, query }: Selection): string =>
  `(${query}) AND WorkflowType = 'subscription' AND CloseTime IS NULL AND ${EnvironmentAttribute.name} = '${environment}'`;

/** Throws if Temporal refuses the query or is unavailable. */
export async function countFound(temporal: Client | undefined, selection: Selection): Promise<number> {
  const problem = await temporalProblem(temporal);
  if (!temporal || problem) throw new ApiError('unavailable', 'temporal_problem', { problem: `${problem}` });
  const { workflowService } = temporal;
  const { namespace } = temporal.options;
  const count = (query: string) => workflowService.countWorkflowExecutions({ namespace, query });
  try {
    // Also without our conditions, so that its parentheses cannot end ours.
    await count(selection.query);
    return Number((await count(openQuery(selection))).count);
  } catch (error) {
    const { code, details } = error as { code?: number; details?: string };
    if (code !== INVALID_ARGUMENT) throw error;
    throw new ApiError('invalid_value', 'temporal_query', { field: 'query', problem: `${details}` });
  }
}

interface FoundPage {
  ids: string[];
  /** Undefined after the last page. */
  next: Uint8Array<ArrayBuffer> | undefined;
}

export async function readFound(
  { workflowService, options: { namespace } }: Client,
  selection: Selection,
  pageSize: number,
  after?: Uint8Array | null,
): Promise<FoundPage> {
  const { executions, nextPageToken } = await workflowService.listWorkflowExecutions({
    namespace,
    query: openQuery(selection),
    pageSize,
    ...(after && { nextPageToken: after }),
  });
  const workflowIds = (executions ?? []).map(({ execution }) => execution?.workflowId ?? '');
  return {
    ids: workflowIds.filter(id => id.startsWith(PREFIX)).map(id => id.slice(PREFIX.length)),
    next: nextPageToken?.length ? new Uint8Array(nextPageToken) : undefined,
  };
}
