/** Commands that list and drain workers. */
import { formatMoment } from '../../../../workflows/calendar';
import { auditEntry } from '../../../accounts/auditLog/entry';
import { COMMAND_LINE } from '../../../accounts/merchants/accounts';
import { ApiError } from '../../../platform/errors';
import type { CommandResult, OperatorCommand, OperatorCommandInput } from '../command';
import { describeAge } from '../incidents/overdue';
import { MAX_SILENCE_MS } from '../operations/rows';

/** Selects all workers instead of an id. */
const ALL = 'all';

export const workersCommand: OperatorCommand = {
  summary: 'Lists worker processes with their builds, oldest first',
  columns: ['id', 'environment', 'host', 'pid', 'build', 'started_at', 'last_beat', 'drain_asked_at'],
  run: async ({ db }) => ({ records: (await readWorkers(db)).map(toWorker) }),
};

export const drainCommand: OperatorCommand = {
  summary: 'Drains a worker (or all): it accepts no new work, finishes its current work and exits',
  hasId: true,
  required: ['reason'],
  needsConfirmation: true,
  tables: { workers: workersCommand.columns ?? [], steps: ['step', 'text'] },
  run: drain,
};

const readWorkers = (db: OperatorCommandInput['db']) => db.workerProcess.findMany({ orderBy: { started_at: 'asc' } });
type WorkerRow = Awaited<ReturnType<typeof readWorkers>>[number];

const toWorker = ({ beat_at, started_at, drain_asked_at, environment, ...worker }: WorkerRow) => ({
  ...worker,
  environment: environment ?? 'both',
  started_at: formatMoment(started_at.getTime()),
  last_beat: `${describeAge(beat_at)} ago`,
  drain_asked_at: drain_asked_at && formatMoment(drain_asked_at.getTime()),
});

async function drain({ db, id, options: { reason = '' }, yes = false }: OperatorCommandInput): Promise<CommandResult> {
  const all = await readWorkers(db);
  const chosen = all.filter(worker => id === ALL || worker.id === id);
  if (chosen.length === 0) throw new ApiError('not_found', id === ALL ? 'no_workers' : 'unknown_worker', { id });
  // Dead workers stay listed for a day.
  const isAlive = ({ beat_at, drain_asked_at }: WorkerRow): boolean =>
    Date.now() - beat_at.getTime() < MAX_SILENCE_MS && drain_asked_at === null;
  const servesSame = ({ environment }: WorkerRow): boolean =>
    environment === null || chosen.every(worker => worker.environment === environment);
  const left = all.filter(worker => !chosen.includes(worker) && isAlive(worker) && servesSame(worker)).length;
  const steps = [
    `${chosen.length === 1 ? 'The worker stops' : `${chosen.length} workers stop`} accepting work within seconds, finish their current work, and exit with code 0.`,
    `${left === 0 ? 'No other worker is running' : left === 1 ? '1 other worker keeps running' : `${left} other workers keep running`}. Without a worker, due work waits.`,
    'A process supervisor may restart the worker, with the installed build.',
  ];
  const ids = chosen.flatMap(worker => (worker.drain_asked_at ? [] : [worker.id]));
  if (yes)
    await db.$transaction(async tx => {
      await tx.workerProcess.updateMany({ where: { id: { in: ids } }, data: { drain_asked_at: new Date() } });
      for (const object_id of ids)
        await tx.auditEntry.create({
          data: auditEntry(COMMAND_LINE, 'worker.drained', { object_id, after: { reason } }, null),
        });
    });
  const records = {
    done: yes,
    reason,
    workers: chosen.map(toWorker),
    steps: steps.map((text, i) => ({ step: i + 1, text })),
  };
  return { records, isDryRun: !yes };
}
