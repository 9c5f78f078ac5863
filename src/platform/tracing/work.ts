import { SpanKind } from '@opentelemetry/api';
import { Context as Activity } from '@temporalio/activity';
import { traceOf } from './remembered';
import { areSpansKept, inSpan } from './spans';

type Work = (id: string, ...rest: unknown[]) => Promise<unknown>;

/** Runs each activity in a span of the trace of its object. */
export function traceActivities<T extends object>(activities: T): T {
  if (!areSpansKept()) return activities;
  const traced = Object.entries(activities).map(([name, call]: [string, Work]) => [
    name,
    async (id: string, ...rest: unknown[]) => {
      const { workflowType, workflowExecution } = Activity.current().info;
      const attributes = { 'temporal.workflow_id': workflowExecution?.workflowId ?? '' };
      const parent = await traceOf(id);
      return inSpan(`${workflowType} ${name}`, { attributes, parent }, () => call(id, ...rest));
    },
  ]);
  return Object.fromEntries(traced) as T;
}

export const inOutboxSpan = async <T>(kind: string, object_id: string, work: () => Promise<T>): Promise<T> =>
  areSpansKept()
    ? inSpan(
        `outbox ${kind}`,
        { kind: SpanKind.CONSUMER, attributes: { object_id }, parent: await traceOf(object_id) },
        work,
      )
    : work();

export const inDeliverySpan = async <T>(
  { type, object_id }: { type: string; object_id: string },
  webhook_id: string,
  work: () => Promise<T>,
): Promise<T> =>
  areSpansKept()
    ? inSpan(
        `webhook ${type}`,
        { kind: SpanKind.CLIENT, attributes: { object_id, webhook_id }, parent: await traceOf(object_id) },
        work,
      )
    : work();
