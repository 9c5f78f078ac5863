import { ArgsType, ObjectType } from 'type-graphql';
import { REPEAT_EVERY, RepeatUnit } from '../../billing/plans/fields';
import { METHOD_NAMES } from '../../payments/methods/methods';
import type { Money } from '../../platform/money';
import { Amount, Count, Currency, choice, Day, ERROR_CODE, ListOf, Nested, Text } from '../../schema/shapes';

const MAX_UPCOMING_DAYS = 90;

@ArgsType()
export class StatsArgs {
  @Day('First day of the period; defaults to 29 days before `to`', { optional: true })
  from?: string;
  @Day("Last day of the period; defaults to today by the merchant's clock", { optional: true })
  to?: string;
  @Count('Number of days to project upcoming charges for, including today (default 30)', {
    optional: true,
    min: 1,
    max: MAX_UPCOMING_DAYS,
  })
  upcoming_days: number = 30;
}

@ObjectType({ description: 'Current number of subscriptions by status' })
export class SubscriptionCounts {
  @Count('Subscriptions in trial', { example: 12 })
  trial!: number;
  @Count('Active subscriptions with all periods paid', { example: 340 })
  active!: number;
  @Count('Subscriptions with a declined charge that is being retried', { example: 7 })
  past_due!: number;
  @Count('Subscriptions with a declined charge and no retries left', { example: 2 })
  unpaid!: number;
  @Count('Ended subscriptions, regardless of date', { example: 58 })
  cancelled!: number;
  @Count('Trial and active subscriptions whose pause has taken effect; not counted elsewhere', { example: 3 })
  paused!: number;
}

@ObjectType({ description: 'The subscriptions of one plan' })
export class PlanStats extends SubscriptionCounts {
  @Text('Plan ID', { id: 'plan', example: 'p9s8d7f6g5h4j3k2l1q0' })
  plan_id!: string;
  @Text('Plan name', { example: 'Monthly' })
  name!: string;
  @Amount('Amount charged each period', { example: 49900 })
  amount!: Money;
  @Count(REPEAT_EVERY, { example: 1 })
  repeat_every!: number;
  @RepeatUnit.field('Unit of the billing interval', { example: 'month' })
  repeat_unit!: keyof typeof RepeatUnit.words;
  @Amount('Monthly recurring revenue (MRR) of the plan', { example: 16966000 })
  mrr!: Money;
  @Count('Subscriptions created in the period', { example: 21 })
  new_subscriptions!: number;
  @Count('Subscriptions ended in the period', { example: 4 })
  lost_subscriptions!: number;
}

/** Those of a payment by card, and the other methods. */
const RecoveryWay = choice(
  'RecoveryWay',
  'The payment of a declined subscription period: by a retry of the same card, another card or another method',
  'retry',
  'new_card',
  ...METHOD_NAMES.filter(name => name !== 'card'),
);
export type RecoveryWayName = keyof typeof RecoveryWay.words;

const MEDIAN_HOURS = 'Median hours from the first decline in the period to the payment, rounded; null without payments';

@ObjectType({ description: 'Declined subscription periods that were paid in one way' })
export class RecoveryWayStats {
  @RecoveryWay.field('The way in which these periods were paid', { example: 'new_card' })
  way!: RecoveryWayName;
  @Count('Declined subscription periods paid in this way', { example: 5 })
  recovered!: number;
  @Amount('Sum of their payments', { example: 249500 })
  recovered_amount!: Money;
  @Count('Their share of all declined periods, as a rounded percentage', { example: 25 })
  recovery_rate!: number;
  @Count(MEDIAN_HOURS, { nullable: true, example: 3 })
  median_hours!: number | null;
}

@ObjectType({ description: 'Recovery of subscription periods with a declined charge in the period' })
export class RecoveryStats {
  @Count('Subscription periods with a declined charge', { example: 20 })
  declined!: number;
  @Count('Declined subscription periods that have been paid since the decline', { example: 13 })
  recovered!: number;
  @Count('Recovered share as a rounded percentage; null if no charge was declined', { nullable: true, example: 65 })
  recovery_rate!: number | null;
  @Amount('Sum of the payments of recovered periods', { example: 648700 })
  recovered_amount!: Money;
  @Count(MEDIAN_HOURS, { nullable: true, example: 24 })
  median_hours!: number | null;
  @Count('Average of the same hours, rounded', { nullable: true, example: 41 })
  average_hours!: number | null;
  @ListOf('Recovered periods by way, most frequent first', () => RecoveryWayStats)
  ways!: RecoveryWayStats[];
}

@ObjectType({ description: 'Subscription charges of today' })
export class RenewalsToday {
  @Count('Renewals paid today', { example: 84 })
  paid!: number;
  @Count('Renewals declined today and not paid', { example: 21 })
  declined!: number;
  @Count('First charges of subscriptions paid today', { example: 3 })
  first_charges!: number;
}

@ObjectType({ description: 'Charges created on one day' })
export class DayStats {
  @Day('Day in America/Bogota', { example: '2026-11-14' })
  day!: string;
  @Count('Paid charges, including later refunded ones', { example: 31 })
  paid!: number;
  @Amount('Sum of the paid charges', { example: 1546900 })
  volume!: Money;
  @Count('Failed charges', { example: 2 })
  failed!: number;
}

@ObjectType({ description: 'Failed charges of the period with one error code' })
export class DeclineStats {
  @Count('Error code', { rules: ERROR_CODE, example: 3003 })
  error_code!: number;
  @Text('Description of the error code', { example: 'Insufficient funds' })
  description!: string;
  @Count('Number of failed charges', { example: 5 })
  failed!: number;
}

@ObjectType({ description: 'Projected subscription charges of one day, assuming that every earlier charge is paid' })
export class UpcomingDay {
  @Day('Day in America/Bogota', { example: '2026-12-01' })
  day!: string;
  @Count('Number of charges', { example: 18 })
  charges!: number;
  @Amount('Sum of the charges', { example: 898200 })
  amount!: Money;
}

@ObjectType({ description: 'Statistics of subscriptions and charges from one snapshot' })
export class Stats {
  @Day('First day of the period', { example: '2026-10-16' })
  from!: string;
  @Day('Last day of the period, inclusive', { example: '2026-11-14' })
  to!: string;
  @Currency.field('Currency of all amounts')
  currency!: 'COP';
  @Nested('Current number of subscriptions by status', () => SubscriptionCounts)
  subscriptions!: SubscriptionCounts;
  @Amount('Current monthly recurring revenue (MRR)', { example: 16966000 })
  mrr!: Money;
  @Count('Subscriptions created in the period', { example: 21 })
  new_subscriptions!: number;
  @Count('Subscriptions ended in the period', { example: 4 })
  lost_subscriptions!: number;
  @ListOf('Statistics by plan: the 100 plans with the most open subscriptions', () => PlanStats)
  plans!: PlanStats[];
  @Nested('Recovery of declined subscription periods', () => RecoveryStats)
  renewals!: RecoveryStats;
  @Count('Subscription charges paid today, first charges included', { example: 87 })
  renewed_today!: number;
  @Nested('Charges of today. The first day of `upcoming` has the charges still due today', () => RenewalsToday)
  renewals_today!: RenewalsToday;
  @ListOf('Charges by day, with every day of the period', () => DayStats)
  days!: DayStats[];
  @ListOf('Failed charges of the period by error code, most frequent first', () => DeclineStats)
  declines!: DeclineStats[];
  @ListOf('Projected charges for every day, starting today', () => UpcomingDay)
  upcoming!: UpcomingDay[];
}
