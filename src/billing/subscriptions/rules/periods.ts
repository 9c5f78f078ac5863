/** The days of a subscription's periods, and a pause between two of them. */
import {
  addDays,
  billingOffset,
  type Day,
  dayOf,
  type Moment,
  nthChargeDay,
  startOfDay,
} from '../../../../workflows/calendar';
import type { BillingState } from './state';

/** A paused subscription without a day of resumption is due at this time. */
export const NEVER = startOfDay('9999-12-31');

/** Today is the first day of the trial. */
export const trialEnd = (today: Day, trial_days: number): Day => addDays(today, trial_days - 1);

export const chargeDayOf = ({ first_charge_day, anchor_period, terms }: BillingState, n: number): Day =>
  nthChargeDay(first_charge_day, n - anchor_period + 1, terms.repeat_every, terms.repeat_unit);
const chargeTimeOn = (day: Day, { id }: BillingState): Moment => startOfDay(day) + billingOffset(id);
export const chargeAt = (state: BillingState, n: number): Moment => chargeTimeOn(chargeDayOf(state, n), state);

export const hasUnpaidPeriod = ({ status }: Pick<BillingState, 'status'>): boolean =>
  status === 'past_due' || status === 'unpaid';

/** Whether an attempt to collect a period is open. The charge of a change opens a period only when it is paid. */
export const isCollecting = ({ open }: Pick<BillingState, 'open'>): boolean => open !== null && !open.replacement;

/** The period that opens next, after one that is being charged or is unpaid. */
const nextPeriod = (state: BillingState): number =>
  Math.max(isCollecting(state) ? (state.open?.period ?? 0) : 0, state.current_period_number) + 1;

/** The day on which a requested pause takes effect: what is paid is never taken away. */
export const pauseStart = (state: BillingState): Day => chargeDayOf(state, nextPeriod(state));

/** The day on which period `n` opens: a resumption that is not after the charge day changes nothing. */
function resumptionDay(state: BillingState, n: number): Day | undefined {
  const { is_paused, resume_date } = state;
  return is_paused && resume_date !== null && resume_date > chargeDayOf(state, n) ? resume_date : undefined;
}

/** When the next period opens if no attempt is open. */
export function opensAt(state: BillingState, n: number): Moment {
  if (state.is_paused && state.resume_date === null) return NEVER;
  const day = resumptionDay(state, n);
  return day === undefined ? chargeAt(state, n) : chargeTimeOn(day, state);
}

const NOT_PAUSED = { is_paused: false, resume_date: null } as const;

export const withoutPause = (state: BillingState): BillingState => ({ ...state, ...NOT_PAUSED });

/** The pause ends when a period opens. Its day of resumption is the new anchor. */
export function afterOpening(state: BillingState, n: number): BillingState {
  const day = resumptionDay(state, n);
  return { ...state, ...NOT_PAUSED, ...(day !== undefined && { first_charge_day: day, anchor_period: n }) };
}

export const isPauseInEffect = (state: BillingState, at: Moment): boolean =>
  state.is_paused && !state.open && !hasUnpaidPeriod(state) && dayOf(at) >= pauseStart(state);

/** Before the pause takes effect, a resumption only withdraws it. Later it opens a period at once. */
export function afterResumption(state: BillingState, at: Moment): BillingState {
  const resumed = withoutPause(state);
  if (isCollecting(state) || hasUnpaidPeriod(state)) return resumed;
  const period = state.current_period_number + 1;
  return isPauseInEffect(state, at)
    ? { ...resumed, first_charge_day: dayOf(at), anchor_period: period, due_at: at }
    : { ...resumed, due_at: chargeAt(state, period) };
}

/** Dates in the API. While a period is being collected, charge_date is the charge day of the next period. */
export function datesOf(state: BillingState): { charge_date: Day; period_end_date: Day } {
  const n = state.current_period_number + 1;
  const regular = chargeDayOf(state, n);
  return { charge_date: resumptionDay(state, n) ?? regular, period_end_date: addDays(regular, -1) };
}

/** The day on which a planned change takes effect: with the next period. */
export const changeDay = (state: BillingState): Day => {
  const period = nextPeriod(state);
  return resumptionDay(state, period) ?? chargeDayOf(state, period);
};
