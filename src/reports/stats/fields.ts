import { ArgsType, ObjectType } from 'type-graphql';
import type { Money } from '../../platform/money';
import { Amount, Count, Currency, Day, ERROR_CODE, ListOf, Nested, Text } from '../../schema/shapes';

const MAX_UPCOMING_DAYS = 90;

@ArgsType()
export class StatsArgs {
  @Day('The first day of the span; by default 29 days before `to`', { optional: true })
  from?: string;
  @Day("The last day of the span; by default today, by the merchant's clock", { optional: true })
  to?: string;
  @Count('For how many days charges are foreseen, today included', { optional: true, min: 1, max: MAX_UPCOMING_DAYS })
  upcoming_days: number = 30;
}

@ObjectType({ description: 'How many subscriptions stand how, now' })
export class SubscriptionCounts {
  @Count('In their trial', { example: 12 })
  trial!: number;
  @Count('Paid up', { example: 340 })
  active!: number;
  @Count('With a declined charge that is tried again', { example: 7 })
  past_due!: number;
  @Count('With a declined charge that is not tried again', { example: 2 })
  unpaid!: number;
  @Count('Ended, whenever that was', { example: 58 })
  cancelled!: number;
}

@ObjectType({ description: 'The subscriptions of one plan' })
export class PlanStats extends SubscriptionCounts {
  @Text('Which plan', { id: 'plan', example: 'p9s8d7f6g5h4j3k2l1q0' })
  plan_id!: string;
  @Text('Its name', { example: 'Monthly' })
  name!: string;
  @Amount('Monthly recurring revenue from it', { example: 16966000 })
  mrr!: Money;
  @Count('Created in the span', { example: 21 })
  new_subscriptions!: number;
  @Count('Ended in the span', { example: 4 })
  lost_subscriptions!: number;
}

@ObjectType({ description: 'Periods of subscriptions of which a charge was declined in the span' })
export class RecoveryStats {
  @Count('How many there were', { example: 20 })
  declined!: number;
  @Count('How many of them have been paid since', { example: 13 })
  recovered!: number;
  @Count('How many of a hundred that is, rounded; null where none was declined', { nullable: true, example: 65 })
  recovery_rate!: number | null;
}

@ObjectType({ description: 'The charges that were created on one day' })
export class DayStats {
  @Day('Which day, in America/Bogota', { example: '2026-11-14' })
  day!: string;
  @Count('Those that were paid, whatever was given back of them', { example: 31 })
  paid!: number;
  @Amount('The sum of those', { example: 1546900 })
  volume!: Money;
  @Count('Those that failed', { example: 2 })
  failed!: number;
}

@ObjectType({ description: 'The charges of the span that failed for one reason' })
export class DeclineStats {
  @Count('The code of the reason', { rules: ERROR_CODE, example: 3003 })
  error_code!: number;
  @Text('The same in words', { example: 'Insufficient funds' })
  description!: string;
  @Count('How many', { example: 5 })
  failed!: number;
}

@ObjectType({ description: 'What subscriptions will be charged on one day, if all charges until then are paid' })
export class UpcomingDay {
  @Day('Which day, in America/Bogota', { example: '2026-12-01' })
  day!: string;
  @Count('How many charges', { example: 18 })
  charges!: number;
  @Amount('Their sum', { example: 898200 })
  amount!: Money;
}

@ObjectType({ description: 'Figures about subscriptions and charges, all of the same moment' })
export class Stats {
  @Day('The first day of the span', { example: '2026-10-16' })
  from!: string;
  @Day('The last day of the span, included', { example: '2026-11-14' })
  to!: string;
  @Currency.field('Of all amounts')
  currency!: 'COP';
  @Nested('Subscriptions by status, now', () => SubscriptionCounts)
  subscriptions!: SubscriptionCounts;
  @Amount('Monthly recurring revenue, now', { example: 16966000 })
  mrr!: Money;
  @Count('Subscriptions that were created in the span', { example: 21 })
  new_subscriptions!: number;
  @Count('Subscriptions that ended in the span', { example: 4 })
  lost_subscriptions!: number;
  @ListOf('The same by plan: the hundred plans with the most subscriptions that have not ended', () => PlanStats)
  plans!: PlanStats[];
  @Nested('How many declined periods were paid after all', () => RecoveryStats)
  renewals!: RecoveryStats;
  @Count('Charges of subscriptions that were paid today; those still to come today are the first of `upcoming`', {
    example: 312,
  })
  renewed_today!: number;
  @ListOf('Charges by day, every day of the span', () => DayStats)
  days!: DayStats[];
  @ListOf('Why charges of the span failed, the most frequent reason first', () => DeclineStats)
  declines!: DeclineStats[];
  @ListOf('Charges to come, every day from today on', () => UpcomingDay)
  upcoming!: UpcomingDay[];
}
