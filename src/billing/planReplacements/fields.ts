import { InputType, ObjectType } from 'type-graphql';
import type { RetrySchedule } from '../../../workflows/calendar';
import { OPTIONAL_IVA } from '../../payments/charges/tax';
import { type Metadata, NewMetadata } from '../../payments/metadata/metadata';
import type { Money } from '../../platform/money';
import { Amount, Count, choice, Flag, ListOf, Moment, Nested, Text, Value } from '../../schema/shapes';
import {
  IVA,
  Plan,
  REPEAT_EVERY,
  RETRY_SCHEDULE,
  RETRY_TIMES,
  RepeatUnit,
  StatusAfterRetry,
  TRIAL_DAYS,
} from '../plans/fields';
import { RetryScheduleScalar } from '../plans/retrySchedule';

const ReplacementStatus = choice(
  'PlanReplacementStatus',
  'Status of a plan replacement: only previewed, scheduling the changes of its subscribers, or done',
  'preview',
  'running',
  'done',
);
export type ReplacementStatus = keyof typeof ReplacementStatus.words;

const SkipReason = choice(
  'PlanReplacementSkipReason',
  'Reason for which a subscriber keeps its plan: the subscription has ended, its period is unpaid, it has left the plan or has a planned change to another one, or its next charge would be too large',
  'cancelled',
  'unpaid',
  'other_plan',
  'other_change_planned',
  'amount_too_large',
);
export type SkipReason = keyof typeof SkipReason.words;

@InputType({ description: 'The successor of a plan; omitted terms are copied from the plan' })
export class ReplacePlan {
  @Text('Plan name', { optional: true, max: 255, example: 'Monthly 2027' })
  name?: string;
  @Amount('Amount charged each period, greater than zero', { optional: true, min: 1, example: 54900 })
  amount?: Money;
  @Count(REPEAT_EVERY, { optional: true, min: 1, max: 100, example: 1 })
  repeat_every?: number;
  @RepeatUnit.field('Unit of the billing interval', { optional: true })
  repeat_unit?: keyof typeof RepeatUnit.words;
  @StatusAfterRetry.field('Subscription status after the last declined retry', { optional: true })
  status_after_retry?: keyof typeof StatusAfterRetry.words;
  @Count(TRIAL_DAYS, { optional: true, min: 0, max: 730, example: 0 })
  trial_days?: number;
  @Count(RETRY_TIMES, { optional: true, min: 0, max: 20, example: 3 })
  retry_times?: number;
  @Value(RETRY_SCHEDULE, () => RetryScheduleScalar, { optional: true, example: 'paydays' })
  retry_schedule?: RetrySchedule;
  @NewMetadata
  metadata?: Metadata;
  @Text(`${IVA}; null for none`, OPTIONAL_IVA)
  iva?: string | null;
  @Flag(
    'Whether all live subscribers change to the successor at the end of their period, as do subscribers of other plans with a planned change to this one (default false)',
    { optional: true, example: true },
  )
  schedule: boolean = false;
  @Flag('Whether the plan is deleted, so that it accepts no new subscriptions (default false)', {
    optional: true,
    example: true,
  })
  close: boolean = false;
  @Flag('Whether only the totals are returned, and nothing changes (default false)', { optional: true })
  preview: boolean = false;
}

@ObjectType({ description: 'A subscriber that keeps its plan' })
export class SkippedSubscription {
  @Text('Subscription ID', { id: 'subscription', example: 's9s8d7f6g5h4j3k2l1q0' })
  subscription_id!: string;
  @SkipReason.field('Why it keeps its plan')
  reason!: SkipReason;
}

export const MAX_LISTED = 1000;

@ObjectType({ description: 'The replacement of a plan by a successor' })
export class PlanReplacement {
  @Text('ID of the replacement; null in a preview', {
    id: 'plan_replacement',
    nullable: true,
    example: 'g9s8d7f6g5h4j3k2l1q0',
  })
  id!: string | null;
  @Text('ID of the replaced plan', { id: 'plan', example: 'p9s8d7f6g5h4j3k2l1q0' })
  plan_id!: string;
  @Nested('The successor; null in a preview', () => Plan, { nullable: true })
  successor!: Plan | null;
  @ReplacementStatus.field('Status')
  status!: ReplacementStatus;
  @Count(
    'Live subscribers of the plan, and those with a planned change to it, when it was replaced; 0 without `schedule`',
    { example: 30 },
  )
  total!: number;
  @Count('Subscribers whose change is scheduled', { example: 28 })
  done!: number;
  @Count('Subscribers that keep the plan; in a preview, those that would', { example: 2 })
  skipped!: number;
  @Amount('Sum that a period of the changing subscribers costs with the replaced plan, after discounts', {
    example: 1397200,
  })
  current_amount!: Money;
  @Amount('Sum that a period of the changing subscribers costs with the successor, after discounts', {
    example: 1537200,
  })
  new_amount!: Money;
  @ListOf(`The first ${MAX_LISTED} subscribers that keep the plan`, () => SkippedSubscription)
  skipped_subscriptions!: SkippedSubscription[];
  @Moment('Time of the replacement; null in a preview', { nullable: true })
  creation_date!: Date | null;
  @Moment('Time when all subscribers were handled', { nullable: true })
  finished_at!: Date | null;
}
