/** Random sequences of events for one subscription, for property tests of the billing rules. */
import fc from 'fast-check';
import { initialState, nextAction, transition } from '../../../src/billing/subscriptions/rules/billing';
import {
  chargedNow,
  type RequestedReplacement,
  refusedReplacement,
  replacementOf,
} from '../../../src/billing/subscriptions/rules/changes';
import { amountOf } from '../../../src/billing/subscriptions/rules/invoices';
import { chargeDayOf, NEVER } from '../../../src/billing/subscriptions/rules/periods';
import type { Discount, PlanTerms } from '../../../src/billing/subscriptions/rules/prices';
import type {
  AttemptOutcome,
  BillingEvent,
  BillingState,
  Decline,
} from '../../../src/billing/subscriptions/rules/state';
import { addDays, DAY_MS, dayOf, startOfDay } from '../../../workflows/calendar';
import { isRelease } from '../flow/tier';
import { type ChangeNowStep, firstPrice, newTerms, type PriceStep, priceStep, requestedChange } from './randomPrices';

/** Terms that the days of a subscription do not depend on. */
export const PLAN = { plan_id: 'p1', plan_name: 'Monthly', plan_iva: null, amount: 49_900_00n } as const;

const retryDays = fc
  .uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 20 })
  .map(days => days.sort((a, b) => a - b));

const retries: fc.Arbitrary<Pick<PlanTerms, 'retry_times' | 'retry_schedule'>> = fc.oneof(
  fc.record({
    retry_times: fc.integer({ min: 0, max: 20 }),
    retry_schedule: fc.constantFrom('daily' as const, 'daily' as const, 'paydays' as const),
  }),
  retryDays.map(days => ({ retry_times: days.length, retry_schedule: days })),
);

export const terms: fc.Arbitrary<PlanTerms> = fc
  .record({
    repeat_every: fc.integer({ min: 1, max: 6 }),
    repeat_unit: fc.constantFrom('week' as const, 'month' as const, 'year' as const),
    retries,
    status_after_retry: fc.constantFrom('unpaid' as const, 'cancelled' as const),
  })
  .map(({ retries, ...terms }) => ({ ...PLAN, ...terms, ...retries }));

/** Mostly soft ones. */
const decline: fc.Arbitrary<Decline> = fc.record({
  error_code: fc.constantFrom(3001, 3003, 3003, 3002, 3004),
  advice: fc.oneof(
    { weight: 8, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constant('do_not_retry' as const) },
    { weight: 1, arbitrary: fc.record({ retry_after_hours: fc.integer({ min: 1, max: 200 }) }) },
  ),
});

/**
 * One step: time passes, the next action runs and the acquirer responds or not, or the merchant changes something.
 */
