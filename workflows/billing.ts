/**
 * The rules of billing as two pure functions: `next` says what comes next and when, `step` what a happening changes. Commands, charges,
 * the projection and the tests run these and nothing else.
 */
import {
  addDays,
  billingOffset,
  chargeDay,
  DAY_MS,
  type Day,
  dayOf,
  type Moment,
  sameTimeNextDay,
  startOfDay,
} from './calendar';
import type {
  AttemptOutcome,
  BillingEvent,
  BillingState,
  NextAction,
  OpenAttempt,
  PlanTerms,
  SubscriptionChange,
} from './state';

/** While the acquirer gives no answer; the last one goes on. */
const NO_ANSWER_PAUSES_MS = [2_000, 10_000, 60_000, 600_000];
/** How long an unpaid one has at least. */
const MIN_UNPAID_DAYS = 7;

const chargeDate = ({ first_charge_day, terms }: BillingState, n: number): Day =>
  chargeDay(first_charge_day, n, terms.repeat_every, terms.repeat_unit);
const chargeAt = (s: BillingState, n: number): Moment => startOfDay(chargeDate(s, n)) + billingOffset(s.id);
/** Whether a period is open that was not paid. */
const hasUnpaidPeriod = ({ status }: BillingState): boolean => status === 'past_due' || status === 'unpaid';

/** A trial until a day that is over is none: then it is charged at once, and every later period on the days of this one. */
export function initialState(
  id: string,
  terms: PlanTerms,
  card_id: string,
  at: Moment,
  trial_end_date: Day,
): BillingState {
  const today = dayOf(at);
  const trial = trial_end_date >= today;
  const first_charge_day = trial ? addDays(trial_end_date, 1) : today;
  return {
    id,
    terms,
    card_id,
    first_charge_day,
    trial_end_date,
    status: trial ? 'trial' : 'new',
    cancel_at_period_end: false,
    current_period_number: 0,
    due_at: trial ? startOfDay(first_charge_day) + billingOffset(id) : at,
    attempts: 0,
    retries_left: 0,
    try_now: false,
    open: null,
    reason: null,
  };
}

/** A trial of N days has today as its first. */
export const trialEnd = (today: Day, trial_days: number): Day => addDays(today, trial_days - 1);

export function nextAction(s: BillingState): NextAction {
  // What may have moved money comes first. It is sent again only while the subscription lives and still has that card.
  if (s.open) {
    const { period, attempt, free, again_at, card_id } = s.open;
    const send = s.status !== 'cancelled' && card_id === s.card_id;
    return { do: 'resolve', at: again_at, attempt: { period, attempt, free }, send };
  }
  if (s.status === 'cancelled') return { do: 'nothing', reason: s.reason ?? 'cancelled_by_merchant' };
  const period = hasUnpaidPeriod(s) ? s.current_period_number : s.current_period_number + 1;
  const free = s.try_now && hasUnpaidPeriod(s);
  const attempt = { period, attempt: s.attempts + 1, free };
  if (free) return { do: 'charge', at: 0, attempt };
  const periodEnd = s.status === 'trial' ? s.due_at : chargeAt(s, s.current_period_number + 1);
  if (s.cancel_at_period_end && periodEnd <= s.due_at) return { do: 'cancel', at: periodEnd, reason: 'period_ended' };
  if (s.status === 'unpaid') return { do: 'cancel', at: s.due_at, reason: 'left_unpaid' };
  return { do: 'charge', at: s.due_at, attempt };
}

export function transition(s: BillingState, h: BillingEvent): BillingState {
  switch (h.type) {
    case 'prepared':
      return {
        ...s,
        try_now: false,
        open: { ...h.attempt, transaction_id: h.transaction_id, card_id: s.card_id, tries: 0, again_at: h.real },
      };
    case 'answered':
      return s.open ? afterAnswer(s, s.open, h.outcome, h.at) : s;
    case 'unanswered': {
      if (!s.open) return s;
      const pause = NO_ANSWER_PAUSES_MS[Math.min(s.open.tries, NO_ANSWER_PAUSES_MS.length - 1)] ?? 0;
      return { ...s, open: { ...s.open, tries: s.open.tries + 1, again_at: h.real + pause } };
    }
    case 'cancel':
      return s.status === 'cancelled' ? s : { ...s, status: 'cancelled', reason: h.reason, try_now: false };
    case 'change':
      return refusedChange(s, h) ? s : afterChange(s, h, h.at);
  }
}

function afterAnswer(
  s: BillingState,
  { period, attempt, free }: OpenAttempt,
  outcome: AttemptOutcome,
  at: Moment,
): BillingState {
  const settled = { ...s, open: null };
  if (outcome === 'not_made') return settled;
  const opened = { ...settled, current_period_number: period };
  if (outcome === 'paid') {
    const paid = { ...opened, attempts: 0, retries_left: 0, try_now: false };
    return s.status === 'cancelled' ? paid : { ...paid, status: 'active', due_at: chargeAt(s, period + 1) };
  }
  const declined = { ...opened, attempts: attempt };
  if (s.status === 'cancelled' || s.status === 'unpaid') return declined;
  const retries_left = free ? s.retries_left : hasUnpaidPeriod(s) ? s.retries_left - 1 : s.terms.retry_times;
  const due_at = free ? s.due_at : sameTimeNextDay(s.due_at, at);
  if (retries_left > 0) return { ...declined, status: 'past_due', retries_left, due_at };
  return afterLastRetry({ ...declined, retries_left: 0, due_at }, at);
}

/** A new card that came meanwhile is tried before it is cancelled for good. */
function afterLastRetry(s: BillingState, at: Moment): BillingState {
  if (s.terms.status_after_retry === 'unpaid') {
    const due_at = Math.max(chargeAt(s, s.current_period_number + 1), at + MIN_UNPAID_DAYS * DAY_MS);
    return { ...s, status: 'unpaid', due_at };
  }
  return s.try_now ? { ...s, status: 'past_due' } : { ...s, status: 'cancelled', reason: 'retries_exhausted' };
}

function afterChange(
  s: BillingState,
  { cancel_at_period_end, trial_end_date, card_id }: SubscriptionChange,
  at: Moment,
): BillingState {
  const after = { ...s };
  if (cancel_at_period_end !== undefined) after.cancel_at_period_end = cancel_at_period_end;
  // A card that comes while an outcome is unknown waits for it, and is then tried unless it was paid.
  if (card_id !== undefined) Object.assign(after, { card_id, try_now: hasUnpaidPeriod(s) || s.open !== null });
  if (trial_end_date !== undefined) {
    const over = trial_end_date < dayOf(at);
    after.trial_end_date = trial_end_date;
    after.first_charge_day = over ? dayOf(at) : addDays(trial_end_date, 1);
    after.due_at = over ? at : chargeAt(after, 1);
  }
  return after;
}

/** Why a change cannot be made now, if it cannot. */
export function refusedChange(s: BillingState, change: SubscriptionChange): string | undefined {
  if (s.status === 'cancelled') return 'The subscription is cancelled';
  if (change.trial_end_date !== undefined && (s.status !== 'trial' || s.open))
    return 'The trial of the subscription is over';
}

/** What is shown. While a period is being collected, charge_date is the day of the one after it. */
export function datesOf(s: BillingState): { charge_date: Day; period_end_date: Day } {
  const charge_date = chargeDate(s, s.current_period_number + 1);
  return { charge_date, period_end_date: addDays(charge_date, -1) };
}
