import { InputType, ObjectType } from 'type-graphql';
import { CreateCard } from '../../payments/cards/fields';
import { ChargedCard } from '../../payments/charges/fields';
import { OPTIONAL_IVA } from '../../payments/charges/tax';
import { ChangedMetadata, type Metadata, NewMetadata, StoredMetadata } from '../../payments/metadata/metadata';
import type { Money } from '../../platform/money';
import { Amount, Count, choice, Day, ERROR_CODE, Flag, ListOf, Moment, Nested, Text } from '../../schema/shapes';
import { SubscriptionPause } from './pauseFields';
import { PendingChange, QUANTITY, SubscriptionCoupon, SubscriptionExtra } from './pricing/fields';

export const SubscriptionStatus = choice(
  'SubscriptionStatus',
  'Status of a subscription',
  'trial',
  'active',
  'past_due',
  'unpaid',
  'cancelled',
);
const IVA =
  'IVA (value-added tax) included in the amount, in place of that of the plan: a rate (`19%`) or pesos (`1900`); informational only';

export type SubscriptionStatusName = keyof typeof SubscriptionStatus.words;

const SubscriptionWait = choice(
  'SubscriptionWait',
  'The event that an unpaid subscription waits for',
  'new_card',
  'payment',
);

@ObjectType({ description: 'The card charged for a subscription' })
export class SubscriptionCard extends ChargedCard {
  @Text('Customer ID', { id: 'customer', example: 'a9s8d7f6g5h4j3k2l1q0' })
  customer_id!: string;
}

/** The name Subscription is reserved in GraphQL. */
@ObjectType('CustomerSubscription', { description: 'A subscription of a customer to a plan' })
export class Subscription {
  @Text('Subscription ID', { id: 'subscription', example: 's9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Moment('Time of creation')
  creation_date!: Date;
  @SubscriptionStatus.field('Status of the subscription')
  status!: SubscriptionStatusName;
  @Flag('Whether the subscription ends at the end of the current period', { example: false })
  cancel_at_period_end!: boolean;
  @Day('Day of the next regular charge; retries of an unpaid period do not change it', { example: '2027-02-28' })
  charge_date!: string;
  @Count('Number of the latest period; 0 during the trial', { example: 3 })
  current_period_number!: number;
  @Day('Last day of the current period, the day before charge_date', { example: '2027-02-27' })
  period_end_date!: string;
  @Day('Last day of the trial', { example: '2026-12-30' })
  trial_end_date!: string;
  @Text('Plan ID', { id: 'plan', example: 'p9s8d7f6g5h4j3k2l1q0' })
  plan_id!: string;
  @Count('Number of units, which multiplies the amount of the plan', { example: 1 })
  quantity!: number;
  @Nested('A change of plan or quantity with the next period', () => PendingChange, { optional: true })
  pending_change?: PendingChange | null;
  @Nested('The coupon that reduces the next periods', () => SubscriptionCoupon, { optional: true })
  coupon?: SubscriptionCoupon | null;
  @ListOf('One-off amounts of the next period', () => SubscriptionExtra, { optional: true })
  extras?: SubscriptionExtra[] | null;
  @Amount('Credit from replaced periods, used before the card; owed to the payer once the subscription has ended', {
    optional: true,
    example: 12000,
  })
  credit_balance?: Money | null;
  @Text('Customer ID', { id: 'customer', example: 'a9s8d7f6g5h4j3k2l1q0' })
  customer_id!: string;
  @Nested('The charged card; a card that only this subscription uses has no id', () => SubscriptionCard)
  card!: SubscriptionCard;
  @Nested('A requested pause, from the request until it ends', () => SubscriptionPause, { optional: true })
  pause?: SubscriptionPause | null;
  @Text('ID of the latest charge', { id: 'transaction', nullable: true, example: 't9s8d7f6g5h4j3k2l1q0' })
  transaction_id!: string | null;
  @Day('Day of the next retry, while past_due', { optional: true, example: '2027-02-01' })
  next_retry_date?: string | null;
  @Count('Number of remaining retries, while past_due', { optional: true, example: 2 })
  retries_left?: number | null;
  @SubscriptionWait.field('Set while the card must not be charged again and retries are skipped', {
    optional: true,
    example: 'new_card',
  })
  waiting_for?: 'new_card' | 'payment' | null;
  @Count('Error code of a declined latest charge; omitted in lists and events', {
    optional: true,
    rules: ERROR_CODE,
    example: 3003,
  })
  error_code?: number | null;
  @Text('Description of the error code', { optional: true })
  error_message?: string | null;
  @StoredMetadata
  metadata?: Metadata | null;
  @Text('IVA (value-added tax) included in its charges, in place of that of the plan', {
    optional: true,
    example: '19%',
  })
  iva?: string | null;
}

@InputType({ description: 'Changes to a subscription; omitted fields keep their values' })
export class UpdateSubscription {
  @Flag('Whether to end the subscription at the end of the current period', { optional: true, example: true })
  cancel_at_period_end?: boolean;
  @Day('Last day of the current trial; a past day ends the trial now', { optional: true, example: '2026-12-30' })
  trial_end_date?: string;
  @Text('ID of a saved card of the customer, or of a token', {
    id: 'card',
    optional: true,
    max: 45,
    example: 'k9s8d7f6g5h4j3k2l1q0',
  })
  source_id?: string;
  @Text('Alias of source_id', { id: 'card', optional: true, max: 45 })
  card_id?: string;
  @Nested('A card that only this subscription uses; a masked card number keeps the current card', () => CreateCard, {
    optional: true,
  })
  card?: CreateCard;
  @Text('Must equal the current plan; `change` changes it', { id: 'plan', optional: true, max: 45 })
  plan_id?: string;
  @Count('Must equal the current quantity; `change` changes it', { optional: true, min: 1, max: QUANTITY.max })
  quantity?: number;
  @ChangedMetadata
  metadata?: Metadata | null;
  @Text(`${IVA}; applies to later charges. Null returns to that of the plan`, OPTIONAL_IVA)
  iva?: string | null;
}

@InputType({ description: 'A new subscription' })
export class CreateSubscription {
  @Text('Plan ID', { id: 'plan', max: 45, example: 'p9s8d7f6g5h4j3k2l1q0' })
  plan_id!: string;
  @Day('Last day of the trial; a past day means no trial. Defaults to the trial of the plan', {
    optional: true,
    example: '2026-12-30',
  })
  trial_end_date?: string;
  @Text('ID of a saved card of the customer, or of a token; required without card', {
    id: 'card',
    optional: true,
    max: 45,
    example: 'k9s8d7f6g5h4j3k2l1q0',
  })
  source_id?: string;
  @Text('Alias of source_id', { id: 'card', optional: true, max: 45 })
  card_id?: string;
  @Nested('A card that only this subscription uses; required without source_id', () => CreateCard, {
    optional: true,
  })
  card?: CreateCard;
  @Count('Number of units, which multiplies the amount of the plan (default 1)', { optional: true, ...QUANTITY })
  quantity?: number;
  @Text('Code or ID of a coupon', { optional: true, max: 50, example: 'LAUNCH20' })
  coupon?: string;
  @NewMetadata
  metadata?: Metadata;
  @Text(IVA, OPTIONAL_IVA)
  iva?: string | null;
}
