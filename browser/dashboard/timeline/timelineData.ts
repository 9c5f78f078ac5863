/** The data of the timeline: past entries from `history`, planned charges from `projection`. */
import { type Adjustment, adjustmentsOf, type ProjectedCharge } from './adjustments';
import { bogotaDayOf, chargeMoment } from './days';
import { type Interval, pastPauses } from './pauses';

const DAY_MS = 86_400_000;
const YEAR_DAYS = 366;
/** For plans without a charge within a year. */
const MIN_PLANNED = 2;

export interface Entry {
  date: string;
  event: string;
  description: string;
  period: number | null;
  transaction_id: string | null;
  error_code: number | null;
}

export interface TimelineData {
  entries: readonly Entry[];
  projection: readonly ProjectedCharge[];
  /** First day of the simulated declines. */
  declinedFrom?: string | undefined;
  /** Time of the test clock. */
  now: number;
  /** The day of the scheduled end. */
  endsOn?: string | undefined;
  /** The planned change, with the name of the new plan. */
  change?: { date: string; to: string } | undefined;
  interval: Interval;
  pause?: { since: string; resume_date: string | null } | null | undefined;
  /** The end is avoided by a payment. */
  isUnpaid?: boolean;
  /** The subscription ends after the last retry instead of remaining unpaid. */
  endsWithRetries: boolean;
}

const CHARGE_MARKS = ['paid', 'covered', 'declined', 'unanswered', 'planned', 'would-decline'] as const;
type ChargeMark = (typeof CHARGE_MARKS)[number];
export type Mark = ChargeMark | 'email' | 'plan' | 'coupon' | 'extra' | 'note' | 'end';

export interface TimelineItem {
  key: string;
  at: number;
  /** In Bogotá, such as 2026-11-15. */
  day: string;
  mark: Mark;
  isPlanned: boolean;
  period: number | null;
  /** Set for past entries. */
  entry?: Entry;
  /** Set for planned charges. */
  charge?: ProjectedCharge;
  /** Set for what will change the amount of a planned charge. */
  adjustment?: Adjustment;
  /** Set for a planned end. */
  unlessPaid?: boolean;
}

const MARKS: Record<string, Mark> = {
  charged: 'paid',
  covered: 'covered',
  change_declined: 'declined',
  change_not_made: 'unanswered',
  plan_changed: 'plan',
  change_planned: 'plan',
  planned_change_removed: 'plan',
  coupon_added: 'coupon',
  coupon_removed: 'coupon',
  extra_added: 'extra',
  extra_removed: 'extra',
  declined: 'declined',
  unanswered: 'unanswered',
  not_made: 'unanswered',
  cancelled_by_merchant: 'end',
  cancelled_by_operator: 'end',
  customer_deleted: 'end',
  period_ended: 'end',
  retries_exhausted: 'end',
  left_unpaid: 'end',
  past_due_email: 'email',
  recovered_email: 'email',
  unpaid_email: 'email',
  ended_email: 'email',
  email_refused: 'email',
  email_sent: 'email',
};

export const isCharge = ({ mark }: Pick<TimelineItem, 'mark'>): boolean => CHARGE_MARKS.includes(mark as ChargeMark);

/** Charges of the next year, and all simulated retries. */
function nextYear({ projection, now, declinedFrom }: TimelineData): ProjectedCharge[] {
  const last = bogotaDayOf(now + YEAR_DAYS * DAY_MS);
  const isTried = (day: string): boolean => declinedFrom !== undefined && day >= declinedFrom;
  return projection.filter(({ charge_date: day }, i) => i < MIN_PLANNED || day <= last || isTried(day));
}

