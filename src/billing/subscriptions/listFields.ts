/** Filters and pages of lists of subscriptions. */
import { ArgsType, ObjectType } from 'type-graphql';
import { type Metadata, MetadataFilter } from '../../payments/metadata/metadata';
import { connectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { Filters, paged } from '../../schema/list';
import { choice, Day, Flag, Text } from '../../schema/shapes';
import { Subscription, SubscriptionStatus, type SubscriptionStatusName } from './fields';

@ArgsType()
class SubscriptionFilters extends Filters {
  @SubscriptionStatus.several('Any of these statuses (default: all except cancelled)', { optional: true })
  status?: SubscriptionStatusName[];
  @Day('Exact charge_date', { optional: true })
  charge_date?: string;
  @Day('Earliest charge_date', { optional: true })
  charge_date_gte?: string;
  @Day('Latest charge_date', { optional: true })
  charge_date_lte?: string;
  @Text('Plan ID', { id: 'plan', optional: true, max: 45 })
  plan_id?: string;
  @Text('Customer ID, including deleted customers', { id: 'customer', optional: true, max: 45 })
  customer_id?: string;
  @Flag('Whether it has a credit; with the status cancelled, credit that is owed to the payer', { optional: true })
  has_credit?: boolean;
  @MetadataFilter
  metadata?: Metadata;
}

const SubscriptionSort = choice(
  'SubscriptionSort',
  'Sort order of subscriptions',
  'creation_desc',
  'creation_asc',
  'charge_date_asc',
  'charge_date_desc',
);
export type SubscriptionSortName = keyof typeof SubscriptionSort.words;

@ArgsType()
export class SubscriptionsArgs extends paged(SubscriptionFilters) {}

@ArgsType()
export class SubscriptionsConnectionArgs extends cursorPaged(SubscriptionFilters) {
  @SubscriptionSort.field('Sort order (default creation_desc)', { optional: true })
  sort?: SubscriptionSortName;
}

@ObjectType({ description: 'A page of subscriptions' })
export class SubscriptionConnection extends connectionOf(Subscription) {}
