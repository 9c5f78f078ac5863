import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { CreateCard } from '../../payments/cards/fields';
import { ChargedCard } from '../../payments/charges/fields';
import { connectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { Filters, paged } from '../../schema/list';
import { Count, choice, Day, ERROR_CODE, Flag, Moment, Nested, Reference, Text } from '../../schema/shapes';

export const SubscriptionStatus = choice(
  'SubscriptionStatus',
  'How a subscription stands',
  'trial',
  'active',
  'past_due',
  'unpaid',
  'cancelled',
);
export type SubscriptionStatusName = keyof typeof SubscriptionStatus.words;

@ObjectType({ description: 'The card that a subscription is charged to' })
export class SubscriptionCard extends ChargedCard {
  @Text('Its customer', { id: 'customer', example: 'a9s8d7f6g5h4j3k2l1q0' })
  customer_id!: string;
}

/** GraphQL keeps the name Subscription for an operation of its own. */
@ObjectType('CustomerSubscription', { description: 'A customer who is charged a plan’s amount every period' })
export class Subscription {
  @Text('Unique identifier', { id: 'subscription', example: 's9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Moment('When it was created')
  creation_date!: Date;
  @SubscriptionStatus.field('trial, active, past_due, unpaid or cancelled')
  status!: SubscriptionStatusName;
  @Flag('Whether it is cancelled when the period ends', { example: false })
  cancel_at_period_end!: boolean;
  @Day('The next charge; while a period is being collected, that of the one after it', { example: '2027-02-28' })
  charge_date!: string;
  @Count('The period that was opened last; 0 in the trial', { example: 3 })
  current_period_number!: number;
  @Day('The day before charge_date', { example: '2027-02-27' })
  period_end_date!: string;
  @Day('The last day of the trial', { example: '2026-12-30' })
  trial_end_date!: string;
  @Text('Its plan', { id: 'plan', example: 'p9s8d7f6g5h4j3k2l1q0' })
  plan_id!: string;
  @Text('Its customer', { id: 'customer', example: 'a9s8d7f6g5h4j3k2l1q0' })
  customer_id!: string;
  @Nested('The card that it is charged to; one that it holds for itself has no id', () => SubscriptionCard)
  card!: SubscriptionCard;
  @Text('Its latest charge', { id: 'transaction', nullable: true, example: 't9s8d7f6g5h4j3k2l1q0' })
  transaction_id!: string | null;
  @Day('While past_due: the day of the next try', { optional: true, example: '2027-02-01' })
  next_retry_date?: string | null;
  @Count('While past_due: how many tries are left', { optional: true, example: 2 })
  retries_left?: number | null;
  @Count('Why its latest charge was declined; not in lists and events', {
    optional: true,
    rules: ERROR_CODE,
    example: 3003,
  })
  error_code?: number | null;
  @Text('The same in words', { optional: true })
  error_message?: string | null;
}

@InputType({ description: 'What a subscription is changed to; what is left out stays' })
export class UpdateSubscription {
  @Flag('Whether it is cancelled when the period ends', { optional: true, example: true })
  cancel_at_period_end?: boolean;
  @Day('The last day of a running trial; one that is over ends it now', { optional: true, example: '2026-12-30' })
  trial_end_date?: string;
  @Text('A saved card of the customer, or a token', {
    id: 'card',
    optional: true,
    max: 45,
    example: 'k9s8d7f6g5h4j3k2l1q0',
  })
  source_id?: string;
  @Text('The same as source_id', { id: 'card', optional: true, max: 45 })
  card_id?: string;
  @Nested('A card that only this subscription has; a masked one means: unchanged', () => CreateCard, { optional: true })
  card?: CreateCard;
  @Text('As it is: one that differs is refused', { id: 'plan', optional: true, max: 45 })
  plan_id?: string;
  @Count('Always 1', { optional: true, min: 1, max: 1 })
  quantity?: number;
}

@InputType({ description: 'What a subscription is created with' })
export class CreateSubscription {
  @Text('Which plan', { id: 'plan', max: 45, example: 'p9s8d7f6g5h4j3k2l1q0' })
  plan_id!: string;
  @Day('The last day of the trial; one that is over means none. Absent: as the plan says', {
    optional: true,
    example: '2026-12-30',
  })
  trial_end_date?: string;
  @Text('A saved card of the customer, or a token; needed unless card is sent', {
    id: 'card',
    optional: true,
    max: 45,
    example: 'k9s8d7f6g5h4j3k2l1q0',
  })
  source_id?: string;
  @Text('The same as source_id', { id: 'card', optional: true, max: 45 })
  card_id?: string;
  @Nested('A card that only this subscription has; needed unless source_id is sent', () => CreateCard, {
    optional: true,
  })
  card?: CreateCard;
}

@ArgsType()
class SubscriptionFilters extends Filters {
  @SubscriptionStatus.several('Of one of these; absent: all but the cancelled ones', { optional: true })
  status?: SubscriptionStatusName[];
  @Day('Whose charge_date is this day', { optional: true })
  charge_date?: string;
  @Day('Whose charge_date is this day or later', { optional: true })
  charge_date_gte?: string;
  @Day('Whose charge_date is this day or earlier', { optional: true })
  charge_date_lte?: string;
  @Reference('Of which plan; absent: of any', { id: 'plan', optional: true, max: 45 })
  plan_id?: string;
  @Reference('Of which customer, also a deleted one; absent: of any', { id: 'customer', optional: true, max: 45 })
  customer_id?: string;
}

const SubscriptionSort = choice(
  'SubscriptionSort',
  'What subscriptions are sorted by, and which way',
  'creation_desc',
  'creation_asc',
  'charge_date_asc',
  'charge_date_desc',
);
export type SubscriptionSortName = keyof typeof SubscriptionSort.words;

@ArgsType()
export class SubscriptionsPage extends paged(SubscriptionFilters) {}

@ArgsType()
export class SubscriptionsWindow extends cursorPaged(SubscriptionFilters) {
  @SubscriptionSort.field('In which order; absent: creation_desc', { optional: true })
  sort?: SubscriptionSortName;
}

@ObjectType({ description: 'A window on a list of subscriptions' })
export class SubscriptionConnection extends connectionOf(Subscription) {}
