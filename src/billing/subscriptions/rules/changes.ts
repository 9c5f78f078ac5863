/** Changes of plan, quantity and coupon, and extras. */
import { addDays, DAY_MS, type Day, dayOf, type Moment, startOfDay } from '../../../../workflows/calendar';
import { divideHalfUp, MAX_MONEY, type Money } from '../../../platform/money';
import { amountOf, isUsedUp, MAX_EXTRAS, priceOf, withInvoice, withoutUse } from './invoices';
import { chargeDayOf, hasUnpaidPeriod, isPauseInEffect, opensAt, withoutPause } from './periods';
import type { BillingState, Discount, Extra, PlannedChange, Replacement, SubscriptionChange } from './state';

const daysBetween = (from: Day, to: Day): number => Math.round((startOfDay(to) - startOfDay(from)) / DAY_MS);

/**
 * Credit for the unused days of the current period, today included. `returned` was refunded or charged back. Extras are
 * not credited, and credit that the period used was paid before.
 */
export function creditFor(state: BillingState, returned: Money, at: Moment): Money {
  if (state.status !== 'active') return 0n;
  const { current_period_number: period, invoice, terms } = state;
  const [start, end] = [chargeDayOf(state, period), chargeDayOf(state, period + 1)];
  const price = invoice?.period === period ? invoice.full_amount - invoice.discount : terms.amount;
  const kept = price - returned;
  const days = daysBetween(start, end);
  const unused = Math.min(daysBetween(dayOf(at), end), days);
  return kept > 0n && unused > 0 ? divideHalfUp(kept * BigInt(unused), BigInt(days)) : 0n;
}

/** A period that is replaced on its first day does not use up the coupon. */
function discountAfter(state: BillingState, at: Moment): Discount | null {
  const { current_period_number: period, discount } = state;
  const isFirstDay = state.status === 'active' && chargeDayOf(state, period) === dayOf(at);
  return isFirstDay ? withoutUse(discount, period) : discount;
}

export interface RequestedReplacement extends PlannedChange {
  at: Moment;
  /** Whether unused days are credited. */
  credits: boolean;
  returned: Money;
  coupon?: Discount | undefined;
  /** Whether a trial continues: unless another plan has none. */
  has_trial: boolean;
  /** Whether a planned change stays. */
  keeps_planned?: boolean;
}

export function replacementOf(
  state: BillingState,
  { terms, quantity, at, credits, returned, coupon, has_trial, keeps_planned = false }: RequestedReplacement,
): Replacement {
  const opens_period = state.status !== 'trial' || !has_trial;
  const credit = credits ? creditFor(state, returned, at) : 0n;
  const discount = coupon ?? discountAfter(state, at);
  return { terms, quantity, at, credit, discount, opens_period, ...(keeps_planned && { keeps_planned }) };
}

/** The subscription after a replacement whose charge, if any, is paid. */
export function replaced(state: BillingState, replacement: Replacement): BillingState {
  const { terms, quantity, at, credit, discount, opens_period, keeps_planned } = replacement;
  const pending_change = keeps_planned ? state.pending_change : null;
  const changed = { ...state, terms, quantity, discount, open: null, pending_change };
  if (!opens_period) return changed;
  const period = state.current_period_number + 1;
  const today = dayOf(at);
  const begun: BillingState = {
    ...changed,
    status: 'active',
    current_period_number: period,
    first_charge_day: today,
    anchor_period: period,
    trial_end_date: state.trial_end_date < today ? state.trial_end_date : addDays(today, -1),
    credit_balance: state.credit_balance + credit,
    attempts: 0,
    retries_left: 0,
    try_now: false,
    card_refusal: null,
  };
  const billed = withInvoice(withoutPassedPause(begun), period);
  return { ...billed, due_at: opensAt(billed, period + 1) };
}

/** A subscription that was cancelled meanwhile keeps what was paid, and stays cancelled. */
export function afterReplacement(state: BillingState, replacement: Replacement): BillingState {
  const after = replaced(state, replacement);
  return state.status === 'cancelled' ? { ...after, status: 'cancelled', due_at: state.due_at } : after;
}

/** A pause that would be over when the new period ends never begins. */
const withoutPassedPause = (state: BillingState): BillingState =>
  state.resume_date !== null && state.resume_date <= chargeDayOf(state, state.current_period_number + 1)
    ? withoutPause(state)
    : state;

/** The amount that a replacement charges at once. */
export function chargedNow(state: BillingState, replacement: Replacement): Money {
  if (!replacement.opens_period) return 0n;
  const after = replaced(state, replacement);
  return amountOf(after, after.current_period_number);
}

/** Returns the reason for refusing a replacement, or undefined. */
export function refusedReplacement(state: BillingState, { terms, quantity, coupon, at }: RequestedReplacement) {
  if (state.status === 'cancelled') return 'subscription_cancelled';
  if (hasUnpaidPeriod(state)) return 'change_while_unpaid';
  if (state.open) return 'change_during_charge';
  if (isPauseInEffect(state, at)) return 'change_while_paused';
  // No period is skipped.
  if (chargeDayOf(state, state.current_period_number + 1) < dayOf(at)) return 'change_during_charge';
  if (coupon && coupon.coupon_id === state.discount?.coupon_id) return 'coupon_applied';
  return exceedsAmount(state, { terms, quantity }) ? 'amount_too_large' : undefined;
}

/** Discounts may end, so they do not count. */
const exceedsAmount = (state: BillingState, planned: PlannedChange): boolean =>
  priceOf(planned) + state.extras.reduce((sum, { amount }) => (amount > 0n ? sum + amount : sum), 0n) > MAX_MONEY;

/** Returns the reason for refusing a change of the next period, or undefined. */
export function refusedPlan(state: BillingState, { planned, coupon, extra, removed_extra }: SubscriptionChange) {
  const changesAmounts = [planned, coupon, extra, removed_extra].some(value => value !== undefined);
  if (changesAmounts && state.open?.replacement) return 'change_during_charge';
  if (planned === null && !state.pending_change) return 'no_planned_change';
  if (planned === null && exceedsAmount(state, state)) return 'amount_too_large';
  if (planned && state.status === 'unpaid') return 'change_while_unpaid';
  if (planned && exceedsAmount(state, planned)) return 'amount_too_large';
  if (coupon === null && (!state.discount || isUsedUp(state.discount))) return 'no_coupon';
  if (coupon && coupon.coupon_id === state.discount?.coupon_id) return 'coupon_applied';
  if (removed_extra !== undefined && !state.extras.some(({ id }) => id === removed_extra)) return 'no_extra';
  if (!extra) return undefined;
  const extras = [...state.extras, ...extrasInProgress(state), extra];
  if (extras.length > MAX_EXTRAS) return 'too_many_extras';
  const next = state.pending_change ?? state;
  const isTooLarge = exceedsAmount({ ...state, extras }, next);
  return isTooLarge ? 'amount_too_large' : undefined;
}

/** They come back if the charge is not made. */
const extrasInProgress = ({ open, invoice }: BillingState): readonly Extra[] =>
  open && invoice?.period === open.period ? invoice.extras : [];

export function withPlan(state: BillingState, change: SubscriptionChange): BillingState {
  const { planned, coupon, extra, removed_extra, clears_credit } = change;
  const extras = state.extras.filter(({ id }) => id !== removed_extra);
  return {
    ...state,
    ...(planned !== undefined && { pending_change: planned }),
    ...(coupon !== undefined && { discount: coupon }),
    extras: extra ? [...extras, extra] : extras,
    ...(clears_credit && { credit_balance: 0n }),
  };
}
