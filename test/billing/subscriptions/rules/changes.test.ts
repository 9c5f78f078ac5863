/** Changes made at once, tried on every state of many random histories. */
import fc from 'fast-check';
import { transition } from '../../../../src/billing/subscriptions/rules/billing';
import {
  chargedNow,
  creditFor,
  type RequestedReplacement,
  refusedReplacement,
  replacementOf,
} from '../../../../src/billing/subscriptions/rules/changes';
import { amountOf } from '../../../../src/billing/subscriptions/rules/invoices';
import { chargeDayOf, datesOf } from '../../../../src/billing/subscriptions/rules/periods';
import type { BillingState, Discount } from '../../../../src/billing/subscriptions/rules/state';
import { addDays, DAY_MS, dayOf, startOfDay } from '../../../../workflows/calendar';
import { type ChangeNowStep, changeNow, newTerms } from '../../../harness/merchant/randomPrices';
import { inAnyHistory } from '../../../harness/merchant/randomSubscriptions';
import { least } from '../../../harness/merchant/referencePrices';

const steps = fc.sample(changeNow, { numRuns: 1000, seed: 20_271_031 });
const stepOf = (n: number): ChangeNowStep => steps[n % steps.length] as ChangeNowStep;

interface Tried {
  state: BillingState;
  at: number;
}
/** States without an open charge whose change is not refused, each some days after its period began. */
function inAnyState(check: (tried: Tried, steps: [ChangeNowStep, ChangeNowStep]) => void): void {
  let tried = 0;
  inAnyHistory(
    ({ happenings }) => {
      happenings.forEach(({ after: state, at: now }, i) => {
        if (i % 3 > 0 || state.status === 'new') return;
        const chosen: [ChangeNowStep, ChangeNowStep] = [stepOf(31 * i + happenings.length), stepOf(17 * i + 1)];
        const at = now + chosen[0].days * DAY_MS;
        if (refusedReplacement(state, requestOf(state, chosen[0], at))) return;
        tried += 1;
        check({ state, at }, chosen);
      });
    },
    { numRuns: 600 },
  );
  expect(tried).toBeGreaterThan(500);
}

function requestOf(
  state: BillingState,
  { plan, quantity, has_trial }: ChangeNowStep,
  at: number,
  more: { coupon?: Discount; returned?: bigint } = {},
): RequestedReplacement {
  return { terms: newTerms(state, plan), quantity, at, credits: true, returned: 0n, has_trial, ...more };
}

const ATTEMPT = { attempt: 1, free: true } as const;
function begin({ state, at }: Tried, request: RequestedReplacement): BillingState {
  const replacement = replacementOf(state, request);
  const attempt = { ...ATTEMPT, period: state.current_period_number + 1 };
  return transition(state, { type: 'prepared', realTime: at, attempt, transaction_id: 't', replacement });
}

/** Makes a change whose charge is paid, and returns what was charged. */
function change(tried: Tried, request: RequestedReplacement): { after: BillingState; charged: bigint } {
  const replacement = replacementOf(tried.state, request);
  const charged = chargedNow(tried.state, replacement);
  const after =
    charged === 0n
      ? transition(tried.state, { type: 'replaced', ...replacement })
      : transition(begin(tried, request), { type: 'answered', at: tried.at, outcome: 'paid' });
  return { after, charged };
}

/** Credit and unused courtesies. */
const leftTo = ({ credit_balance, extras }: BillingState): bigint =>
  extras.reduce((left, { amount }) => (amount < 0n ? left - amount : left), credit_balance);

