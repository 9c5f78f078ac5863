/** Listing and draining workers. */
import { formatMoment } from '../../../../workflows/calendar';
import { type AuditOrigin, auditEntry } from '../../../accounts/auditLog/entry';
import { COMMAND_LINE } from '../../../accounts/merchants/accounts';
import type { Database } from '../../../platform/database/connection';
import { ApiError } from '../../../platform/errors';
import { type CommandResult, type OperatorCommand, type OperatorCommandInput, type Step, toSteps } from '../command';
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

/** A change of workers; without one to change, it throws. */
export async function planDrain(db: OperatorCommandInput['db'], id: string) {
  const all = await readWorkers(db);
  const chosen = all.filter(worker => id === ALL || worker.id === id);
  if (chosen.length === 0) throw new ApiError('not_found', id === ALL ? 'no_workers' : 'unknown_worker', { id });
  // Dead workers stay listed for a day.
  const isAlive = ({ beat_at, drain_asked_at }: WorkerRow): boolean =>
    Date.now() - beat_at.getTime() < MAX_SILENCE_MS && drain_asked_at === null;
  const servesSame = ({ environment }: WorkerRow): boolean =>
    environment === null || chosen.every(worker => worker.environment === environment);
  const left = all.filter(worker => !chosen.includes(worker) && isAlive(worker) && servesSame(worker)).length;
  return { chosen, steps: drainSteps(chosen.length, left) };
}

const drainSteps = (count: number, left: number): Step[] => [
  {
    en: `${count === 1 ? 'The worker stops' : `${count} workers stop`} accepting work within seconds, finish their current work, and exit with code 0.`,
    es: `${count === 1 ? 'El worker deja de recibir trabajo en segundos, termina' : `${count} workers dejan de recibir trabajo en segundos, terminan`} el trabajo en curso y ${count === 1 ? 'sale' : 'salen'} con el código 0.`,
  },
  {
    en: `${left === 0 ? 'No other worker is running' : left === 1 ? '1 other worker keeps running' : `${left} other workers keep running`}. Without a worker, due work waits.`,
    es: `${left === 0 ? 'No hay otro worker activo' : left === 1 ? 'Queda 1 worker activo' : `Quedan ${left} workers activos`}. Sin un worker, el trabajo pendiente espera.`,
  },
  {
    en: 'A process supervisor may restart the worker, with the installed build.',
    es: 'Un supervisor de procesos puede iniciar el worker de nuevo, con la versión instalada.',
  },
];

/** Returns the IDs of the selected workers. Repeating it changes nothing. */
export async function drainWorkers(db: Database, by: AuditOrigin, id: string, reason: string): Promise<string[]> {
  const { chosen } = await planDrain(db, id);
  const ids = chosen.flatMap(worker => (worker.drain_asked_at ? [] : [worker.id]));
  await db.$transaction(async tx => {
    await tx.workerProcess.updateMany({ where: { id: { in: ids } }, data: { drain_asked_at: new Date() } });
    for (const object_id of ids)
      await tx.auditEntry.create({
        data: auditEntry(by, 'worker.drained', { object_id, after: { reason } }, null),
      });
  });
  return chosen.map(worker => worker.id);
}

async function drain({ db, id, options: { reason = '' }, yes = false }: OperatorCommandInput): Promise<CommandResult> {
  const { chosen, steps } = await planDrain(db, id);
  if (yes) await drainWorkers(db, COMMAND_LINE, id, reason);
  const records = { done: yes, reason, workers: chosen.map(toWorker), steps: toSteps(steps) };
  return { records, isDryRun: !yes };
}
