/** Subscribes a customer to a plan, on request of its merchant or on the page of a payment link. */

import { dayOf } from '../../../../workflows/calendar';
import { findCustomer } from '../../../payments/customers/rows';
import { clockOf } from '../../../platform/database/clock';
import { ApiError } from '../../../platform/errors';
import { MAX_MONEY } from '../../../platform/money';
import type { Context } from '../../../schema/operation/context';
import { discountOf, findNamed, redeeming } from '../../coupons/redeem';
import { findActivePlan } from '../../plans/resolver';
import type { CreateSubscription } from '../fields';
import type { SubscriptionRow } from '../rows';
import { trialEnd } from '../rules/periods';
import { requestedSource } from '../source';
import { rejectLongTrial } from '../update';
import { createSubscription } from './createSubscription';

export async function subscribe(
  context: Context,
  customer_id: string,
  input: CreateSubscription,
  payment_link_id?: string,
): Promise<SubscriptionRow> {
  const customer = await findCustomer(context, customer_id);
  const requested = requestedSource(input) ?? (input.card && { card: input.card });
  if (!requested) throw new ApiError('malformed', 'card_or_source_required', { field: 'source_id' });
  const clock = await clockOf(context.db, context.merchant_id, customer_id);
  rejectLongTrial(input.trial_end_date, clock.now.getTime());
  const plan = await findActivePlan(context, input.plan_id);
  const trial_end_date = input.trial_end_date ?? trialEnd(dayOf(clock.now.getTime()), plan.trial_days);
  const { quantity = 1 } = input;
  if (plan.amount * BigInt(quantity) > MAX_MONEY)
    throw new ApiError('invalid_value', 'amount_too_large', { field: 'quantity' });
  const coupon = input.coupon === undefined ? null : await findNamed(context, input.coupon);
  const discount = coupon && discountOf(coupon);
  const request = { input, customer, plan, trial_end_date, coupon, discount, clock, payment_link_id };
  return redeeming(() => createSubscription(context, request, requested));
}
