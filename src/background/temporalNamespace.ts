import {
  type Client,
  type Connection,
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { SearchAttributeType } from '@temporalio/common';
import {
  CustomerIdAttribute,
  EnvironmentAttribute,
  MerchantIdAttribute,
  NextChargeAtAttribute,
  PlanIdAttribute,
  SubscriptionStatusAttribute,
  SWEEP_INTERVAL,
  sweepIdOf,
} from '../../workflows/contract';

const sweepOn = (taskQueue: string) =>
  ({
    scheduleId: sweepIdOf(taskQueue),
    spec: { intervals: [{ every: SWEEP_INTERVAL }] },
    action: { type: 'startWorkflow', workflowType: 'sweep', workflowId: sweepIdOf(taskQueue), taskQueue },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
  }) as const satisfies ScheduleOptions;

/** The numbers of these types in Temporal's gRPC protocol. */
const typeNumbers: Partial<Record<SearchAttributeType, number>> = {
  [SearchAttributeType.KEYWORD]: 2,
  [SearchAttributeType.DATETIME]: 6,
};
const searchAttributes = Object.fromEntries(
  [
    MerchantIdAttribute,
    CustomerIdAttribute,
    PlanIdAttribute,
    EnvironmentAttribute,
    SubscriptionStatusAttribute,
    NextChargeAtAttribute,
  ].map(({ name, type }) => [name, typeNumbers[type] ?? 0]),
);

/** The attributes by which operators find subscriptions in Temporal. */
export async function ensureSearchAttributes({ connection, options: { namespace } }: Client): Promise<void> {
  const { operatorService } = connection as Connection;
  const { customAttributes = {} } = await operatorService.listSearchAttributes({ namespace });
  const missing = Object.fromEntries(Object.entries(searchAttributes).filter(([name]) => !(name in customAttributes)));
  if (Object.keys(missing).length > 0)
    await operatorService.addSearchAttributes({ namespace, searchAttributes: missing });
}

/**
 * Creates whatever is missing in the Temporal namespace. Every worker calls this when it starts and then periodically,
 * so that a server that was wiped is set up again.
 */
export async function ensureNamespace(client: Client, taskQueue: string, isStartup: boolean): Promise<void> {
  await ensureSearchAttributes(client);
  const sweep = sweepOn(taskQueue);
  const { schedule } = client;
  try {
    await schedule.create({ ...sweep, state: { triggerImmediately: true } });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    if (isStartup) await schedule.getHandle(sweep.scheduleId).update(({ state }) => ({ ...sweep, state }));
  }
}
