/**
 * The billing rules as two pure functions: `nextAction` returns the next action and its time, `transition` applies an event.
 * Requests, charges, projections and tests all use these functions.
 */
import {
  addDays,
  billingOffset,
  DAY_MS,
  type Day,
  dayOf,
  type Moment,
  startOfDay,
} from '../../../../workflows/calendar';
import {
  afterOpening,
  afterResumption,
  chargeAt,
  chargeDayOf,
  hasUnpaidPeriod,
  opensAt,
  pauseStart,
  withoutPause,
} from './periods';
import { nextRetryAt, refusedRetry, waitsForNewCard, withCard, withDecline } from './retries';
import type { BillingEvent, BillingState, NextAction, OpenAttempt, PlanTerms, SubscriptionChange } from './state';

/** Backoff between lookups of an unanswered attempt; the last pause repeats. */
export const NO_ANSWER_PAUSES_MS = [2_000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000];
/** Minimum time before an unpaid subscription is cancelled. */
const MIN_UNPAID_DAYS = 7;

/** A past trial end means no trial: the first charge is made immediately, and its day anchors all later charge days. */
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
    anchor_period: 1,
    trial_end_date,
    status: trial ? 'trial' : 'new',
    cancel_at_period_end: false,
    current_period_number: 0,
    due_at: trial ? startOfDay(first_charge_day) + billingOffset(id) : at,
    attempts: 0,
    retries_left: 0,
    try_now: false,
    card_refusal: null,
    open: null,
    reason: null,
    is_paused: false,
    resume_date: null,
  };
}

/** Today is the first day of the trial. */
export const trialEnd = (today: Day, trial_days: number): Day => addDays(today, trial_days - 1);

export function nextAction(state: BillingState): NextAction {
  // An attempt with an unknown outcome is resolved first. It is sent again only if the subscription is open and still
  // has that card.
  if (state.open) {
    const { period, attempt, free, again_at, card_id } = state.open;
    const send = state.status !== 'cancelled' && card_id === state.card_id;
    return { do: 'resolve', at: again_at, attempt: { period, attempt, free }, send };
  }
  if (state.status === 'cancelled') return { do: 'nothing', reason: state.reason ?? 'cancelled_by_merchant' };
  const period = hasUnpaidPeriod(state) ? state.current_period_number : state.current_period_number + 1;
  const free = state.try_now && hasUnpaidPeriod(state);
  const attempt = { period, attempt: state.attempts + 1, free };
  if (free) return { do: 'charge', at: 0, attempt };
  const isInTrial = state.status === 'trial' && !state.is_paused;
  const periodEnd = isInTrial ? state.due_at : chargeAt(state, state.current_period_number + 1);
  if (state.cancel_at_period_end && periodEnd <= state.due_at)
    return { do: 'cancel', at: periodEnd, reason: 'period_ended' };
  if (state.status === 'unpaid') return { do: 'cancel', at: state.due_at, reason: 'left_unpaid' };
  if (waitsForNewCard(state)) return { do: 'skip', at: state.due_at, period };
  return { do: 'charge', at: state.due_at, attempt };
}

export function transition(state: BillingState, event: BillingEvent): BillingState {
  switch (event.type) {
    case 'prepared':
      return {
        ...(event.attempt.period > state.current_period_number ? afterOpening(state, event.attempt.period) : state),
        try_now: false,
        open: {
          ...event.attempt,
          transaction_id: event.transaction_id,
          card_id: state.card_id,
          tries: 0,
          again_at: event.realTime,
        },
      };
    case 'answered':
      return state.open ? afterAnswer(state, state.open, event) : state;
    case 'unanswered': {
      if (!state.open) return state;
      const pause = NO_ANSWER_PAUSES_MS[Math.min(state.open.tries, NO_ANSWER_PAUSES_MS.length - 1)] ?? 0;
      return { ...state, open: { ...state.open, tries: state.open.tries + 1, again_at: event.realTime + pause } };
    }
    case 'skipped':
      return state.status === 'past_due' && waitsForNewCard(state)
        ? afterRetry(state, state.retries_left - 1, event.at)
        : state;
    case 'cancel':
      return state.status === 'cancelled'
        ? state
        : withoutPause({ ...state, status: 'cancelled', reason: event.reason, try_now: false });
    case 'change':
      return refusedChange(state, event, event.at) ? state : afterChange(state, event, event.at);
  }
}

