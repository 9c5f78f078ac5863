/** What the line shows: what happened, as `history` tells it, and what is planned, as `projection` says. */
const DAY_MS = 86_400_000;
const YEAR_DAYS = 366;
/** Of a plan so slow that nothing falls due within a year. */
const MIN_PLANNED = 2;

export interface Entry {
  date: string;
  event: string;
  description: string;
  period: number | null;
  transaction_id: string | null;
  error_code: number | null;
}

interface ProjectedCharge {
  period: number;
  charge_date: string;
  amount: number;
}

export interface Life {
  entries: readonly Entry[];
  projection: readonly ProjectedCharge[];
  /** The day from which charges are assumed to be declined. */
  declinedFrom?: string | undefined;
  /** By its own clock. */
  now: number;
  /** The day on which it ends without another charge, as it stands now. */
  endsOn?: string | undefined;
  /** Whether it would not end if it were paid. */
  isUnpaid?: boolean;
  /** Whether it ends with the last retry, rather than being owed for a while. */
  endsWithRetries: boolean;
}

export type Sign = 'paid' | 'declined' | 'unanswered' | 'planned' | 'would-decline' | 'letter' | 'note' | 'end';

export interface Happening {
  key: string;
  at: number;
  /** In Bogotá, as 2026-11-15. */
  day: string;
  sign: Sign;
  isPlanned: boolean;
  period: number | null;
  /** Of what happened. */
  entry?: Entry;
  /** Of what is planned. */
  charge?: ProjectedCharge;
  /** Of an end that is planned. */
  unlessPaid?: boolean;
}

const SIGNS: Record<string, Sign> = {
  charged: 'paid',
  declined: 'declined',
  unanswered: 'unanswered',
  not_made: 'unanswered',
  cancelled_by_merchant: 'end',
  cancelled_by_operator: 'end',
  customer_deleted: 'end',
  period_ended: 'end',
  retries_exhausted: 'end',
  left_unpaid: 'end',
  past_due_email: 'letter',
  recovered_email: 'letter',
  unpaid_email: 'letter',
  ended_email: 'letter',
  email_refused: 'letter',
};

/** Charges are made in the first two hours of a day. */
const chargeMoment = (day: string): number => Date.parse(`${day}T01:00:00-05:00`);
export const dayIn = (at: number): string => new Date(at - 5 * 3_600_000).toISOString().slice(0, 10);
/** When a clock that is moved to a day stops. */
export const lateOn = (day: string): number => Date.parse(`${day}T23:00:00-05:00`);
export const isCharge = ({ sign }: Happening): boolean => !['letter', 'note', 'end'].includes(sign);

/** Those of the next year, and all that would be tried from a decline on. */
function nextYear({ projection, now, declinedFrom }: Life): ProjectedCharge[] {
  const last = dayIn(now + YEAR_DAYS * DAY_MS);
  const isTried = (day: string): boolean => declinedFrom !== undefined && day >= declinedFrom;
  return projection.filter(({ charge_date: day }, i) => i < MIN_PLANNED || day <= last || isTried(day));
}

/** In the order in which they stand on the line. */
export function happeningsOf(life: Life): Happening[] {
  const { entries, declinedFrom, now, endsOn, isUnpaid: unlessPaid = false } = life;
  const past = entries.map((entry, i): Happening => {
    const at = Date.parse(entry.date);
    const sign = SIGNS[entry.event] ?? 'note';
    return { key: `past-${i}`, at, day: dayIn(at), sign, isPlanned: false, period: entry.period, entry };
  });
  const planned = nextYear(life).map((charge): Happening => {
    const day = charge.charge_date;
    const sign = declinedFrom && day >= declinedFrom ? 'would-decline' : 'planned';
    const at = Math.max(now, chargeMoment(day));
    return { key: `planned-${day}`, at, day, sign, isPlanned: true, period: charge.period, charge };
  });
  const end: Happening[] = endsOn
    ? [
        {
          key: 'end',
          at: Math.max(now, chargeMoment(endsOn)),
          day: endsOn,
          sign: 'end',
          isPlanned: true,
          period: null,
          unlessPaid,
        },
      ]
    : [];
  return [...past, ...planned, ...end];
}

/** As long as it is falling into place it looks as it did before. */
export const asPlanned = (happening: Happening): Happening =>
  isCharge(happening) ? { ...happening, sign: 'planned', isPlanned: true } : happening;

export interface Period {
  /** 0 is the trial. */
  number: number;
  from: number;
  to: number;
  kind: 'trial' | 'paid' | 'open' | 'planned' | 'would-owe';
}

/** Each from its first charge to that of the next. */
export function periodsOf(happenings: readonly Happening[], { now, endsWithRetries }: Life): Period[] {
  const charges = happenings.filter(happening => isCharge(happening) && happening.period !== null);
  const numbers = [...new Set(charges.map(({ period }) => period ?? 0))];
  const starts = numbers.map(number => charges.find(({ period }) => period === number)?.at ?? 0);
  const end = happenings.find(({ sign }) => sign === 'end')?.at;
  const created = happenings.find(({ entry }) => entry?.event === 'created')?.at;
  const periods = numbers.map((number, i): Period => {
    const own = charges.filter(({ period }) => period === number);
    const from = starts[i] ?? 0;
    const kind = kindOf(own);
    const last = own.at(-1)?.at ?? from;
    // How long the last one is nobody says: as long as the one before.
    const usual = from + (from - (starts[i - 1] ?? from - 30 * DAY_MS));
    const to = starts[i + 1] ?? end ?? (kind === 'would-owe' && endsWithRetries ? last : Math.max(usual, last));
    return { number, from, to, kind };
  });
  const first = starts[0] ?? end ?? now;
  if (created === undefined || dayIn(first) <= dayIn(created)) return periods;
  return [{ number: 0, from: created, to: first, kind: 'trial' }, ...periods];
}

function kindOf(own: readonly Happening[]): Period['kind'] {
  if (own.some(({ sign }) => sign === 'paid')) return 'paid';
  if (own.some(({ isPlanned }) => !isPlanned)) return 'open';
  return own.some(({ sign }) => sign === 'would-decline') ? 'would-owe' : 'planned';
}

/** How far the line goes: a year, or to the end of what is drawn. */
export const horizonOf = (periods: readonly Period[], now: number): number =>
  Math.max(now + 30 * DAY_MS, ...periods.map(({ to }) => to));
