import { ArgsType, InputType, ObjectType } from 'type-graphql';
import type { Money } from '../../platform/money';
import { connectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { Filters, paged } from '../../schema/list';
import { VISIBLE } from '../../schema/patterns';
import { Amount, Count, Currency, choice, Moment, Text } from '../../schema/shapes';

const RepeatUnit = choice('RepeatUnit', 'What a plan counts its periods in', 'week', 'month', 'year');
const StatusAfterRetry = choice(
  'StatusAfterRetry',
  'What a subscription becomes when its retries are used up',
  'unpaid',
  'cancelled',
);
const PlanStatus = choice('PlanStatus', 'A deleted plan takes no new subscriptions', 'active', 'deleted');

export const MAX_NEW_NAME_CHARACTERS = 80;

const REPEAT_EVERY = 'Number of repeat_units between charges';
const RETRY_TIMES = 'How often a declined charge is tried again';
const UNCHANGED = 'As it is: one that differs is refused';
const TRIAL_DAYS = 'Length of the trial in days; 0 for none';

@ObjectType({ description: 'What a subscription is charged, how often, and what follows a decline' })
export class Plan {
  @Text('Unique identifier', { id: 'plan', example: 'p9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Moment('When it was created')
  creation_date!: Date;
  @Text('Name', { example: 'Monthly' })
  name!: string;
  @Amount('Charged each period', { example: 49900 })
  amount!: Money;
  @Currency.field('COP')
  currency!: string;
  @Count(REPEAT_EVERY, { example: 1 })
  repeat_every!: number;
  @RepeatUnit.field('week, month or year')
  repeat_unit!: keyof typeof RepeatUnit.words;
  @Count(RETRY_TIMES, { example: 3 })
  retry_times!: number;
  @PlanStatus.field('active or deleted')
  status!: keyof typeof PlanStatus.words;
  @StatusAfterRetry.field('unpaid or cancelled')
  status_after_retry!: keyof typeof StatusAfterRetry.words;
  @Count(TRIAL_DAYS, { example: 30 })
  trial_days!: number;
}

@InputType({ description: 'What a plan is created with' })
export class CreatePlan {
  @Text('Name', { max: 255, example: 'Monthly' })
  name!: string;
  @Amount('Charged each period, greater than zero', { min: 1, example: 49900 })
  amount!: Money;
  @Count(REPEAT_EVERY, { min: 1, max: 100, example: 1 })
  repeat_every!: number;
  @RepeatUnit.field('week, month or year')
  repeat_unit!: keyof typeof RepeatUnit.words;
  @StatusAfterRetry.field('unpaid or cancelled')
  status_after_retry!: keyof typeof StatusAfterRetry.words;
  @Count(TRIAL_DAYS, { min: 0, max: 730, example: 30 })
  trial_days!: number;
  @Count(RETRY_TIMES, { optional: true, min: 0, max: 20, example: 3 })
  retry_times: number = 3;
  @Currency.field('COP', { optional: true })
  currency?: 'COP';
}

@InputType({ description: 'What a plan is changed to; what is left out stays. Only its name and trial can change' })
export class UpdatePlan {
  @Text('Name; a new one has at most 80 characters', {
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
  @StatusAfterRetry.field(UNCHANGED, { optional: true })
  status_after_retry?: keyof typeof StatusAfterRetry.words;
}

@ArgsType()
export class PlansPage extends paged(Filters) {}

@ArgsType()
export class PlansWindow extends cursorPaged(Filters) {}

@ObjectType({ description: 'A window on the list of plans, newest first' })
export class PlanConnection extends connectionOf(Plan) {}
