/** Rechecks possible differences, because Temporal's list of workflows is eventually consistent and rows change. */
import { type Client, type WorkflowExecutionDescription, WorkflowNotFoundError } from '@temporalio/client';
import type { TypedSearchAttributes } from '@temporalio/common';
import type { Suspect } from '../../../workflows/contract';
import { NextChargeAtAttribute, SubscriptionStatusAttribute } from '../../../workflows/operating/attributes';
import { subscriptionWorkflowId } from '../../../workflows/subscriptionContract';
import { snapshotOf } from '../../billing/subscriptions/billing/snapshot';
import { type SubscriptionRow, subscriptionById } from '../../billing/subscriptions/rows';
import type { Database } from '../../platform/database/connection';

/** Limits the load on the Temporal server. */
const MAX_CONCURRENT_CHECKS = 16;

interface Described {
  typedSearchAttributes: TypedSearchAttributes;
  executionTime?: Date;
  /** 1 while it sleeps; lists contain 0 for open workflows. */
  historyLength: number;
}

/** Returns the suspects whose difference persists unchanged since the previous check. */
export async function confirmSuspects(db: Database, temporal: Client, suspects: Suspect[]): Promise<Suspect[]> {
  const confirmed: Suspect[] = [];
  const queue = [...suspects].reverse();
  const work = async (): Promise<void> => {
    for (let next = queue.pop(); next; next = queue.pop()) {
      const difference = await differenceOf(db, temporal, next);
      if (difference !== undefined && (next.difference ?? difference) === difference)
        confirmed.push({ ...next, difference });
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_CHECKS }, work));
  return confirmed;
}

/** Undefined if there is no difference, or if a pending outbox row will resolve it. */
async function differenceOf(
  db: Database,
  temporal: Client,
  { invariant, subscription_id: id }: Suspect,
): Promise<string | undefined> {
  const workflow = await describe(temporal, id);
  const isOpen = workflow !== undefined && workflow.closeTime === undefined;
  const [row, waiting] = await Promise.all([
    subscriptionById(db, id),
    db.outbox.findFirst({ where: { object_id: id }, select: { id: true } }),
  ]);
  if (waiting) return undefined;
  const isNeeded = row !== undefined && needsWorkflow(row);
  if (invariant === 'subscriptions_have_workflows')
    return isNeeded && !isOpen ? `${id} is ${row.status} and has no open workflow` : undefined;
  if (invariant === 'workflows_have_subscriptions')
    return isOpen && !isNeeded ? `${id} is ${row?.status ?? 'missing'} and its workflow is open` : undefined;
  // A workflow paused by an operator does not update its attributes.
  if (!isNeeded || !isOpen || workflow.status.name !== 'RUNNING' || !attributesDiffer(row, workflow)) return undefined;
  const published = publishedOf(workflow);
  return `${id} is ${shown(expectedOf(row))}, but its workflow has ${shown(published)}${shownSleep(published)}`;
}

/** Must equal NEEDS_WORKFLOW. */
const needsWorkflow = ({ status, open }: SubscriptionRow): boolean =>
  status !== 'new' && (status !== 'cancelled' || open !== null);

const describe = (temporal: Client, id: string): Promise<WorkflowExecutionDescription | undefined> =>
  temporal.workflow
    .getHandle(subscriptionWorkflowId(id))
    .describe()
    .catch(error => {
      if (error instanceof WorkflowNotFoundError) return undefined;
      throw error;
    });

interface Published {
  status: string | undefined;
  next_charge_at: number | null;
  /** When a sleeping workflow wakes; 0 for a run that has begun, which has read the row. */
  wake_at: number;
}

const expectedOf = (row: SubscriptionRow): Published => snapshotOf(row);
const publishedOf = ({ typedSearchAttributes: found, executionTime, historyLength }: Described): Published => ({
  status: found.get(SubscriptionStatusAttribute),
  next_charge_at: found.get(NextChargeAtAttribute)?.getTime() ?? null,
  wake_at: historyLength > 1 ? 0 : (executionTime?.getTime() ?? 0),
});
const shown = ({ status, next_charge_at: at }: Omit<Published, 'wake_at'>): string =>
  `${status ?? 'nothing'}, next charge ${at === null ? 'never' : new Date(at).toISOString()}`;
const shownSleep = ({ wake_at }: Published): string =>
  wake_at === 0 ? '' : `, and sleeps until ${new Date(wake_at).toISOString()}`;

/** Workflows start a moment after their rows are written. */
const MAX_LATE_MS = 60_000;

/** Whether the search attributes differ from the row, or the wake-up time is too late. Ignored while a test clock moves. */
export function attributesDiffer(row: SubscriptionRow, workflow: Described | undefined): boolean {
  if (!workflow || row.clock_to) return false;
  const [expected, published] = [expectedOf(row), publishedOf(workflow)];
  return (
    expected.status !== published.status ||
    expected.next_charge_at !== published.next_charge_at ||
    published.wake_at > Math.max(expected.wake_at, Date.now()) + MAX_LATE_MS
  );
}
