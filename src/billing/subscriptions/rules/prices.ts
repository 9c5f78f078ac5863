/** Plan, discount, extras and credit: the parts of the price of a period. */
import type { Moment, RepeatUnit, RetrySchedule } from '../../../../workflows/calendar';
import type { Money } from '../../../platform/money';

/** The terms of a plan that its charges depend on. */
export interface PlanTerms {
  plan_id: string;
  plan_name: string;
  plan_iva: string | null;
  amount: Money;
  repeat_every: number;
  repeat_unit: RepeatUnit;
  retry_times: number;
  retry_schedule: RetrySchedule;
  status_after_retry: 'unpaid' | 'cancelled';
}

/** Terms that take effect when the next period opens. */
export interface PlannedChange {
  terms: PlanTerms;
  quantity: number;
}

/** The terms of a redeemed coupon: one of percent_off and amount_off. */
export interface Discount {
  coupon_id: string;
  code: string;
  /** Hundredths of a percent. */
  percent_off: number | null;
  amount_off: Money | null;
  /** Null: without end. Used up at 0. */
  periods_left: number | null;
  /** The latest period that it reduced. */
  used_in?: number;
}

/** A one-off amount of the next period; a negative one reduces it, at most to zero. */
export interface Extra {
  id: string;
  description: string;
  amount: Money;
}

/**
 * The amounts of a period, fixed when it opens: `amount` is `full_amount` (plan times quantity) less the discount, with
 * the extras, less the credit.
 */
export interface Invoice {
  period: number;
  quantity: number;
  full_amount: Money;
  discount: Money;
  /** The coupon of the discount. */
  coupon_id: string | null;
  extras: Extra[];
  credit: Money;
  amount: Money;
}

/** A change that ends the current period or trial: a new period begins at once, less the credit for unused days. */
export interface Replacement extends PlannedChange {
  at: Moment;
  credit: Money;
  discount: Discount | null;
  /** False for a trial that continues with the new terms, without a charge. */
  opens_period: boolean;
  /** Set for a change of the coupon alone, which leaves a planned change as it is. */
  keeps_planned?: boolean;
}