it('two changes on one day cost the same as the last one alone, also with a refund between them', () => {
  inAnyState(({ state, at }, [first, second]) => {
    if (state.status !== 'active') return;
    const coupon = first.coupon?.coupon_id === state.discount?.coupon_id ? undefined : first.coupon;
    const withCoupon = coupon ? { coupon } : {};
    const one = change({ state, at }, requestOf(state, first, at, withCoupon));
    const kept = one.after.invoice
      ? one.after.invoice.full_amount - one.after.invoice.discount
      : one.after.terms.amount;
    // Refunded extras are not credited, so only what the period cost is refunded.
    const returned = (least(kept, one.charged) * second.refunded) / 100n;
    const two = change({ state: one.after, at: at + 1 }, requestOf(state, second, at + 1, { returned }));
    const alone = change({ state, at }, requestOf(state, second, at, withCoupon));
    expect(one.charged + two.charged - returned - leftTo(two.after)).toBe(alone.charged - leftTo(alone.after));
    expect(two.after.discount?.periods_left).toBe(alone.after.discount?.periods_left);
    // A pause that ends within the first new period is over.
    if (state.resume_date === null) expect(datesOf(two.after)).toEqual(datesOf(alone.after));
    const net = alone.after.invoice ? alone.after.invoice.full_amount - alone.after.invoice.discount : 0n;
    // Only the first change may have charged more than the last one costs; that is then credit.
    if (net >= kept && state.extras.every(({ amount }) => amount > 0n)) {
      expect(one.charged + two.charged - returned).toBe(alone.charged);
      expect(two.after.credit_balance).toBe(alone.after.credit_balance);
    }
  });
});

it('credit is never negative, never above what the period cost or what of it was kept, and none after its last day', () => {
  inAnyState(({ state, at }, [{ refunded }]) => {
    const { current_period_number: period, invoice, terms } = state;
    const cost = invoice?.period === period ? invoice.full_amount - invoice.discount : terms.amount;
    const returned = (cost * refunded) / 100n;
    const credit = creditFor(state, returned, at);
    expect(credit >= 0n && credit <= cost - returned).toBe(true);
    expect(creditFor(state, cost + 1n, at)).toBe(0n);
    if (state.status !== 'active') return expect(credit).toBe(0n);
    const end = startOfDay(addDays(datesOf(state).period_end_date, 1));
    expect(creditFor(state, 0n, end)).toBe(0n);
    expect(creditFor(state, 0n, end - 1) > 0n || cost < 2000n).toBe(true);
    // A full day on which the period began is worth all of it.
    expect(creditFor(state, 0n, startOfDay(chargeDayOf(state, period)))).toBe(cost);
  });
});

it('a change charges the price of the new period, and a trial that continues costs nothing', () => {
  inAnyState((tried, [step]) => {
    const request = requestOf(tried.state, step, tried.at);
    const { after, charged } = change(tried, request);
    if (tried.state.status === 'trial' && step.has_trial) {
      const { trial_end_date, due_at, current_period_number } = tried.state;
      expect(charged).toBe(0n);
      expect(after).toMatchObject({ status: 'trial', trial_end_date, due_at, current_period_number });
      return;
    }
    expect(after.status).toBe('active');
    expect(charged).toBe(amountOf(after, after.current_period_number));
    expect(chargeDayOf(after, after.current_period_number)).toBe(dayOf(tried.at));
    expect(after.trial_end_date < dayOf(tried.at) || tried.state.status === 'active').toBe(true);
  });
});

it('a change that is declined, not answered, or reversed leaves the subscription as it was', () => {
  inAnyState((tried, [step]) => {
    const { at, state } = tried;
    const request = requestOf(state, step, at);
    if (chargedNow(state, replacementOf(state, request)) === 0n) return;
    const begun = begin(tried, request);
    const answer = (from: BillingState, outcome: 'paid' | 'declined' | 'not_made') =>
      transition(from, { type: 'answered', at, outcome, decline: { error_code: 3004 } });
    const silent = transition(begun, { type: 'unanswered', realTime: at });
    for (const after of [
      answer(begun, 'declined'),
      answer(begun, 'not_made'),
      answer(silent, 'not_made'),
      // The charge is reversed, so a late approval counts for nothing.
      answer(silent, 'paid'),
    ])
      expect(after).toEqual({ ...state, try_now: false });
  });
});
