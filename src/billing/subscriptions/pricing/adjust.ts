/** Coupons and extras of a subscription, and the credit of an ended one. */
import { dayOf } from '../../../../workflows/calendar';
import { ApiError } from '../../../platform/errors';
import { isId } from '../../../platform/identifiers';
import type { Context } from '../../../schema/operation/context';
import { redeemable } from '../../coupons/redeem';
import { clockNow, reloadSubscription, type SubscriptionRow } from '../rows';
import type { Extra, SubscriptionChange } from '../rules/state';
import { changeOnce } from '../update';
import type { ApplyCoupon, CreateExtra } from './fields';

/** It reduces the next periods, so it must be for their plan. */
export const couponChange = async (
  context: Context,
  row: SubscriptionRow,
  { coupon }: ApplyCoupon,
): Promise<SubscriptionChange> => ({
  coupon: await redeemable(context, coupon, row.pending_change?.terms.plan_id ?? row.plan_id, dayOf(clockNow(row))),
});

export const applyCoupon = (context: Context, found: SubscriptionRow, input: ApplyCoupon): Promise<SubscriptionRow> =>
  changeOnce(context, found, row => couponChange(context, row, input));

export const extraChange = (id: string, { description, amount }: CreateExtra): SubscriptionChange => {
  if (amount === 0n) throw new ApiError('invalid_value', 'not_zero', { field: 'amount' });
  return { extra: { id, description, amount } };
};

/** A repeated request finds the extra, or what its first run added if a period has billed it since. */
export async function addExtra(context: Context, found: SubscriptionRow, input: CreateExtra): Promise<Extra> {
  const id = context.newId('extra');
  await changeOnce(context, found, extraChange(id, input), id);
  const { extras } = await reloadSubscription(context.db, found.id);
  return extras.find(extra => extra.id === id) ?? { ...input, id };
}

export async function removeExtra(context: Context, found: SubscriptionRow, id: string): Promise<Extra> {
  const extra = found.extras.find(each => each.id === id);
  if (!isId(id) || !extra) throw new ApiError('not_found', 'no_extra');
  await changeOnce(context, found, { removed_extra: id });
  return extra;
}
