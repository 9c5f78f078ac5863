/**
 * The rules of billing as two pure functions: `next` says what comes next and when, `step` what a happening changes. Commands, charges,
 * the projection and the tests run these and nothing else.
 */
import { addDays, chargeDay, DAY_MS, type Day, dayOf, type Moment, onTheNextDay, opening, slotOf } from './calendar';
import type { Change, Happening, Next, Open, Outcome, Subscription, Terms } from './state';

/** While the acquirer gives no answer; the last one goes on. */
const PAUSES_MS = [2_000, 10_000, 60_000, 600_000];
/** How long an unpaid one has at least. */
const GRACE_DAYS = 7;

const chargeDate = ({ first_charge_day, terms }: Subscription, n: number): Day =>
  chargeDay(first_charge_day, n, terms.repeat_every, terms.repeat_unit);
const chargeAt = (s: Subscription, n: number): Moment => opening(chargeDate(s, n)) + slotOf(s.id);
/** Whether a period is open that was not paid. */
const owes = ({ status }: Subscription): boolean => status === 'past_due' || status === 'unpaid';

/** A trial until a day that is over is none: then it is charged at once, and every later period on the days of this one. */
export function begin(id: string, terms: Terms, card_id: string, at: Moment, trial_end_date: Day): Subscription {
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
    due_at: trial ? opening(first_charge_day) + slotOf(id) : at,
    attempts: 0,
    retries_left: 0,
    try_now: false,
    open: null,
    reason: null,
  };
}

/** A trial of N days has today as its first. */
export const trialEnd = (today: Day, trial_days: number): Day => addDays(today, trial_days - 1);

export function next(s: Subscription): Next {
  // What may have moved money comes first. It is sent again only while the subscription lives and still has that card.
  if (s.open) {
    const { period, attempt, free, again_at, card_id } = s.open;
    const send = s.status !== 'cancelled' && card_id === s.card_id;
    return { do: 'resolve', at: again_at, attempt: { period, attempt, free }, send };
  }
  if (s.status === 'cancelled') return { do: 'nothing', reason: s.reason ?? 'cancelled_by_merchant' };
  const period = owes(s) ? s.current_period_number : s.current_period_number + 1;
  const free = s.try_now && owes(s);
  const attempt = { period, attempt: s.attempts + 1, free };
  if (free) return { do: 'charge', at: 0, attempt };
  const periodEnd = s.status === 'trial' ? s.due_at : chargeAt(s, s.current_period_number + 1);
  if (s.cancel_at_period_end && periodEnd <= s.due_at) return { do: 'cancel', at: periodEnd, reason: 'period_ended' };
  if (s.status === 'unpaid') return { do: 'cancel', at: s.due_at, reason: 'left_unpaid' };
  return { do: 'charge', at: s.due_at, attempt };
}

export function step(s: Subscription, h: Happening): Subscription {
  switch (h.type) {
    case 'prepared':
      return {
        ...s,
        try_now: false,
        open: { ...h.attempt, transaction_id: h.transaction_id, card_id: s.card_id, tries: 0, again_at: h.real },
      };
    case 'answered':
      return s.open ? answered(s, s.open, h.outcome, h.at) : s;
    case 'unanswered': {
      if (!s.open) return s;
      const pause = PAUSES_MS[Math.min(s.open.tries, PAUSES_MS.length - 1)] ?? 0;
      return { ...s, open: { ...s.open, tries: s.open.tries + 1, again_at: h.real + pause } };
    }
    case 'cancel':
      return s.status === 'cancelled' ? s : { ...s, status: 'cancelled', reason: h.reason, try_now: false };
    case 'change':
      return refusal(s, h) ? s : changed(s, h, h.at);
  }
}

function answered(s: Subscription, { period, attempt, free }: Open, outcome: Outcome, at: Moment): Subscription {
  const settled = { ...s, open: null };
  if (outcome === 'not_made') return settled;
  const opened = { ...settled, current_period_number: period };
  if (outcome === 'paid') {
    const paid = { ...opened, attempts: 0, retries_left: 0, try_now: false };
    return s.status === 'cancelled' ? paid : { ...paid, status: 'active', due_at: chargeAt(s, period + 1) };
  }
  const declined = { ...opened, attempts: attempt };
  if (s.status === 'cancelled' || s.status === 'unpaid') return declined;
  const retries_left = free ? s.retries_left : owes(s) ? s.retries_left - 1 : s.terms.retry_times;
  const due_at = free ? s.due_at : onTheNextDay(s.due_at, at);
  if (retries_left > 0) return { ...declined, status: 'past_due', retries_left, due_at };
  return exhausted({ ...declined, retries_left: 0, due_at }, at);
}

/** A new card that came meanwhile is tried before it is cancelled for good. */
function exhausted(s: Subscription, at: Moment): Subscription {
  if (s.terms.status_after_retry === 'unpaid') {
    const due_at = Math.max(chargeAt(s, s.current_period_number + 1), at + GRACE_DAYS * DAY_MS);
    return { ...s, status: 'unpaid', due_at };
  }
  return s.try_now ? { ...s, status: 'past_due' } : { ...s, status: 'cancelled', reason: 'retries_exhausted' };
}

function changed(s: Subscription, { cancel_at_period_end, trial_end_date, card_id }: Change, at: Moment): Subscription {
  const after = { ...s };
  if (cancel_at_period_end !== undefined) after.cancel_at_period_end = cancel_at_period_end;
  // A card that comes while an outcome is unknown waits for it, and is then tried unless it was paid.
  if (card_id !== undefined) Object.assign(after, { card_id, try_now: owes(s) || s.open !== null });
  if (trial_end_date !== undefined) {
    const over = trial_end_date < dayOf(at);
    after.trial_end_date = trial_end_date;
    after.first_charge_day = over ? dayOf(at) : addDays(trial_end_date, 1);
    after.due_at = over ? at : chargeAt(after, 1);
  }
  return after;
}

/** Why a change cannot be made now, if it cannot. */
export function refusal(s: Subscription, change: Change): string | undefined {
  if (s.status === 'cancelled') return 'The subscription is cancelled';
  if (change.trial_end_date !== undefined && (s.status !== 'trial' || s.open))
    return 'The trial of the subscription is over';
}

/** What is shown. While a period is being collected, charge_date is the day of the one after it. */
export function datesOf(s: Subscription): { charge_date: Day; period_end_date: Day } {
  const charge_date = chargeDate(s, s.current_period_number + 1);
  return { charge_date, period_end_date: addDays(charge_date, -1) };
}
