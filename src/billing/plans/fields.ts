import { ArgsType, InputType, ObjectType } from 'type-graphql';
import type { RetrySchedule } from '../../../workflows/calendar';
import { OPTIONAL_IVA } from '../../payments/charges/tax';
import {
  ChangedMetadata,
  type Metadata,
  MetadataFilter,
  NewMetadata,
  StoredMetadata,
} from '../../payments/metadata/metadata';
import type { Money } from '../../platform/money';
import { connectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { Filters, paged } from '../../schema/list';
import { VISIBLE } from '../../schema/patterns';
import { Amount, Count, Currency, choice, Moment, Text, Value } from '../../schema/shapes';
import { RetryScheduleScalar } from './retrySchedule';

export const RepeatUnit = choice('RepeatUnit', 'Unit of the billing interval', 'week', 'month', 'year');
export const StatusAfterRetry = choice(
  'StatusAfterRetry',
  'Subscription status after the last declined retry',
  'unpaid',
  'cancelled',
);
const PlanStatus = choice(
  'PlanStatus',
  'Plan status; a deleted plan accepts no new subscriptions',
  'active',
  'deleted',
);

export const MAX_NEW_NAME_CHARACTERS = 80;

export const REPEAT_EVERY = 'Number of repeat_unit intervals between charges';
export const RETRY_TIMES = 'Number of retries after a declined charge';
export const RETRY_SCHEDULE =
  'Days of the retries: every day, on paydays after insufficient funds, or a list with a day for each retry';
const UNCHANGED = 'Must equal the current value, which cannot be changed';
export const IVA =
  'IVA (value-added tax) included in the amount, as a rate (`19%`) or in pesos (`1900`); informational only';
export const TRIAL_DAYS = 'Length of the trial in days; 0 for none';

@ObjectType({ description: 'A plan: amount, billing interval and retries of its subscriptions' })
export class Plan {
  @Text('Plan ID', { id: 'plan', example: 'p9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Moment('Time of creation')
  creation_date!: Date;
  @Text('Plan name', { example: 'Monthly' })
  name!: string;
  @Amount('Amount charged each period', { example: 49900 })
  amount!: Money;
  @Currency.field('Currency, always COP')
  currency!: string;
  @Count(REPEAT_EVERY, { example: 1 })
  repeat_every!: number;
  @RepeatUnit.field('Unit of the billing interval')
  repeat_unit!: keyof typeof RepeatUnit.words;
  @Count(RETRY_TIMES, { example: 3 })
  retry_times!: number;
  @Value(RETRY_SCHEDULE, () => RetryScheduleScalar, { example: 'daily' })
  retry_schedule!: RetrySchedule;
  @PlanStatus.field('Plan status')
  status!: keyof typeof PlanStatus.words;
  @StatusAfterRetry.field('Subscription status after the last declined retry')
  status_after_retry!: keyof typeof StatusAfterRetry.words;
  @Count(TRIAL_DAYS, { example: 30 })
  trial_days!: number;
  @StoredMetadata
  metadata?: Metadata | null;
  @Text('IVA (value-added tax) included in the amount, as sent by the merchant', { optional: true, example: '19%' })
  iva?: string | null;
}

@InputType({ description: 'A new plan' })
export class CreatePlan {
  @Text('Plan name', { max: 255, example: 'Monthly' })
  name!: string;
  @Amount('Amount charged each period, greater than zero', { min: 1, example: 49900 })
  amount!: Money;
  @Count(REPEAT_EVERY, { min: 1, max: 100, example: 1 })
  repeat_every!: number;
  @RepeatUnit.field('Unit of the billing interval')
  repeat_unit!: keyof typeof RepeatUnit.words;
  @StatusAfterRetry.field('Subscription status after the last declined retry')
  status_after_retry!: keyof typeof StatusAfterRetry.words;
  @Count(TRIAL_DAYS, { min: 0, max: 730, example: 30 })
  trial_days!: number;
  @Count(`${RETRY_TIMES} (default 3, or the length of the list in retry_schedule)`, {
    optional: true,
    min: 0,
    max: 20,
    example: 3,
  })
  retry_times?: number;
  @Value(`${RETRY_SCHEDULE} (default daily)`, () => RetryScheduleScalar, { optional: true, example: 'paydays' })
  retry_schedule: RetrySchedule = 'daily';
  @Currency.field('Currency, always COP', { optional: true })
  currency?: 'COP';
  @NewMetadata
  metadata?: Metadata;
  @Text(`${IVA}. Every charge of its subscriptions has it`, OPTIONAL_IVA)
  iva?: string | null;
}

@InputType({
  description:
    'Changes to a plan; omitted fields keep their values. Only name, trial_days, metadata and iva can change',
})
export class UpdatePlan {
  @Text('Plan name; a new name has at most 80 characters', {
    optional: true,
    max: 255,
    rules: { maxLength: MAX_NEW_NAME_CHARACTERS, pattern: VISIBLE },
    example: 'Monthly',
  })
  name?: string;
  @Count(TRIAL_DAYS, { optional: true, min: 0, max: 730, example: 30 })
  trial_days?: number;
  @Amount(UNCHANGED, { optional: true })
  amount?: Money;
  @Currency.field(UNCHANGED, { optional: true })
  currency?: 'COP';
  @Count(UNCHANGED, { optional: true })
  repeat_every?: number;
  @RepeatUnit.field(UNCHANGED, { optional: true })
  repeat_unit?: keyof typeof RepeatUnit.words;
  @Count(UNCHANGED, { optional: true })
  retry_times?: number;
  @Value(UNCHANGED, () => RetryScheduleScalar, { optional: true })
  retry_schedule?: RetrySchedule;
  @StatusAfterRetry.field(UNCHANGED, { optional: true })
  status_after_retry?: keyof typeof StatusAfterRetry.words;
  @ChangedMetadata
  metadata?: Metadata | null;
  @Text(`${IVA}, of later charges; null removes it`, OPTIONAL_IVA)
  iva?: string | null;
}

@ArgsType()
class PlanFilters extends Filters {
  @MetadataFilter
  metadata?: Metadata;
}

@ArgsType()
export class PlansArgs extends paged(PlanFilters) {}

@ArgsType()
export class PlansConnectionArgs extends cursorPaged(PlanFilters) {}

@ObjectType({ description: 'A page of plans, newest first' })
export class PlanConnection extends connectionOf(Plan) {}
