/**
 * The scheduled reconciliation: subscriptions in progress and open workflows match one to one, search attributes equal
 * the rows, and every due period is paid or has an attempt in progress.
 */
import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import type { AuditActivities, AuditProgress, Suspect } from '../../../workflows/contract';
import { EnvironmentAttribute } from '../../../workflows/operating/attributes';
import { subscriptionWorkflowId } from '../../../workflows/subscriptionContract';
import { openQuery } from '../../billing/subscriptions/billing/maintenance/repair';
import { readNeedingWorkflow } from '../../billing/subscriptions/billing/maintenance/rows';
import { type SubscriptionRow, subscriptionById } from '../../billing/subscriptions/rows';
import type { Database } from '../../platform/database/connection';
import { BOTH_ENVIRONMENTS } from '../../platform/database/environments';
import { findUncollectedPeriods } from './collectedPeriods';
import { attributesDiffer, confirmSuspects } from './suspects';
import { recordTallies, withChecks } from './tallies';

const MAX_PORTION_ROWS = 500;
/** Enough to diagnose a problem. */
const MAX_SUSPECTS = 500;
/** Sorts after every id. */
const END = '~';

export const reconciliationActivities = (
  db: Database,
  temporal: Client,
  environments = BOTH_ENVIRONMENTS,
): AuditActivities => ({
  async auditPortion(progress: AuditProgress): Promise<AuditProgress> {
    const found = await readNeedingWorkflow(db, environments, progress.after, MAX_PORTION_ROWS);
    const ids = found.map(({ id }) => id);
    const isDone = ids.length < MAX_PORTION_ROWS;
    const last = isDone ? END : (ids.at(-1) ?? END);
    const workflows = await listOpen(temporal, openQuery(environments), progress.after, last);
    // Read after the list, so that a new workflow is not reported as lacking its row.
    const rows = (await Promise.all(ids.map(id => subscriptionById(db, id)))).filter(row => row !== undefined);
    let { tallies } = progress;
    const suspects: Suspect[] = [];
    for (const environment of environments) {
      const own = rows.filter(row => row.environment === environment);
      const open = new Map([...workflows].filter(([, each]) => environmentOf(each, environments[0]) === environment));
      const suspect = (invariant: Suspect['invariant'], ids: readonly string[]): void => {
        suspects.push(...ids.map(subscription_id => ({ invariant, environment, subscription_id })));
      };
      suspect('subscriptions_have_workflows', idsOf(own.filter(({ id }) => !workflows.has(id))));
      const needed = new Set(idsOf(rows));
      suspect(
        'workflows_have_subscriptions',
        [...open.keys()].filter(id => !needed.has(id)),
      );
      const differing = own.filter(row => attributesDiffer(row, workflows.get(row.id)));
      suspect('attributes_equal_rows', idsOf(differing));
      tallies = withChecks(tallies, environment, 'subscriptions_have_workflows', own.length);
      tallies = withChecks(tallies, environment, 'workflows_have_subscriptions', open.size);
      tallies = withChecks(tallies, environment, 'attributes_equal_rows', own.length);
      const uncollected = await findUncollectedPeriods(db, own);
      tallies = withChecks(tallies, environment, 'periods_are_collected', own.length, uncollected);
    }
    return { after: last, isDone, tallies, suspects: [...progress.suspects, ...suspects].slice(0, MAX_SUSPECTS) };
  },

  auditSuspects: suspects => confirmSuspects(db, temporal, suspects),

  async recordAudit({ tallies, suspects }: AuditProgress): Promise<Record<string, number>> {
    const all = suspects.reduce(
      (sum, { environment, invariant, difference = '' }) => withChecks(sum, environment, invariant, 0, [difference]),
      tallies,
    );
    return recordTallies(db, environments, all);
  },
});

const idsOf = (rows: readonly SubscriptionRow[]): string[] => rows.map(({ id }) => id);

const environmentOf = ({ typedSearchAttributes }: WorkflowExecutionInfo, otherwise: string | undefined) =>
  typedSearchAttributes.get(EnvironmentAttribute) ?? otherwise;

/** Open workflows by subscription id, after `after` and up to `last`. */
async function listOpen(
  { workflow }: Client,
  query: string,
  after: string,
  last: string,
): Promise<Map<string, WorkflowExecutionInfo>> {
  const range = `WorkflowId BETWEEN '${subscriptionWorkflowId(after)}' AND '${subscriptionWorkflowId(last)}'`;
  const open = new Map<string, WorkflowExecutionInfo>();
  for await (const each of workflow.list({ query: `${query} AND ${range}`, pageSize: MAX_PORTION_ROWS }))
    open.set(each.workflowId.slice(subscriptionWorkflowId('').length), each);
  open.delete(after);
  return open;
}
