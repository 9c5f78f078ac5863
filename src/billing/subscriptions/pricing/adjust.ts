/** Coupons and extras of a subscription, and the credit of an ended one. */
import { dayOf } from '../../../../workflows/calendar';
import { ApiError } from '../../../platform/errors';
import { isId } from '../../../platform/identifiers';
import type { Context } from '../../../schema/operation/context';
import { discountOf } from '../../coupons/redeem';
import { clockNow, reloadSubscription, type SubscriptionRow } from '../rows';
import type { Extra, SubscriptionChange } from '../rules/state';
import { changeOnce, isRepeated } from '../update';
import type { ApplyCoupon, CreateExtra } from './fields';

export const couponChange = async (
  context: Context,
  row: SubscriptionRow,
  { coupon }: ApplyCoupon,
): Promise<SubscriptionChange> => ({
  coupon: await discountOf(context, coupon, row.plan_id, dayOf(clockNow(row))),
});

export async function applyCoupon(context: Context, found: SubscriptionRow, input: ApplyCoupon) {
  const request = context.newId('event');
  if (await isRepeated(context, found, request)) return found;
  return changeOnce(context, found, await couponChange(context, found, input), request);
}

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
