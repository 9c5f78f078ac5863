import { ArgsType, ObjectType } from 'type-graphql';
import { MerchantEnvironment } from '../../../accounts/merchants/fields';
import type { Money } from '../../../platform/money';
import { uncountedConnectionOf } from '../../../schema/connections/connection';
import { forwardPaged } from '../../../schema/connections/positions';
import { Amount, choice, ListOf, Moment, Nested, Text } from '../../../schema/shapes';
import { OperatorDecision } from '../fields';
import { STORY_KINDS } from '../incidents/timelineRows';
import { OperatorAction, type OperatorActionName } from './actionFields';

const StoryKind = choice('StoryKind', 'Type of an object with a timeline', ...STORY_KINDS);

@ObjectType({ description: 'An entry of a timeline' })
class StoryEntry {
  @Moment('Time; null for the current state', { nullable: true })
  at!: Date | null;
  @Text('Source: row, history, ledger, event, delivery, audit log, outbox, acquirer or temporal')
  source!: string;
  @Text('Description of the entry, in the language of Accept-Language: Spanish or English')
  text!: string;
}

@ObjectType({ description: 'A page of StoryEntry records' })
export class StoryEntryConnection extends uncountedConnectionOf(StoryEntry) {}

@ObjectType({ description: 'A workflow of an object' })
export class StoryWorkflow {
  @Text('Workflow ID')
  id!: string;
  @Text('Address in the Temporal UI; null if the address of the UI is not configured', { nullable: true })
  url!: string | null;
}

@ObjectType({ description: 'Timeline of an object across the database, the acquirer and Temporal' })
export class Story {
  @Text('Unique identifier')
  id!: string;
  @StoryKind.field('Type of the object')
  kind!: (typeof STORY_KINDS)[number];
  @Text('Merchant ID', { id: 'merchant' })
  merchant_id!: string;
  @MerchantEnvironment.field('sandbox or production')
  environment!: 'sandbox' | 'production';
  @Text('Why workflows are missing from the timeline', { nullable: true })
  temporal_problem!: string | null;
  @Nested('Entries, the latest first; the current state is at the beginning', () => StoryEntryConnection)
  entries!: StoryEntryConnection;
  @ListOf('Workflows of the object', () => StoryWorkflow)
  workflows!: StoryWorkflow[];
  @OperatorAction.several('Changes that are possible now')
  actions!: OperatorActionName[];
}

@ArgsType()
export class StoryArgs extends forwardPaged(OperatorDecision) {}

@ObjectType({ description: 'A recent charge or payout of a merchant, visible to operators' })
export class RecentTransaction {
  @Text('Unique identifier', { id: 'transaction' })
  id!: string;
  @Text('Payment method')
  method!: string;
  @Text('Status')
  status!: string;
  @Amount('Amount')
  amount!: Money;
  @Moment('Time of creation')
  creation_date!: Date;
}

@ObjectType({ description: 'A recent subscription of a merchant, visible to operators' })
export class RecentSubscription {
  @Text('Unique identifier', { id: 'subscription' })
  id!: string;
  @Text('Name of the plan')
  plan!: string;
  @Text('Status')
  status!: string;
  @Moment('Time of creation')
  creation_date!: Date;
}

@ObjectType({ description: 'A webhook of a merchant, visible to operators' })
export class MerchantWebhook {
  @Text('Unique identifier', { id: 'webhook' })
  id!: string;
  @Text('Host of the URL, whose path may be a secret')
  host!: string;
  @Text('Status: unverified, verified or disabled')
  status!: string;
}

@ObjectType({ description: 'Latest objects of a merchant, at most ten of each, newest first' })
export class MerchantActivity {
  @ListOf('Charges', () => RecentTransaction)
  charges!: RecentTransaction[];
  @ListOf('Payouts', () => RecentTransaction)
  payouts!: RecentTransaction[];
  @ListOf('Subscriptions', () => RecentSubscription)
  subscriptions!: RecentSubscription[];
  @ListOf('Webhooks', () => MerchantWebhook)
  webhooks!: MerchantWebhook[];
}

@ObjectType({ description: 'Work that has been due for at least a minute' })
class OverdueItem {
  @Text('Type: subscription, expiry, payout or delivery')
  kind!: string;
  @Text('ID of the subscription, transaction or delivery')
  id!: string;
  @Text('Merchant ID', { id: 'merchant' })
  merchant_id!: string;
  @MerchantEnvironment.field('sandbox or production')
  environment!: 'sandbox' | 'production';
  @Moment('Real time when it became due')
  since!: Date;
  @Amount('Amount; null for a delivery', { nullable: true })
  amount!: Money | null;
  @Text('Reason, as listed for the command overdue')
  reason!: string;
  @Text('Details of the reason, in English', { nullable: true })
  details!: string | null;
}

@ObjectType({ description: 'A page of overdue work, most overdue first' })
export class OverdueWork extends uncountedConnectionOf(OverdueItem) {
  @Text('Why reasons that only Temporal knows are missing', { nullable: true })
  temporal_problem!: string | null;
}

@ArgsType()
class OverdueFilters {
  @Text('Merchant ID', { optional: true, max: 45 })
  merchant_id?: string;
}

@ArgsType()
export class OverdueArgs extends forwardPaged(OverdueFilters) {}
