/** Random changes of what a subscription costs, for property tests of the billing rules. */
import fc from 'fast-check';
import type { BillingState, Discount, Extra, PlanTerms } from '../../../src/billing/subscriptions/rules/state';

/** Mostly round, some odd; a small one is easily covered by credit or a courtesy. */
const price = fc.oneof(
  fc.constantFrom(49_900_00n, 19_900_00n, 100n, 33_333_33n),
  fc.bigInt({ min: 1n, max: 500_000_00n }),
);

/** Terms without the retries, which stay as they are. */
const plan = fc
  .record({
    amount: price,
    repeat_every: fc.integer({ min: 1, max: 3 }),
    repeat_unit: fc.constantFrom('week' as const, 'month' as const, 'month' as const, 'year' as const),
  })
  .map(({ amount, repeat_every, repeat_unit }) => ({
    ...{ amount, repeat_every, repeat_unit },
    ...{ plan_id: `p${amount}${repeat_unit}${repeat_every}`, plan_name: 'Other', plan_iva: null },
  }));

const quantity = fc.constantFrom(1, 1, 2, 3, 7);

/** Few coupons, so that one is removed and redeemed again. */
const coupon: fc.Arbitrary<Discount> = fc
  .record({
    id: fc.integer({ min: 0, max: 2 }),
    off: fc.oneof(
      fc.integer({ min: 1, max: 10_000 }).map(percent_off => ({ percent_off, amount_off: null })),
      fc.constant({ percent_off: 10_000, amount_off: null }),
      price.map(amount_off => ({ percent_off: null, amount_off })),
    ),
    periods_left: fc.constantFrom(null, 1, 1, 2, 3),
  })
  .map(({ id, off, periods_left }) => ({ coupon_id: `c${id}`, code: `CODE${id}`, ...off, periods_left }));

const extra = fc.oneof(
  { weight: 3, arbitrary: price },
  { weight: 3, arbitrary: price.map(amount => -amount) },
  { weight: 1, arbitrary: fc.constant(-2_000_000_00n) },
);

/** Terms that a random subscription begins with. */
export const firstPrice = fc.record({ quantity, discount: fc.option(coupon) });

export const changeNow = fc.record({
  do: fc.constant('now'),
  /** Days that pass before. */
  days: fc.constantFrom(0, 0, 1, 3, 9, 20),
  plan: fc.option(plan),
  quantity,
  /** Null keeps the coupon. */
  coupon: fc.option(coupon, { freq: 3 }),
  credits: fc.constantFrom(true, true, true, false),
  has_trial: fc.boolean(),
  /** Percent of the period's charge that was refunded. */
  refunded: fc.constantFrom(0n, 0n, 0n, 35n, 100n),
  /** `silence` is reversed by its request; in a `crash` the request ends without a word. */
  outcome: fc.constantFrom('paid', 'paid', 'paid', 'declined', 'silence', 'crash'),
});
export type ChangeNowStep = typeof changeNow extends fc.Arbitrary<infer T> ? T : never;

export const priceStep = fc.oneof(
  { weight: 4, arbitrary: changeNow },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('plan'), plan: fc.option(plan), quantity }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unplan') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('coupon'), coupon }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('uncoupon') }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('extra'), amount: extra }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unextra'), nth: fc.integer({ min: 0, max: 3 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('clear') }) },
);
export type PriceStep = typeof priceStep extends fc.Arbitrary<infer T> ? T : never;

type OtherStep = 'proceed' | 'wait' | 'flag' | 'card' | 'trial' | 'cancel' | 'pause' | 'resume';

/** The change that a step asks for; undefined for a change made now. */
export function requestedChange(step: PriceStep | { do: OtherStep }, state: BillingState, extraId: string) {
  switch (step.do) {
    case 'plan':
      return { planned: { terms: newTerms(state, step.plan), quantity: step.quantity } };
    case 'unplan':
      return { planned: null };
    case 'coupon':
      return { coupon: step.coupon };
    case 'uncoupon':
      return { coupon: null };
    case 'extra': {
      const added: Extra = { id: extraId, description: 'Extra', amount: step.amount };
      return { extra: added };
    }
    case 'unextra':
      return { removed_extra: state.extras[step.nth]?.id ?? 'none' };
    case 'clear':
      return { clears_credit: true };
    default:
      return undefined;
  }
}

export const newTerms = ({ terms }: BillingState, plan: Partial<PlanTerms> | null): PlanTerms => ({
  ...terms,
  ...plan,
});