function afterAnswer(
  state: BillingState,
  { period, attempt, free, card_id }: OpenAttempt,
  { outcome, decline, at }: Extract<BillingEvent, { type: 'answered' }>,
): BillingState {
  const settled = { ...state, open: null };
  // A requested retry remains due.
  if (outcome === 'not_made') {
    const due_at = state.is_paused && !hasUnpaidPeriod(state) ? opensAt(settled, period) : state.due_at;
    return { ...settled, due_at, try_now: state.try_now || (free && state.status !== 'cancelled') };
  }
  const opened = { ...settled, current_period_number: period };
  if (outcome === 'paid') {
    const paid = { ...opened, attempts: 0, retries_left: 0, try_now: false, card_refusal: null };
    return state.status === 'cancelled' ? paid : { ...paid, status: 'active', due_at: opensAt(paid, period + 1) };
  }
  const declined = withDecline({ ...opened, attempts: attempt }, card_id, decline, at);
  if (state.status === 'cancelled' || state.status === 'unpaid') return declined;
  if (!free) {
    const retries_left = hasUnpaidPeriod(state) ? state.retries_left - 1 : state.terms.retry_times;
    return afterRetry(declined, retries_left, at, decline?.error_code);
  }
  const due_at = Math.max(state.due_at, declined.card_refusal?.until ?? 0);
  return state.retries_left > 0 ? { ...declined, status: 'past_due', due_at } : afterLastRetry(declined, at);
}

/** After a declined or skipped retry, or the declined charge of a new period. */
function afterRetry(state: BillingState, retries_left: number, at: Moment, error_code?: number): BillingState {
  const next = { ...state, retries_left: Math.max(0, retries_left) };
  const charge_day = chargeDayOf(state, state.current_period_number);
  const next_charge_day = chargeDayOf(state, state.current_period_number + 1);
  const due_at = nextRetryAt(next, { charge_day, next_charge_day }, at, error_code);
  return retries_left > 0 ? { ...next, status: 'past_due', due_at } : afterLastRetry({ ...next, due_at }, at);
}

/** A card that was added meanwhile is charged before the subscription is cancelled. */
function afterLastRetry(state: BillingState, at: Moment): BillingState {
  if (state.terms.status_after_retry === 'unpaid') {
    const due_at = Math.max(chargeAt(state, state.current_period_number + 1), at + MIN_UNPAID_DAYS * DAY_MS);
    return withoutPause({ ...state, status: 'unpaid', due_at });
  }
  return state.try_now
    ? { ...state, status: 'past_due' }
    : withoutPause({ ...state, status: 'cancelled', reason: 'retries_exhausted' });
}

function afterChange(state: BillingState, change: SubscriptionChange, at: Moment): BillingState {
  const { cancel_at_period_end, trial_end_date, card_id, retry, pause, resume } = change;
  const resumed = resume === undefined ? state : afterResumption(state, at);
  const after = card_id === undefined ? { ...resumed } : withCard(resumed, change, at);
  if (cancel_at_period_end !== undefined) after.cancel_at_period_end = cancel_at_period_end;
  if (retry) after.try_now = true;
  if (trial_end_date !== undefined) {
    const over = trial_end_date < dayOf(at);
    after.trial_end_date = trial_end_date;
    after.first_charge_day = over ? dayOf(at) : addDays(trial_end_date, 1);
    after.due_at = over && !after.is_paused ? at : opensAt(after, 1);
  }
  if (pause) {
    Object.assign(after, { is_paused: true, resume_date: pause.resume_date });
    if (!state.open) after.due_at = opensAt(after, state.current_period_number + 1);
  }
  return after;
}

/** Returns the reason for refusing a change, or undefined. */
export function refusedChange(state: BillingState, change: SubscriptionChange, at: Moment) {
  if (state.status === 'cancelled') return 'subscription_cancelled';
  if (change.trial_end_date !== undefined && (state.status !== 'trial' || state.open)) return 'trial_over';
  if (change.retry && !hasUnpaidPeriod(state)) return 'no_unpaid_period';
  if (change.pause && hasUnpaidPeriod(state)) return 'pause_while_unpaid';
  if (change.pause?.resume_date && change.pause.resume_date < pauseStart(state)) return 'resumed_before_period_end';
  if (change.resume && !state.is_paused) return 'not_paused';
  return refusedRetry(state, change, at);
}
