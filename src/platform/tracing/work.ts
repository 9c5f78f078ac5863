/** What a worker does, as spans of the trace that it follows from. */
import { SpanKind } from '@opentelemetry/api';
import { Context as Activity } from '@temporalio/activity';
import { traceOf } from './remembered';
import { areSpansKept, inSpan } from './spans';

type Work = (id: string, ...rest: unknown[]) => Promise<unknown>;

/** The same activities, each in a span of the trace of the object that it is called for. */
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

/** A row of the outbox. */
export const inOutboxSpan = async <T>(kind: string, object_id: string, work: () => Promise<T>): Promise<T> =>
  areSpansKept()
    ? inSpan(
        `outbox ${kind}`,
        { kind: SpanKind.CONSUMER, attributes: { object_id }, parent: await traceOf(object_id) },
        work,
      )
    : work();

/** An attempt at a delivery. */
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
