/** Redeems coupons. The database counts redemptions and refuses those beyond the maximum. */
import type { Day } from '../../../workflows/calendar';
import { ApiError } from '../../platform/errors';
import { isId } from '../../platform/identifiers';
import type { Context } from '../../schema/operation/context';
import type { Discount } from '../subscriptions/rules/state';
import { couponByCode, couponById } from './rows';

const notUsable = (): ApiError => new ApiError('invalid_value', 'coupon_not_usable', { field: 'coupon' });

/** The terms of a coupon, named by its code or ID, for a subscription to a plan. */
export async function discountOf(
  { db, merchant_id }: Context,
  coupon: string,
  plan_id: string,
  today: Day,
): Promise<Discount> {
  const found =
    (isId(coupon) && (await couponById(db, merchant_id, coupon))) || (await couponByCode(db, merchant_id, coupon));
  if (found?.status !== 'active') throw notUsable();
  const { id, code, percent_off, amount_off, duration, periods, redeem_by, plan_ids } = found;
  if (redeem_by !== null && redeem_by < today) throw notUsable();
  if (plan_ids && !plan_ids.includes(plan_id)) throw notUsable();
  if (found.max_redemptions !== null && found.redemptions >= found.max_redemptions) throw notUsable();
  return { coupon_id: id, code, percent_off, amount_off, periods_left: duration === 'once' ? 1 : periods };
}

/** The last redemption may have gone to another request. */
export async function redeeming<T>(coupon: Discount | null | undefined, write: () => Promise<T>): Promise<T> {
  return write().catch(error => {
    const isExhausted = coupon && /coupons_redeemed_check|cannot be redeemed/.test(describe(error));
    throw isExhausted ? notUsable() : error;
  });
}

const describe = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${JSON.stringify((error as { meta?: unknown }).meta)}` : '';
