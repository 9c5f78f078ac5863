import { GraphQLString } from 'graphql';
import { ArgsType, ObjectType } from 'type-graphql';
import { MerchantEnvironment } from '../../../accounts/merchants/fields';
import { connectionOf, uncountedConnectionOf } from '../../../schema/connections/connection';
import { cursorPaged } from '../../../schema/connections/window';
import { Filters } from '../../../schema/list';
import { Count, choice, ListOf, Moment, Text, Values } from '../../../schema/shapes';

export const BULK_ACTIONS = ['cancel', 'hold', 'release', 'retry', 'ask_acquirer'] as const;
export type BulkActionName = (typeof BULK_ACTIONS)[number];
const BulkActionChoice = choice('BulkActionName', 'The action on each subscription', ...BULK_ACTIONS);

const BULK_STATES = ['listing', 'running', 'done', 'stopped'] as const;
export type BulkState = (typeof BULK_STATES)[number];
const BulkStateChoice = choice(
  'BulkState',
  'State of a bulk action: it lists its subscriptions, acts on them, has acted on all, or was stopped',
  ...BULK_STATES,
);

/** A higher rate would delay the renewals of a worker. */
export const MAX_BULK_RATE = 50;
export const DEFAULT_BULK_RATE = 5;

@ArgsType()
export class BulkTarget {
  @BulkActionChoice.field('The action')
  action!: BulkActionName;
  @MerchantEnvironment.field('Environment of the subscriptions')
  environment!: 'sandbox' | 'production';
  @Text('Query of workflows in the language of Temporal, such as `SubscriptionStatus = "past_due"`', { max: 1000 })
  query!: string;
  @Count('Maximum number of subscriptions per second', { optional: true, min: 1, max: MAX_BULK_RATE })
  rate: number = DEFAULT_BULK_RATE;
}

@ArgsType()
export class NewBulkAction extends BulkTarget {
  @Text('Reason, for the audit log', { max: 1000 })
  reason!: string;
}

@ObjectType({ description: 'The effect of a bulk action, which is not started' })
export class BulkPreview {
  @Count('Subscriptions that the query finds now')
  found!: number;
  @Values('IDs of the first ten subscriptions', () => GraphQLString)
  subscription_ids!: string[];
  @Values('Steps, one sentence each, in the language of Accept-Language: Spanish or English', () => GraphQLString)
  steps!: string[];
}

@ObjectType({ description: 'An action on every subscription that a query finds' })
export class BulkAction {
  @Text('Unique identifier', { id: 'bulk_action' })
  id!: string;
  @MerchantEnvironment.field('Environment of the subscriptions')
  environment!: 'sandbox' | 'production';
  @BulkActionChoice.field('The action')
  action!: BulkActionName;
  @Text('Query of workflows')
  query!: string;
  @Text('Reason')
  reason!: string;
  @Text('ID of the operator key, or another identifier of the actor', { nullable: true })
  actor_id!: string | null;
  @Count('Maximum number of subscriptions per second')
  rate!: number;
  @BulkStateChoice.field('State')
  state!: BulkState;
  @Count('Subscriptions found so far')
  found!: number;
  @Count('Subscriptions on which the action was performed')
  done!: number;
  @Count('Subscriptions for which the action was refused')
  refused!: number;
  @Moment('Time of creation')
  creation_date!: Date;
  @Moment('Time when it was done or stopped', { nullable: true })
  finished_at!: Date | null;
}

@ObjectType({ description: 'A subscription for which a bulk action was refused' })
export class BulkRefusal {
  @Text('Subscription ID', { id: 'subscription' })
  subscription_id!: string;
  @Text('Why')
  message!: string;
}

/** As a command shows it. */
@ObjectType()
export class BulkReport extends BulkAction {
  @ListOf('Refusals, in the order of their subscriptions', () => BulkRefusal)
  refusals!: BulkRefusal[];
}

@ObjectType({ description: 'A page of BulkRefusal records' })
export class BulkRefusalConnection extends uncountedConnectionOf(BulkRefusal) {}

@ArgsType()
class BulkFilters extends Filters {
  @MerchantEnvironment.field('sandbox or production', { optional: true })
  environment?: 'sandbox' | 'production';
  @BulkStateChoice.field('State', { optional: true })
  state?: BulkState;
}

@ArgsType()
export class BulkActionsArgs extends cursorPaged(BulkFilters) {}

@ObjectType({ description: 'Bulk actions, newest first' })
export class BulkActionConnection extends connectionOf(BulkAction) {}
