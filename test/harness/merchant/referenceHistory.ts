/** Tells the reference what happened to a subscription, and compares what both say. */
import { nextAction } from '../../../src/billing/subscriptions/rules/billing';
import { creditFor } from '../../../src/billing/subscriptions/rules/changes';
import { amountOf, opened } from '../../../src/billing/subscriptions/rules/invoices';
import type { Discount, PlannedChange, Replacement } from '../../../src/billing/subscriptions/rules/prices';
import { refusedChange } from '../../../src/billing/subscriptions/rules/requests';
import type { BillingState } from '../../../src/billing/subscriptions/rules/state';
import { addDays, dayOf } from '../../../workflows/calendar';
import type { Happening, runSubscription } from './randomSubscriptions';
import { type Bill, type ChangeNow, type Coupon, type Price, ReferencePrices, sum } from './referencePrices';

const priceOf = ({ terms, quantity }: PlannedChange): Price => ({
  amount: terms.amount,
  quantity,
  every: terms.repeat_every,
  unit: terms.repeat_unit,
});
const couponOf = ({ percent_off, amount_off, periods_left }: Discount): Coupon => ({
  percent: percent_off === null ? null : BigInt(percent_off),
  off: amount_off,
  periods: periods_left,
});

const describePrice = (price: Price | null): string =>
  price === null ? 'none' : `${price.quantity} x ${price.amount} every ${price.every} ${price.unit}`;
const describeExtras = (extras: readonly { id: string; amount: bigint }[]): string =>
  extras
    .map(({ id, amount }) => `${id} ${amount}`)
    .sort()
    .join();

/** The common view of both, as text, which is compared faster than objects. */
const describeState = (state: BillingState): string =>
  [
    `credit ${state.credit_balance}, coupon ${state.discount?.periods_left ?? null}`,
    `extras ${describeExtras(state.extras)}`,
    `price ${describePrice(priceOf(state))}`,
    `planned ${describePrice(state.pending_change && priceOf(state.pending_change))}`,
  ].join('; ');
const describeReference = (reference: ReferencePrices): string =>
  [
    `credit ${reference.balance}, coupon ${reference.couponPeriodsLeft}`,
    `extras ${describeExtras(reference.waiting)}`,
    `price ${describePrice(reference.price)}`,
    `planned ${describePrice(reference.planned)}`,
  ].join('; ');

/** `expect` takes most of the time of so many comparisons. */
const expectSame = (actual: unknown, expected: unknown): void => {
  if (actual !== expected) expect(actual).toBe(expected);
};

class ReferenceHistory {
  readonly prices: ReferencePrices;
  private pausedUntil: string | null = null;
  private isPaused = false;
  private changing: ChangeNow | undefined;

  constructor(first: BillingState) {
    const coupon = first.discount && couponOf(first.discount);
    this.prices = new ReferencePrices(priceOf(first), coupon, first.first_charge_day);
  }

  /** Returns the amount that is charged, if any, by the reference. */
  follow({ event, before, after, requested }: Happening): bigint | undefined {
    const { prices } = this;
    if (event.type === 'change' && !refusedChange(before, event, event.at)) this.change(event, before);
    if (event.type === 'covered' && after !== before) {
      this.open().isPaid = true;
      return 0n;
    }
    if (requested && (event.type === 'prepared' || event.type === 'replaced')) {
      const { credits, returned, coupon } = requested;
      const replacement = (event.type === 'prepared' ? event.replacement : event) as Replacement;
      const change = { credit: credits, returned, coupon: coupon ? couponOf(coupon) : null };
      this.changing = { ...change, day: dayOf(requested.at), price: priceOf(requested) };
      if (!replacement.opens_period) return this.continueTrial(this.changing);
      if (event.type === 'prepared') return prices.changeBill(this.changing).charge;
      return this.changeNow();
    }
    if (event.type === 'prepared') {
      const isOpening = event.attempt.period > before.current_period_number;
      return isOpening ? this.open().charge : prices.last?.charge;
    }
    if (event.type === 'answered' && before.open) this.answer(event.outcome, before);
    // Its last retry, or a request, ended it.
    if (after.status === 'cancelled' && !after.open) prices.isOver = true;
    // A pause that was requested while a charge had no answer.
    if (after.status === 'unpaid' && before.status !== 'unpaid') this.endPause();
    return undefined;
  }

