/** Alerts, worst first: the line at the top of the page. */
import { formatNumber, formatPercent } from '../../shared/format';
import type { Figures, Finding, Operations } from '../state';
import { duration, environmentName, t } from '../texts';

export interface Alert {
  tone: 'bad' | 'warn';
  text: string;
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

const bad = (text: string): Alert => ({ tone: 'bad', text });
const warn = (text: string): Alert => ({ tone: 'warn', text });

export function alertsOf(operations: Operations): Alert[] {
  const now = Date.parse(operations.now);
  const age = (moment: string): number => (now - Date.parse(moment)) / 1000;
  const alive = operations.workers.filter(worker => worker.alive);
  const builds = new Set(alive.map(({ build }) => build)).size;
  const found = [
    ...operations.environments.flatMap(ofEnvironment),
    ...operations.audit.flatMap(finding => ofAudit(finding, age(finding.ended_at))),
    ...operations.workers
      .filter(worker => !worker.alive)
      .map(({ host, beat_at }) => warn(t.deadWorker(host, duration(age(beat_at))))),
    ...(builds > 1 ? [warn(t.builds(formatNumber(builds)))] : []),
  ];
  return [...found.filter(({ tone }) => tone === 'bad'), ...found.filter(({ tone }) => tone === 'warn')];
}

function ofEnvironment(figures: Figures): Alert[] {
  const name = environmentName(figures.environment);
  const { overdue, overdue_seconds, unknowns, outbox_seconds, deliveries, workers } = figures;
  const recent = figures.minutes.slice(-RECENT_MINUTES);
  const sum = (part: 'charged' | 'declined' | 'unanswered'): number =>
    recent.reduce((total, minute) => total + minute[part], 0);
  const [charged, declined, unanswered] = [sum('charged'), sum('declined'), sum('unanswered')];
  const share = declined / Math.max(1, charged + declined);
  const late = t.isLate(name, formatNumber(overdue), duration(overdue_seconds));
  const waits = t.outboxWaits(name, duration(outbox_seconds));
  return [
    ...(workers === 0 ? [bad(t.noWorker(name))] : []),
    ...(overdue > 0 ? [overdue_seconds > MAX_LATE_SECONDS ? bad(late) : warn(late)] : []),
    ...(unknowns > 0 ? [warn(t.isUnknown(name, formatNumber(unknowns)))] : []),
    ...(outbox_seconds > MAX_OUTBOX_SECONDS
      ? [outbox_seconds > MAX_OLD_OUTBOX_SECONDS ? bad(waits) : warn(waits)]
      : []),
    ...(deliveries > MAX_BACKLOG ? [warn(t.backlog(name, formatNumber(deliveries)))] : []),
    ...(unanswered > 0 ? [warn(t.noAcquirer(name, formatNumber(unanswered)))] : []),
    ...(charged + declined >= MIN_JUDGED && share > MAX_DECLINED
      ? [warn(t.manyDeclines(name, formatPercent(share)))]
      : []),
  ];
}

/** Only the audit of periods runs on a schedule. Operators run the audit of the books, so it may be old. */
function ofAudit({ scope, name, differences }: Finding, age: number): Alert[] {
  const where = environmentName(scope);
  if (differences > 0) return [bad(t.auditDiffers(where, t.invariants[name] ?? name, formatNumber(differences)))];
  const isOld = name === 'periods_are_collected' && age > MAX_AUDIT_AGE_SECONDS;
  return isOld ? [warn(t.auditOld(where, duration(age)))] : [];
}