export const randomStep = fc.oneof(
  {
    weight: 24,
    arbitrary: fc.record({
      do: fc.constant('proceed'),
      outcome: fc.constantFrom<AttemptOutcome | 'silence'>('paid', 'paid', 'declined', 'declined', 'silence'),
      known: fc.boolean(),
      decline,
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('wait'), days: fc.double({ min: 0, max: 40, noNaN: true }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('flag'), on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('card'), card: fc.constantFrom('k1', 'k2', 'k3') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('trial'), days: fc.integer({ min: -30, max: 60 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel') }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('pause'), days: fc.option(fc.integer({ min: 0, max: 200 })) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('resume') }) },
);
type Step = typeof randomStep extends fc.Arbitrary<infer T> ? T : never;

/** Also what changes the price. */
export const anyStep = fc.oneof({ weight: 2, arbitrary: randomStep }, { weight: 1, arbitrary: priceStep });
type AnyStep = Step | PriceStep;

export interface Charge {
  /** A `covered` period and the change to a new one may cost nothing: then no charge is sent. */
  kind: 'renewal' | 'change' | 'covered';
  period: number;
  at: number;
  free: boolean;
  /** The beginning of the period's charge day. */
  opens: number;
  amount: bigint;
  /** The state before it was prepared. */
  before: BillingState;
  outcome?: AttemptOutcome;
}

/** An event with the states around it. */
export interface Happening {
  at: number;
  event: BillingEvent;
  before: BillingState;
  after: BillingState;
  /** Set for a change made now. */
  requested?: RequestedReplacement;
}

/** Runs a subscription through the steps and records every state. */
export function runSubscription(
  terms: PlanTerms,
  at: number,
  trialDays: number,
  steps: AnyStep[],
  id = 's0000000000000000001',
  first: { quantity?: number; discount?: Discount | null } = {},
) {
  let now = at;
  let state = initialState(id, terms, 'k0', at, addDays(dayOf(at), trialDays - 1), first);
  const charges: Charge[] = [];
  const happenings: Happening[] = [];
  const states: BillingState[] = [state];
  const sentAgain: BillingState[] = [];
  const apply = (event: BillingEvent, requested?: RequestedReplacement): void => {
    const before = state;
    state = transition(state, event);
    states.push(state);
    happenings.push({ at: now, event, before, after: state, ...(requested && { requested }) });
  };
  const answer = (outcome: AttemptOutcome, decline?: Decline): void => {
    Object.assign(charges.at(-1) as Charge, { outcome });
    apply({ type: 'answered', at: now, outcome, decline });
  };
  const changeNow = (step: ChangeNowStep): void => {
    const { days, quantity, coupon, credits, has_trial, refunded } = step;
    now += days * DAY_MS;
    const returned =
      ((charges.findLast(each => each.outcome === 'paid' && each.period === state.current_period_number)?.amount ??
        0n) *
        refunded) /
      100n;
    const asked = { terms: newTerms(state, step.plan), quantity, at: now, credits, returned, has_trial };
    const requested = { ...asked, ...(coupon && { coupon }) };
    if (state.status === 'new' || refusedReplacement(state, requested)) return;
    const replacement = replacementOf(state, requested);
    const before = state;
    const period = state.current_period_number + 1;
    const amount = chargedNow(state, replacement);
    const charge = {
      kind: 'change',
      period,
      at: now,
      free: true,
      opens: startOfDay(dayOf(now)),
      amount,
      before,
    } as const;
    if (amount === 0n) {
      if (replacement.opens_period) charges.push({ ...charge, outcome: 'paid' });
      apply({ type: 'replaced', ...replacement }, requested);
      return;
    }
    charges.push(charge);
    const attempt = { period, attempt: 1, free: true };
    const transaction_id = `t${charges.length}`;
    apply({ type: 'prepared', realTime: now, attempt, transaction_id, replacement }, requested);
    if (step.outcome === 'silence') apply({ type: 'unanswered', realTime: now });
    if (step.outcome === 'paid' || step.outcome === 'declined') answer(step.outcome);
  };
  for (const step of steps) {
    if (step.do === 'wait') now += step.days * DAY_MS;
    if (step.do === 'flag') apply({ type: 'change', at: now, cancel_at_period_end: step.on });
    if (step.do === 'card') apply({ type: 'change', at: now, card_id: step.card });
    if (step.do === 'trial') apply({ type: 'change', at: now, trial_end_date: addDays(dayOf(now), step.days) });
    if (step.do === 'cancel') apply({ type: 'cancel', reason: 'cancelled_by_merchant' });
    if (step.do === 'pause') {
      const resume_date = step.days === null ? null : addDays(dayOf(now), step.days);
      apply({ type: 'change', at: now, pause: { resume_date } });
    }
    if (step.do === 'resume') apply({ type: 'change', at: now, resume: 'request' });
    if (step.do === 'now') changeNow(step);
    else {
      const change = requestedChange(step, state, `x${states.length}`);
      if (change) apply({ type: 'change', at: now, ...change });
    }
    if (step.do !== 'proceed') continue;
    const action = nextAction(state);
    if (action.do === 'nothing' || action.at >= NEVER) continue;
    now = Math.max(now, action.at);
    if (action.do === 'cancel') {
      apply({ type: 'cancel', reason: action.reason });
      continue;
    }
    if (action.do === 'skip') {
      apply({ type: 'skipped', at: now });
      continue;
    }
    const before = state;
    if (action.do === 'cover') {
      apply({ type: 'covered', at: now });
      const opens = startOfDay(chargeDayOf(state, action.period));
      const { period } = action;
      charges.push({ kind: 'covered', period, at: now, free: false, opens, amount: 0n, before, outcome: 'paid' });
      continue;
    }
    if (action.do === 'charge') {
      apply({ type: 'prepared', realTime: now, attempt: action.attempt, transaction_id: `t${charges.length}` });
      const opens = startOfDay(chargeDayOf(state, action.attempt.period));
      const amount = amountOf(state, action.attempt.period);
      charges.push({ kind: 'renewal', ...action.attempt, at: now, opens, amount, before });
    }
    if (action.do === 'withdraw') throw new Error('no payer pays here');
    const isSent = action.do === 'charge' || action.send;
    if (action.do === 'resolve' && isSent) sentAgain.push(state);
    if (step.outcome === 'silence') apply({ type: 'unanswered', realTime: now });
    // A charge that is only looked up, not sent again, may be unknown to the acquirer.
    else answer(!state.open?.is_reversed && (isSent || step.known) ? step.outcome : 'not_made', step.decline);
  }
  const cards = steps.filter(step => step.do === 'card').length;
  return { state, charges, states, happenings, sentAgain, cards };
}

/** The number of random histories that each rule is checked with. */
export const HISTORIES = isRelease ? 4000 : 500;

/** Checks the history of many subscriptions, each with random terms and steps. */
export const inAnyHistory = (
  check: (subscription: ReturnType<typeof runSubscription>, terms: PlanTerms) => void,
  options: { numRuns?: number; seed?: number } = {},
): void =>
  fc.assert(
    fc.property(
      terms,
      fc.date({ min: new Date('2026-01-01'), max: new Date('2040-12-31'), noInvalidDate: true }),
      fc.integer({ min: -5, max: 60 }),
      // By default arrays are short.
      fc.array(anyStep, { maxLength: 30, size: '+1' }),
      firstPrice,
      (planTerms, date, trial, steps, first) =>
        check(runSubscription(planTerms, date.getTime(), trial, steps, undefined, first), planTerms),
    ),
    { numRuns: HISTORIES, ...options },
  );
