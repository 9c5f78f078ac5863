/** Plan changes, coupons and extras of subscriptions. */
import { InputType, ObjectType } from 'type-graphql';
import type { Money } from '../../../platform/money';
import { PercentScalar } from '../../../schema/scalars';
import { Amount, Count, choice, Day, Flag, Text, Value } from '../../../schema/shapes';

export const QUANTITY = { min: 1, max: 10_000, example: 3 } as const;
const ChangeTime = choice(
  'SubscriptionChangeTime',
  '`now` begins a new period that is charged at once; `period_end` takes effect with the next period',
  'now',
  'period_end',
);

@ObjectType({ description: 'A planned change of plan or quantity' })
export class PendingChange {
  @Text('Plan ID', { id: 'plan', example: 'p9s8d7f6g5h4j3k2l1q0' })
  plan_id!: string;
  @Count('Quantity', { example: 3 })
  quantity!: number;
  @Day('Day of the change, the first day of the next period', { example: '2027-02-28' })
  date!: string;
}

@ObjectType({ description: 'The coupon of a subscription' })
export class SubscriptionCoupon {
  @Text('Coupon ID', { id: 'coupon', example: 'q9s8d7f6g5h4j3k2l1q0' })
  coupon_id!: string;
  @Text('Code of the coupon', { example: 'LAUNCH20' })
  code!: string;
  @Value('Percentage off', () => PercentScalar, { nullable: true, example: 20 })
  percent_off!: number | null;
  @Amount('Amount off each period', { nullable: true, example: null })
  amount_off!: Money | null;
  @Count('Periods that it still reduces; null without end', { nullable: true, example: 2 })
  periods_left!: number | null;
}

@ObjectType({ description: 'A one-off amount of the next period' })
export class SubscriptionExtra {
  @Text('Extra ID', { id: 'extra', example: 'i9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Text('Description for the payer', { example: '1,200 extra messages' })
  description!: string;
  @Amount('Amount; negative for a courtesy, of which the unused rest stays for later periods', { example: 12000 })
  amount!: Money;
}

@InputType({ description: 'A change of plan, quantity or coupon' })
export class ChangeSubscription {
  @Text('Plan ID (default: the present plan)', { id: 'plan', optional: true, max: 45, example: 'p9s8d7f6g5h4j3k2l1q0' })
  plan_id?: string;
  @Count('Number of units, which multiplies the amount of the plan (default: the present quantity)', {
    optional: true,
    ...QUANTITY,
  })
  quantity?: number;
  @ChangeTime.field('Time of the change (default period_end)', { optional: true, example: 'period_end' })
  when: keyof typeof ChangeTime.words = 'period_end';
  @Flag('Whether a change `now` credits the unused days of the current period (default true)', { optional: true })
  credit: boolean = true;
  @Text('Code or ID of a coupon; it replaces the present one', { optional: true, max: 50, example: 'LAUNCH20' })
  coupon?: string;
}

@InputType({ description: 'A coupon for a subscription' })
export class ApplyCoupon {
  @Text('Code or ID of the coupon; it replaces the present one', { max: 50, example: 'LAUNCH20' })
  coupon!: string;
}

@InputType({ description: 'A one-off amount that is added to the next period' })
export class CreateExtra {
  @Text('Description for the payer', { max: 250, example: '1,200 extra messages' })
  description!: string;
  @Amount('Amount; negative for a courtesy, which reduces the period to zero at most', { example: 12000 })
  amount!: Money;
}
