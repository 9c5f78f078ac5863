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
import { afterReplacement, replaced } from './changes';
import { costsNothing, opened, withoutCreditUse, withoutInvoice } from './invoices';
import { chargeAt, chargeDayOf, hasUnpaidPeriod, opensAt, withoutPause } from './periods';
import type { Discount, PlanTerms } from './prices';
import { afterChange, refusedChange } from './requests';
import { nextRetryAt, waitsForNewCard, withDecline } from './retries';
import type { BillingEvent, BillingState, EndReason, NextAction, OpenAttempt } from './state';
import { REPLACEMENT_LEASE_MS, withGrace, withoutAnswer } from './waits';

const MIN_UNPAID_DAYS = 7;

/** A past trial end means no trial: the first charge is made immediately, and its day anchors all later charge days. */
export function initialState(
  id: string,
  terms: PlanTerms,
  card_id: string,
  at: Moment,
  trial_end_date: Day,
  { quantity = 1, discount = null }: { quantity?: number; discount?: Discount | null } = {},
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
    quantity,
    pending_change: null,
    credit_balance: 0n,
    discount,
    extras: [],
    invoice: null,
  };
}

export function nextAction(state: BillingState): NextAction {
  // Resolved first. It is sent again only if the subscription is open and still has that card.
  if (state.open) {
    const { period, attempt, free, again_at, card_id, replacement, payment, tries } = state.open;
    // A requested retry, or one with a new card, takes the place of the payment.
    const isReplaced = state.status === 'cancelled' || state.try_now;
    if (payment && tries === 0) return { do: 'withdraw', at: isReplaced ? 0 : payment.until, period };
    const send = state.status !== 'cancelled' && card_id === state.card_id && !replacement;
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
  if (period > state.current_period_number && costsNothing(state, period))
    return { do: 'cover', at: state.due_at, period };
  return { do: 'charge', at: state.due_at, attempt };
}

export function transition(state: BillingState, event: BillingEvent): BillingState {
  switch (event.type) {
    case 'prepared':
      return {
        ...(opensPeriod(state, event) ? opened(state, event.attempt.period) : state),
        try_now: false,
        open: {
          ...event.attempt,
          transaction_id: event.transaction_id,
          card_id: state.card_id,
          tries: 0,
          again_at: event.realTime + (event.replacement ? REPLACEMENT_LEASE_MS : 0),
          ...(event.replacement && { replacement: event.replacement }),
          ...(event.payment && { payment: event.payment }),
        },
      };
    case 'covered': {
      const next = nextAction(state);
      return next.do === 'cover' ? afterPayment(opened(state, next.period), next.period) : state;
    }
    case 'replaced':
      return replaced(state, event);
    case 'paid_late':
      return hasUnpaidPeriod(state) && !state.open ? afterPayment(state, state.current_period_number) : state;
    case 'credited':
      return { ...state, credit_balance: state.credit_balance + event.amount };
    case 'answered':
      return state.open ? afterAnswer(state, state.open, event) : state;
    case 'unanswered': {
      if (!state.open) return state;
      // The request of a replacement was answered that nothing changed.
      const open = withoutAnswer(state.open, event.realTime);
      return { ...state, open: open.replacement ? { ...open, is_reversed: true } : open };
    }
    case 'skipped':
      return state.status === 'past_due' && waitsForNewCard(state)
        ? afterRetry(state, state.retries_left - 1, event.at)
        : state;
    case 'cancel':
      return state.status === 'cancelled' ? state : cancelled(state, event.reason);
    case 'change':
      return refusedChange(state, event, event.at) ? state : afterChange(state, event, event.at);
  }
}

/** A replacement changes nothing until its charge is paid. */
const opensPeriod = (
  { current_period_number }: BillingState,
  { attempt, replacement }: Extract<BillingEvent, { type: 'prepared' }>,
): boolean => !replacement && attempt.period > current_period_number;

function afterPayment(state: BillingState, period: number): BillingState {
  const settled = { attempts: 0, retries_left: 0, try_now: false, card_refusal: null };
  const paid = { ...state, ...settled, open: null, current_period_number: period };
  return state.status === 'cancelled' ? paid : { ...paid, status: 'active', due_at: opensAt(paid, period + 1) };
}

function afterAnswer(
  state: BillingState,
  { period, attempt, free, card_id, replacement, is_reversed, payment }: OpenAttempt,
  { outcome, decline, at }: Extract<BillingEvent, { type: 'answered' }>,
): BillingState {
  const settled = { ...state, open: null };
  if (replacement) return outcome === 'paid' && !is_reversed ? afterReplacement(settled, replacement) : settled;
  if (outcome === 'not_made') return withGrace(afterNothing(settled, period, free), payment, at);
  if (outcome === 'paid') return afterPayment(settled, period);
  const declined = withDecline({ ...settled, current_period_number: period, attempts: attempt }, card_id, decline, at);
  if (state.status === 'cancelled') return withoutCreditUse(declined);
  if (state.status === 'unpaid') return declined;
  if (!free) {
    const retries_left = hasUnpaidPeriod(state) ? state.retries_left - 1 : state.terms.retry_times;
    return afterRetry(declined, retries_left, at, decline?.error_code);
  }
  const due_at = Math.max(state.due_at, declined.card_refusal?.until ?? 0);
  return state.retries_left > 0 ? { ...declined, status: 'past_due', due_at } : afterLastRetry(declined, at);
}

/** A period whose charge was not made has not opened. A requested retry remains due. */
function afterNothing(state: BillingState, period: number, free: boolean): BillingState {
  const isOver = state.status === 'cancelled';
  if (period <= state.current_period_number)
    return isOver ? withoutCreditUse(state) : { ...state, try_now: state.try_now || free };
  const due_at = state.is_paused ? opensAt(state, period) : state.due_at;
  return { ...withoutInvoice(state, period), due_at, try_now: false };
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
  const unpaid: BillingState = { ...state, status: 'past_due' };
  return state.try_now ? unpaid : cancelled(unpaid, 'retries_exhausted');
}

function cancelled(state: BillingState, reason: EndReason): BillingState {
  const ended = withoutPause({ ...state, status: 'cancelled', reason, try_now: false });
  return hasUnpaidPeriod(state) && !state.open ? withoutCreditUse(ended) : ended;
}