/** In order of their position. */
export function itemsOf(timeline: TimelineData): TimelineItem[] {
  const { entries, declinedFrom, now, endsOn, isUnpaid: unlessPaid = false } = timeline;
  const past = entries.map((entry, i): TimelineItem => {
    const at = Date.parse(entry.date);
    const mark = MARKS[entry.event] ?? 'note';
    return { key: `past-${i}`, at, day: bogotaDayOf(at), mark, isPlanned: false, period: entry.period, entry };
  });
  const charges = nextYear(timeline);
  const planned = charges.map((charge): TimelineItem => {
    const day = charge.charge_date;
    const asked = declinedFrom && day >= declinedFrom ? 'would-decline' : 'planned';
    const mark = charge.amount === 0 ? 'covered' : asked;
    const at = Math.max(now, chargeMoment(day));
    return { key: `planned-${day}`, at, day, mark, isPlanned: true, period: charge.period, charge };
  });
  const end: TimelineItem[] = endsOn
    ? [
        {
          key: 'end',
          at: Math.max(now, chargeMoment(endsOn)),
          day: endsOn,
          mark: 'end',
          isPlanned: true,
          period: null,
          unlessPaid,
        },
      ]
    : [];
  const adjusted = adjustmentsOf(charges, timeline.change).map((adjustment, i): TimelineItem => {
    const { day, mark } = adjustment;
    const at = Math.max(now, chargeMoment(day));
    return { key: `adjusted-${i}`, at, day, mark, isPlanned: true, period: null, adjustment };
  });
  return [...past, ...[...planned, ...adjusted, ...end].sort((a, b) => a.at - b.at)];
}

/** The status before the entries that are not revealed yet. */
export const asPlanned = (item: TimelineItem): TimelineItem =>
  isCharge(item) ? { ...item, mark: 'planned', isPlanned: true } : item;

export interface Period {
  /** 0 is the trial. */
  number: number;
  from: number;
  to: number;
  kind: 'trial' | 'paid' | 'open' | 'planned' | 'would-owe' | 'paused';
}

/** Each period lasts from its first charge to that of the next, or to a pause. */
export function periodsOf(items: readonly TimelineItem[], timeline: TimelineData): Period[] {
  const { pause, now } = timeline;
  const past = pastPauses(items, timeline.interval);
  const periods = past.reduce(withPause, chargedPeriodsOf(items, timeline));
  if (!pause) return periods;
  const from = chargeMoment(pause.since);
  const to = pause.resume_date ? chargeMoment(pause.resume_date) : Math.max(now, from) + YEAR_DAYS * DAY_MS;
  return withPause(periods, { from, to });
}

function withPause(periods: Period[], { from, to }: { from: number; to: number }): Period[] {
  if (to <= from) return periods;
  const before = periods.filter(period => period.from < from);
  const paused: Period = { number: -1, from, to, kind: 'paused' };
  const after = periods.filter(period => period.from >= from);
  return [...before.map(period => ({ ...period, to: Math.min(period.to, from) })), paused, ...after];
}

function chargedPeriodsOf(items: readonly TimelineItem[], { now, endsWithRetries }: TimelineData): Period[] {
  const charges = items.filter(item => isCharge(item) && item.period !== null);
  const numbers = [...new Set(charges.map(({ period }) => period ?? 0))];
  const starts = numbers.map(number => charges.find(({ period }) => period === number)?.at ?? 0);
  const end = items.find(({ mark }) => mark === 'end')?.at;
  const created = items.find(({ entry }) => entry?.event === 'created')?.at;
  const periods = numbers.map((number, i): Period => {
    const own = charges.filter(({ period }) => period === number);
    const from = starts[i] ?? 0;
    const kind = kindOf(own);
    const last = own.at(-1)?.at ?? from;
    // The length of the last one is unknown: simulateDeclines that of the previous one.
    const usual = from + (from - (starts[i - 1] ?? from - 30 * DAY_MS));
    const to = starts[i + 1] ?? end ?? (kind === 'would-owe' && endsWithRetries ? last : Math.max(usual, last));
    return { number, from, to, kind };
  });
  const first = starts[0] ?? end ?? now;
  if (created === undefined || bogotaDayOf(first) <= bogotaDayOf(created)) return periods;
  return [{ number: 0, from: created, to: first, kind: 'trial' }, ...periods];
}

function kindOf(own: readonly TimelineItem[]): Period['kind'] {
  if (own.some(({ mark, isPlanned }) => mark === 'paid' || (mark === 'covered' && !isPlanned))) return 'paid';
  if (own.some(({ isPlanned }) => !isPlanned)) return 'open';
  return own.some(({ mark }) => mark === 'would-decline') ? 'would-owe' : 'planned';
}

/** A year, or more if entries are later. */
export const horizonOf = (periods: readonly Period[], now: number): number =>
  Math.max(now + 30 * DAY_MS, ...periods.map(({ to }) => to));
