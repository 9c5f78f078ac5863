/** The amount of a period: fixed when it opens, by plan, quantity, discount, extras and credit. */
import { divideHalfUp, type Money } from '../../../platform/money';
import { afterOpening, chargeDayOf } from './periods';
import type { BillingState, Discount, Extra, PlannedChange } from './state';

/** In hundredths of a percent. */
const WHOLE = 10_000n;
export const MAX_EXTRAS = 100;

const sumOf = (extras: readonly Extra[]): Money => extras.reduce((sum, { amount }) => sum + amount, 0n);
const least = (a: Money, b: Money): Money => (a < b ? a : b);

export const priceOf = ({ terms, quantity }: PlannedChange): Money => terms.amount * BigInt(quantity);

export const isUsedUp = ({ periods_left }: Discount): boolean => periods_left === 0;

function discountOn(price: Money, { percent_off, amount_off }: Discount): Money {
  const off = percent_off === null ? (amount_off ?? 0n) : divideHalfUp(price * BigInt(percent_off), WHOLE);
  return least(off, price);
}

/** Courtesies reduce the amount to zero at most; what is left of them is billed later. */
function billExtras(price: Money, extras: readonly Extra[]): { billed: Extra[]; left: Extra[] } {
  const [billed, left] = [extras.filter(({ amount }) => amount > 0n), [] as Extra[]];
  let due = price + sumOf(billed);
  for (const courtesy of extras.filter(({ amount }) => amount < 0n)) {
    const used = least(-courtesy.amount, due);
    due -= used;
    if (used > 0n) billed.push({ ...courtesy, amount: -used });
    if (used < -courtesy.amount) left.push({ ...courtesy, amount: courtesy.amount + used });
  }
  return { billed, left };
}

/** Fixes the amounts of a period; the current terms apply. */
export function withInvoice(state: BillingState, period: number): BillingState {
  const { quantity, extras, credit_balance } = state;
  const discounting = state.discount && !isUsedUp(state.discount) ? state.discount : null;
  if (quantity === 1 && !discounting && extras.length === 0 && credit_balance === 0n)
    return { ...state, invoice: null };
  const full_amount = priceOf(state);
  const discount = discounting ? discountOn(full_amount, discounting) : 0n;
  const { billed, left } = billExtras(full_amount - discount, extras);
  const owed = full_amount - discount + sumOf(billed);
  const credit = least(credit_balance, owed);
  return {
    ...state,
    discount: discounting ? afterUse(discounting, period) : state.discount,
    extras: left,
    credit_balance: credit_balance - credit,
    invoice: {
      period,
      quantity,
      full_amount,
      discount,
      coupon_id: discounting?.coupon_id ?? null,
      extras: billed,
      credit,
      amount: owed - credit,
    },
  };
}

const afterUse = (discount: Discount, period: number): Discount =>
  discount.periods_left === null ? discount : { ...discount, periods_left: discount.periods_left - 1, used_in: period };

/** A coupon that was removed and redeemed again has not reduced the period. */
export function withoutUse(discount: Discount | null, period: number): Discount | null {
  if (discount?.used_in !== period || discount.periods_left === null) return discount;
  const { used_in: _, ...unused } = discount;
  return { ...unused, periods_left: discount.periods_left + 1 };
}

/** Restores the coupon, extras and credit of a period that was never charged. Its terms stay. */
export function withoutInvoice(state: BillingState, period: number): BillingState {
  const { invoice, discount, credit_balance } = state;
  if (invoice?.period !== period) return state;
  return {
    ...state,
    invoice: null,
    discount: withoutUse(discount, period),
    extras: unbilled(invoice.extras, state.extras),
    credit_balance: credit_balance + invoice.credit,
  };
}

/** The latest period remains unpaid, so its credit belongs to the payer. */
export const withoutCreditUse = (state: BillingState): BillingState =>
  state.invoice?.period === state.current_period_number
    ? { ...state, credit_balance: state.credit_balance + state.invoice.credit }
    : state;

/** A courtesy that was used in part is whole again. */
function unbilled(billed: readonly Extra[], left: readonly Extra[]): Extra[] {
  const rest = new Map(left.map(extra => [extra.id, extra.amount]));
  const again = billed.map(extra => ({ ...extra, amount: extra.amount + (rest.get(extra.id) ?? 0n) }));
  const ids = new Set(billed.map(({ id }) => id));
  return [...again, ...left.filter(({ id }) => !ids.has(id))];
}

/** A planned change takes effect on the charge day. Another interval is counted from that day on. */
function withPlannedChange(state: BillingState, period: number): BillingState {
  if (!state.pending_change) return state;
  const { terms, quantity } = state.pending_change;
  const { repeat_every, repeat_unit } = state.terms;
  const isSameInterval = repeat_every === terms.repeat_every && repeat_unit === terms.repeat_unit;
  const anchor = isSameInterval ? {} : { first_charge_day: chargeDayOf(state, period), anchor_period: period };
  return { ...state, terms, quantity, pending_change: null, ...anchor };
}

/** Opens a period: its pause ends, a planned change takes effect, and its amounts are fixed. */
export const opened = (state: BillingState, period: number): BillingState =>
  withInvoice(withPlannedChange(afterOpening(state, period), period), period);

/** The amount of an open period. */
export const amountOf = ({ invoice, terms }: BillingState, period: number): Money =>
  invoice?.period === period ? invoice.amount : terms.amount;

export function costsNothing(state: BillingState, period: number): boolean {
  const canReduce = state.discount !== null || state.credit_balance > 0n || state.extras.length > 0;
  return canReduce && amountOf(opened(state, period), period) === 0n;
}
