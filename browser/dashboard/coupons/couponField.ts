/** A field for the code of a coupon, which suggests the active ones. */
import { describeProblem } from '../../../src/platform/problems/catalogue';
import { ask, Problem } from '../../shared/api/ask';
import { language } from '../../shared/language';
import type { Field } from '../../shared/ui/FieldInput';
import { COUPON_CODES, type CouponFacts } from './operations';
import { couponTerms, type Discount, endOf } from './terms';

export const couponField = ({ label, hint }: Pick<Field, 'label' | 'hint'>): Field => ({
  name: 'coupon',
  label,
  ...(hint !== undefined && { hint }),
  suggest: async (text, signal) => {
    const { coupons } = await ask(COUPON_CODES, {}, { signal });
    return (coupons?.nodes ?? [])
      .filter(coupon => coupon.code.startsWith(text.toUpperCase()) && !endOf(coupon))
      .map(coupon => [coupon.code, couponTerms(coupon)]);
  },
});

/** The coupon for a new subscription. Whether it has expired depends on the clock of the merchant. */
export async function usableCoupon(code: string, plan_id: string, signal: AbortSignal): Promise<CouponFacts> {
  const { coupons } = await ask(COUPON_CODES, { code }, { signal });
  const [coupon] = coupons?.nodes ?? [];
  const isUsedUp = coupon?.max_redemptions != null && coupon.redemptions >= coupon.max_redemptions;
  if (coupon && !isUsedUp && (coupon.plan_ids === null || coupon.plan_ids.includes(plan_id))) return coupon;
  const message = describeProblem('coupon_not_usable', { field: 'coupon' }, language);
  throw new Problem(message, undefined, undefined, 'coupon');
}

/** In centavos, as the API computes it: half a centavo is rounded up. */
export function discountedPrice(amount: number, quantity: number, discount: Discount | undefined): number {
  const price = BigInt(Math.round(amount * 100)) * BigInt(quantity);
  const { percent_off = null, amount_off = null } = discount ?? {};
  const percent = BigInt(Math.round((percent_off ?? 0) * 100));
  const off = percent_off === null ? BigInt(Math.round((amount_off ?? 0) * 100)) : (price * percent + 5000n) / 10_000n;
  return Number(off > price ? 0n : price - off) / 100;
}
