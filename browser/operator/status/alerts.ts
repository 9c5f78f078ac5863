/** Alerts, worst first: one for each cause, with its consequences and what to do. */
import { formatNumber, formatPercent } from '../../shared/format';
import type { Figures, Finding, Operations } from '../state';
import { duration, environmentName } from '../texts';
import { t } from './alertTexts';

export interface Alert {
  tone: 'bad' | 'warn';
  text: string;
  /** Consequences of the cause, which need no action of their own. */
  consequences: string[];
  todo: string;
  /** The page on which to do it. */
  path?: string;
}

const MAX_LATE_SECONDS = 300;
const MAX_OUTBOX_SECONDS = 30;
const MAX_OLD_OUTBOX_SECONDS = 300;
const MAX_BACKLOG = 1000;
const RECENT_MINUTES = 10;
const MIN_JUDGED = 20;
const MAX_DECLINED = 0.5;
/** The audit runs every hour. */
const MAX_AUDIT_AGE_SECONDS = 3 * 3600;

export function alertsOf(operations: Operations): Alert[] {
  const { environments, workers, audit } = operations;
  const now = Date.parse(operations.now);
  const age = (moment: string): number => (now - Date.parse(moment)) / 1000;
  const builds = new Set(workers.filter(({ alive }) => alive).map(({ build }) => build)).size;
  // A drained worker has ended as requested.
  const silent = workers
    .filter(({ alive, draining }) => !alive && !draining)
    .map(({ host, beat_at }) => t.deadWorker(host, duration(age(beat_at))));
  const without = environments.filter(figures => figures.workers === 0);
  const isServed = (scope: string): boolean => !without.some(({ environment }) => environment === scope);
  const found = [
    ...(without.length > 0 ? [noWorker(without, silent)] : []),
    ...environments.filter(({ environment }) => isServed(environment)).flatMap(ofServed),
    ...audit.flatMap(finding => ofAudit(finding, age(finding.ended_at), isServed(finding.scope))),
    ...(without.length === 0 && silent.length > 0 ? [warn(silent.join('. '), t.todo.deadWorker)] : []),
    ...(builds > 1 ? [warn(t.builds(formatNumber(builds)), t.todo.builds)] : []),
  ];
  return [...found.filter(({ tone }) => tone === 'bad'), ...found.filter(({ tone }) => tone === 'warn')];
}

const warn = (text: string, todo: string, consequences: string[] = [], path?: string): Alert => ({
  tone: 'warn',
  text,
  todo,
  consequences,
  ...(path !== undefined && { path }),
});
const bad = (...alert: Parameters<typeof warn>): Alert => ({ ...warn(...alert), tone: 'bad' });
const judged = (isBad: boolean, ...alert: Parameters<typeof warn>): Alert => (isBad ? bad : warn)(...alert);

const lateText = ({ overdue, overdue_seconds }: Figures): string[] =>
  overdue > 0 ? [t.isLate(formatNumber(overdue), duration(overdue_seconds))] : [];
const outboxText = ({ outbox_seconds }: Figures): string[] =>
  outbox_seconds > MAX_OUTBOX_SECONDS ? [t.outboxWaits(duration(outbox_seconds))] : [];
const backlogText = ({ deliveries }: Figures): string[] =>
  deliveries > MAX_BACKLOG ? [t.backlog(formatNumber(deliveries))] : [];

/** Everything that waits, waits for the workers. */
function noWorker(without: readonly Figures[], silent: string[]): Alert {
  const names = without.map(({ environment }) => environmentName(environment)).join(', ');
  const waiting = without.flatMap(figures =>
    [...lateText(figures), ...outboxText(figures), ...backlogText(figures)].map(
      text => `${environmentName(figures.environment)}: ${text}`,
    ),
  );
  return bad(t.noWorker(names), t.todo.noWorker, [...silent, ...waiting]);
}

function ofServed(figures: Figures): Alert[] {
  const name = environmentName(figures.environment);
  const { overdue_seconds, unknowns, outbox_seconds } = figures;
  const recent = figures.minutes.slice(-RECENT_MINUTES);
  const sum = (part: 'charged' | 'declined' | 'unanswered'): number =>
    recent.reduce((total, minute) => total + minute[part], 0);
  const [charged, declined, unanswered] = [sum('charged'), sum('declined'), sum('unanswered')];
  const share = declined / Math.max(1, charged + declined);
  const isLate = overdue_seconds > MAX_LATE_SECONDS;
  const unknown = unknowns > 0 ? [t.isUnknown(formatNumber(unknowns))] : [];
  // Renewals wait for the outcome of their open attempt, so they are late for the same cause.
  const acquirer =
    unanswered > 0
      ? [
          judged(isLate, t.noAcquirer(name, formatNumber(unanswered)), t.todo.acquirer, [
            ...unknown,
            ...lateText(figures),
          ]),
        ]
      : unknown.map(text => judged(isLate, `${name}: ${text}`, t.todo.unknown, lateText(figures)));
  const late = lateText(figures).map(text => judged(isLate, `${name}: ${text}`, t.todo.late, [], '/overdue'));
  const isOld = outbox_seconds > MAX_OLD_OUTBOX_SECONDS;
  return [
    ...(acquirer.length > 0 ? acquirer : late),
    ...outboxText(figures).map(text => judged(isOld, `${name}: ${text}`, t.todo.outbox)),
    ...backlogText(figures).map(text => warn(`${name}: ${text}`, t.todo.backlog)),
    ...(charged + declined >= MIN_JUDGED && share > MAX_DECLINED
      ? [warn(t.manyDeclines(name, formatPercent(share)), t.todo.declines)]
      : []),
  ];
}

/** Only the audit of periods runs on a schedule, by the workers. Operators run the audit of the books, so it may be old. */
function ofAudit({ scope, name, differences }: Finding, age: number, isServed: boolean): Alert[] {
  const where = environmentName(scope);
  if (differences > 0)
    return [bad(t.auditDiffers(where, t.invariants[name] ?? name, formatNumber(differences)), t.todo.auditDiffers)];
  const isOld = isServed && name === 'periods_are_collected' && age > MAX_AUDIT_AGE_SECONDS;
  return isOld ? [warn(t.auditOld(where, duration(age)), t.todo.auditOld)] : [];
}
