/** Shows what a new subscription would charge, by the rules that bill. */
import { type Day, dayOf } from '../../../../workflows/calendar';
import { ApiError } from '../../../platform/errors';
import type { Money } from '../../../platform/money';
import type { Context } from '../../../schema/operation/context';
import { redeemable } from '../../coupons/redeem';
import { type PlanRow, termsOf } from '../../plans/rows';
import { initialState } from '../rules/billing';
import { trialEnd } from '../rules/periods';
import type { Discount } from '../rules/prices';
import { type ProjectedAttempt, projection } from '../rules/projection';

const PROJECTED_CHARGES = 13;

export interface Offer {
  /** The coupon as the payer or the merchant named it; null without a discount. */
  coupon: string | null;
  discount: Discount | null;
  /** Whether the coupon cannot be redeemed, so that the offer is without it. */
  isCouponRefused: boolean;
  /** The amount of a period without a discount. */
  full: Money;
  charges: Pick<ProjectedAttempt, 'day' | 'amount'>[];
}

interface RequestedTerms {
  quantity: number | null;
  coupon: string | null;
}

export async function offerOf(
  context: Context,
  plan: PlanRow,
  { quantity, coupon }: RequestedTerms,
  now: Date,
): Promise<Offer> {
  const today: Day = dayOf(now.getTime());
  const discount = coupon === null ? null : await redeemable(context, coupon, plan.id, today).catch(nullIfRefused);
  const units = quantity ?? 1;
  const until = trialEnd(today, plan.trial_days);
  const state = initialState('', termsOf(plan), '', now.getTime(), until, { quantity: units, discount });
  const charges: Offer['charges'] = [];
  for (const { day, amount } of projection(state, now.getTime(), () => 'paid')) {
    charges.push({ day, amount });
    if (charges.length >= PROJECTED_CHARGES) break;
  }
  return {
    coupon: discount && coupon,
    discount,
    isCouponRefused: coupon !== null && discount === null,
    full: plan.amount * BigInt(units),
    charges,
  };
}

function nullIfRefused(error: unknown): null {
  if (error instanceof ApiError && error.field === 'coupon') return null;
  throw error;
}