  private answer(outcome: 'paid' | 'declined' | 'not_made', { open, current_period_number }: BillingState): void {
    if (open?.replacement) {
      if (outcome === 'paid') this.changeNow();
    } else if (outcome === 'paid') (this.prices.last as Bill).isPaid = true;
    else if (outcome === 'not_made' && open && open.period > current_period_number) this.prices.withdraw();
    this.changing = undefined;
  }

  private continueTrial({ price, coupon }: ChangeNow): undefined {
    Object.assign(this.prices, { price, planned: null, ...(coupon && { coupon }) });
  }

  private changeNow(): bigint {
    const bill = this.prices.change(this.changing as ChangeNow);
    if (this.pausedUntil !== null && this.pausedUntil <= bill.end) this.endPause();
    return bill.charge;
  }

  private open(): Bill {
    const bill = this.prices.open(this.pausedUntil);
    this.endPause();
    return bill;
  }
  private endPause(): void {
    [this.isPaused, this.pausedUntil] = [false, null];
  }

  private change(
    { at, planned, coupon, extra, removed_extra, clears_credit, trial_end_date, pause, resume }: Change,
    { open, status }: BillingState,
  ): void {
    const { prices } = this;
    if (planned !== undefined) prices.planned = planned && priceOf(planned);
    if (coupon !== undefined) prices.coupon = coupon && couponOf(coupon);
    if (extra) prices.add(extra.id, extra.amount);
    if (removed_extra !== undefined) prices.remove(removed_extra);
    if (clears_credit) prices.clear();
    const today = dayOf(at);
    if (trial_end_date !== undefined) prices.startOn(trial_end_date < today ? today : addDays(trial_end_date, 1));
    if (pause) [this.isPaused, this.pausedUntil] = [true, pause.resume_date];
    if (resume === undefined) return;
    const isCollecting = status === 'past_due' || status === 'unpaid' || open !== null;
    if (this.isPaused && !isCollecting && today >= prices.nextDay) prices.resumeOn(today);
    this.endPause();
  }

  compare(state: BillingState, at: number): void {
    const { prices } = this;
    expectSame(describeState(state), describeReference(prices));
    if (state.open && !state.open.replacement) expectSame(amountOf(state, state.open.period), prices.last?.charge);
    if (state.open || state.status === 'cancelled') return;
    const today = dayOf(at);
    if (state.status === 'active')
      expectSame(creditFor(state, 1000_00n, at), prices.creditFor({ day: today, credit: true, returned: 1000_00n }));
    const { current_period_number: last } = state;
    if (state.status === 'past_due' || state.status === 'unpaid')
      expectSame(amountOf(state, last), prices.last?.charge);
    else {
      const bill = prices.nextBill(this.pausedUntil);
      expectSame(amountOf(opened(state, last + 1), last + 1), bill.charge);
      const action = nextAction(state);
      if (action.do === 'charge' || action.do === 'cover')
        expectSame(action.do, bill.charge === 0n ? 'cover' : 'charge');
    }
  }
}
type Change = Extract<Happening['event'], { type: 'change' }>;

type History = ReturnType<typeof runSubscription>;

/** Compares every charge, and after every happening the credit, extras, coupon and preview. */
export function agreesWithReference({ happenings, states, charges }: History): ReferencePrices {
  const reference = new ReferenceHistory(states[0] as BillingState);
  const amounts: bigint[] = [];
  for (const happening of happenings) {
    const amount = reference.follow(happening);
    if (amount !== undefined) amounts.push(amount);
    reference.compare(happening.after, happening.at);
  }
  expectSame(charges.map(({ amount }) => amount).join(), amounts.join());
  return reference.prices;
}

/** The charges add up to the paid bills, and all credit was used, returned, or is left. */
export function nothingIsLost(reference: ReferencePrices, { charges }: History): void {
  const { bills, balance, cleared, isOver } = reference;
  const paid = bills.filter(({ isPaid }) => isPaid);
  for (const { full, discount, creditUsed, charge } of bills)
    expectSame(discount >= 0n && discount <= full && creditUsed >= 0n && charge >= 0n, true);
  const owed = paid.map(({ full, discount, extras }) => full - discount + sum(extras.map(({ amount }) => amount)));
  const used = (some: Bill[]): bigint => sum(some.map(({ creditUsed }) => creditUsed));
  const charged = charges.filter(({ outcome }) => outcome === 'paid').map(({ amount }) => amount);
  expectSame(sum(charged), sum(owed) - used(paid));
  const given = sum(bills.map(({ creditGiven }) => creditGiven));
  expectSame(given, used(isOver ? paid : bills) + balance + cleared);
}
