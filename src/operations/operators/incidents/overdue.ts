import { formatMoment } from '../../../../workflows/calendar';
import { BOTH_ENVIRONMENTS } from '../../../platform/database/environments';
import { hasWorkerHeartbeat } from '../../../platform/database/heartbeats';
import { formatMoney } from '../../../platform/money';
import { type CommandPage, type CommandResult, type OperatorCommandInput, pageOf } from '../command';
import { type OverdueRow, readOverdue, readSums } from './rows';
import { temporalProblem, type WorkflowState, workflowIdOf, workflowStates } from './workflows';

const MAX_MERCHANTS = 100;

type Workers = Partial<Record<string, boolean>>;

/** The command `overdue`. */
export async function listOverdue({ options, ...services }: OperatorCommandInput): Promise<CommandResult> {
  const { merchant } = options;
  const [sums, { problem, workers, items, next_offset }] = await Promise.all([
    readSums(services.db, merchant, MAX_MERCHANTS),
    findOverdue(services, merchant, pageOf(options)),
  ]);
  return {
    records: {
      temporal: problem ?? 'up',
      workers: Object.fromEntries(BOTH_ENVIRONMENTS.map(name => [name, workers[name] ? 'up' : 'away'])),
      overdue: items.map(({ row, reason }) => toOverdue(row, reason)),
      merchants: sums.map(sum => ({
        ...sum,
        amount: formatMoney(sum.amount),
        since: formatMoment(sum.since.getTime()),
        late: describeAge(sum.since),
      })),
      next_offset,
    },
  };
}

interface OverdueWorkPage {
  /** Why Temporal was not queried. */
  problem: string | undefined;
  workers: Workers;
  /** Most overdue first. */
  items: { row: OverdueRow; reason: Reason }[];
  next_offset: number | null;
}

export async function findOverdue(
  { db, temporal }: Pick<OperatorCommandInput, 'db' | 'temporal'>,
  merchant: string | undefined,
  page: CommandPage,
): Promise<OverdueWorkPage> {
  const [rows, problem, workers] = await Promise.all([
    readOverdue(db, merchant, page),
    temporalProblem(temporal),
    readWorkers(db),
  ]);
  const shown = rows.slice(0, page.limit);
  const ids = shown.map(({ kind, id }) => workflowIdOf[kind](id));
  const states = temporal && !problem ? await workflowStates(temporal, ids) : [];
  const items = shown.map((row, i) => ({ row, reason: reasonOf(row, workers, states[i]) }));
  return { problem, workers, items, next_offset: rows.length > page.limit ? page.offset + page.limit : null };
}

const readWorkers = async (db: OperatorCommandInput['db']): Promise<Workers> =>
  Object.fromEntries(
    await Promise.all(BOTH_ENVIRONMENTS.map(async name => [name, await hasWorkerHeartbeat(db, name)])),
  );

const toOverdue = (row: OverdueRow, [reason, details]: Reason) => ({
  kind: row.kind,
  id: row.id,
  merchant_id: row.merchant_id,
  environment: row.environment,
  due_at: formatMoment(row.due_at.getTime()),
  late: describeAge(row.since),
  late_seconds: Math.max(0, Math.round((Date.now() - row.since.getTime()) / 1000)),
  amount: row.amount === null ? null : formatMoney(row.amount),
  reason,
  details,
});

type Reason = readonly [word: string, details: string | null];

/** Returns the first reason that requires action. Without Temporal, uses the database only. */
function reasonOf(row: OverdueRow, workers: Workers, workflow: WorkflowState | undefined): Reason {
  if (row.is_suspended && row.kind !== 'delivery' && row.tries === null) return ['merchant_suspended', null];
  if (row.held_for !== null && row.tries === null) return ['held', row.held_for];
  if (row.kind === 'delivery' && row.progress === 'disabled') return ['webhook_disabled', null];
  if (!workers[row.environment]) return ['worker_away', null];
  // The first attempt of a delivery has no workflow.
  if (workflow && !(row.kind === 'delivery' && row.tries === 0)) {
    if (workflow.status === 'missing' || workflow.status === 'ended') return ['no_workflow', workflow.failure];
    if (workflow.status === 'paused') return ['workflow_paused', null];
    if (workflow.failedTasks > 0)
      return ['workflow_failing', `workflow task failed ${workflow.failedTasks} times: ${workflow.failure}`];
  }
  if (row.tries !== null && row.kind === 'subscription')
    return ['waits_for_acquirer', `no response ${row.tries} times`];
  if (workflow?.failure) return [callsAcquirer(row) ? 'waits_for_acquirer' : 'activity_failing', workflow.failure];
  if (row.progress === 'voiding') return ['waits_for_acquirer', null];
  return ['under_way', null];
}

/** Their activities fail while the acquirer does not respond. */
const callsAcquirer = ({ kind }: OverdueRow): boolean => kind === 'payout' || kind === 'expiry';

/** Formats the two largest units, for example `3 d 4 h`. */
export function describeAge(since: Date): string {
  const seconds = Math.max(0, Math.round((Date.now() - since.getTime()) / 1000));
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const first = Math.max(
    0,
    parts.findIndex(([count]) => count > 0),
  );
  const shown = seconds === 0 ? parts.slice(-1) : parts.slice(first, first + 2);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ');
}
