import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Client,
  type Connection,
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { SearchAttributeType } from '@temporalio/common';
import { AUDIT_INTERVAL, auditIdOf, SWEEP_INTERVAL, sweepIdOf } from '../../../workflows/contract';
import { SEARCH_ATTRIBUTES } from '../../../workflows/operating/attributes';
import type { Log } from '../../platform/log';

const schedule = (
  workflowType: string,
  scheduleId: string,
  every: typeof SWEEP_INTERVAL | typeof AUDIT_INTERVAL,
  taskQueue: string,
) =>
  ({
    scheduleId,
    spec: { intervals: [{ every }] },
    action: { type: 'startWorkflow', workflowType, workflowId: scheduleId, taskQueue },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
  }) as const satisfies ScheduleOptions;

const schedulesOn = (taskQueue: string) => [
  schedule('sweep', sweepIdOf(taskQueue), SWEEP_INTERVAL, taskQueue),
  schedule('audit', auditIdOf(taskQueue), AUDIT_INTERVAL, taskQueue),
];

/** The numbers of these types in Temporal's gRPC protocol. */
const typeNumbers: Partial<Record<SearchAttributeType, number>> = {
  [SearchAttributeType.KEYWORD]: 2,
  [SearchAttributeType.INT]: 3,
  [SearchAttributeType.DOUBLE]: 4,
  [SearchAttributeType.DATETIME]: 6,
};
const searchAttributes = Object.fromEntries(SEARCH_ATTRIBUTES.map(({ name, type }) => [name, typeNumbers[type] ?? 0]));

/** The search attributes that the namespace lacks. Temporal refuses to start a workflow with one of them. */
export async function missingSearchAttributes({ connection, options: { namespace } }: Client) {
  const { operatorService } = connection as Connection;
  const { customAttributes = {} } = await operatorService.listSearchAttributes({ namespace });
  return Object.fromEntries(Object.entries(searchAttributes).filter(([name]) => !(name in customAttributes)));
}

/** Registers the search attributes that operators use to find workflows. */
export async function ensureSearchAttributes(client: Client): Promise<void> {
  const missing = await missingSearchAttributes(client);
  if (Object.keys(missing).length === 0) return;
  const { operatorService } = client.connection as Connection;
  await operatorService.addSearchAttributes({ namespace: client.options.namespace, searchAttributes: missing });
}

/**
 * Creates missing search attributes and schedules in the Temporal namespace. Every worker calls this at startup and then
 * periodically, so that a wiped server is set up again.
 */
async function ensureNamespace(client: Client, taskQueue: string, isStartup: boolean): Promise<void> {
  await ensureSearchAttributes(client);
  for (const desired of schedulesOn(taskQueue)) {
    try {
      await client.schedule.create({ ...desired, state: { triggerImmediately: true } });
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      if (isStartup) await client.schedule.getHandle(desired.scheduleId).update(({ state }) => ({ ...desired, state }));
    }
  }
}

const ENSURE_INTERVAL_MS = 10_000;

/** Restores search attributes and schedules on a wiped Temporal server; its first sweep restarts every workflow. */
export async function runNamespaceLoop(
  temporal: Client,
  taskQueue: string,
  log: Log,
  stop: AbortSignal,
): Promise<void> {
  for (let isFirst = true; !stop.aborted; ) {
    const isReady = await ensureNamespace(temporal, taskQueue, isFirst).then(
      () => {
        isFirst = false;
        return true;
      },
      error => log.warn(`temporal: search attributes and schedules not ready, retrying: ${error.message}`),
    );
    await sleep(isReady ? ENSURE_INTERVAL_MS : 1000, undefined, { signal: stop }).catch(() => undefined);
  }
}
