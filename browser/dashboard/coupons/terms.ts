/** The terms of a coupon as text. */
import { dayOf, formatMoney, formatNumber } from '../../shared/format';
import type { CouponFacts } from './operations';
import { t } from './texts';

export interface Discount {
  percent_off: number | null;
  amount_off: number | null;
}

/** `20 %`, or `$ 10.000` */
export const discountName = ({ percent_off, amount_off }: Discount): string =>
  percent_off === null ? formatMoney(amount_off ?? 0) : `${formatNumber(percent_off)} %`;

export const durationName = ({ duration, periods }: Pick<CouponFacts, 'duration' | 'periods'>): string =>
  duration === 'periods' && periods !== null ? t.forPeriods(periods) : t.durations[duration];

export const redeemedName = ({ redemptions, max_redemptions }: CouponFacts): string =>
  t.redeemed(formatNumber(redemptions), max_redemptions === null ? undefined : formatNumber(max_redemptions));

/** Why it cannot be redeemed, by the real day. */
export function endOf({ status, redemptions, max_redemptions, redeem_by }: CouponFacts): string | undefined {
  if (status === 'deleted') return t.deleted;
  if (max_redemptions !== null && redemptions >= max_redemptions) return t.usedUp;
  return redeem_by !== null && redeem_by < dayOf(new Date()) ? t.expired : undefined;
}

/** `20 % · 3 períodos` */
export const couponTerms = (coupon: CouponFacts): string => `${discountName(coupon)} · ${durationName(coupon)}`;
