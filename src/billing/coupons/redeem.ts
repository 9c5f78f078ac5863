/** Redeems coupons. The database counts redemptions and refuses those beyond the maximum. */
import type { Day } from '../../../workflows/calendar';
import { violates } from '../../platform/database/connection';
import { ApiError } from '../../platform/errors';
import { isId } from '../../platform/identifiers';
import type { Context } from '../../schema/operation/context';
import type { Discount } from '../subscriptions/rules/prices';
import { type CouponRow, couponByCode, couponById } from './rows';

const notUsable = (): ApiError => new ApiError('invalid_value', 'coupon_not_usable', { field: 'coupon' });

/** Named by its ID or code. A repeated request still finds a coupon that was deleted since. */
export async function findNamed({ db, merchant_id }: Context, coupon: string): Promise<CouponRow> {
  const found =
    (isId(coupon) && (await couponById(db, merchant_id, coupon))) || (await couponByCode(db, merchant_id, coupon));
  if (!found) throw notUsable();
  return found;
}

export const discountOf = ({ id, code, percent_off, amount_off, duration, periods }: CouponRow): Discount => ({
  coupon_id: id,
  code,
  percent_off,
  amount_off,
  periods_left: duration === 'once' ? 1 : periods,
});

export function rejectUnusable(coupon: CouponRow, plan_id: string, today: Day): void {
  const { status, redeem_by, plan_ids, max_redemptions, redemptions } = coupon;
  const isExpired = redeem_by !== null && redeem_by < today;
  const isExhausted = max_redemptions !== null && redemptions >= max_redemptions;
  if (status !== 'active' || isExpired || isExhausted || (plan_ids && !plan_ids.includes(plan_id))) throw notUsable();
}

/** The terms of a coupon for a subscription to a plan. */
export async function redeemable(context: Context, coupon: string, plan_id: string, today: Day): Promise<Discount> {
  const found = await findNamed(context, coupon);
  rejectUnusable(found, plan_id, today);
  return discountOf(found);
}

/** The last redemption may have gone to another request. */
export async function redeeming<T>(write: () => Promise<T>): Promise<T> {
  return write().catch(error => {
    throw violates(error, /coupons_redeemed_check|cannot be redeemed/) ? notUsable() : error;
  });
}
