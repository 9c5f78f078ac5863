import { Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { rejectFromCustomerSession } from '../../../payments/metadata/metadata';
import { Body, CustomerId, Id, type OwnerId } from '../../../schema/arguments';
import { ForwardWindow } from '../../../schema/connections/positions';
import type { Context } from '../../../schema/operation/context';
import { AllowCustomerSession } from '../../../schema/operation/guard';
import { findSubscription } from '../list';
import {
  History,
  HistoryArgs,
  HistoryEntryConnection,
  ProjectedCharge,
  ProjectionArgs,
  SubscriptionHistory,
  SubscriptionHistoryArgs,
} from './fields';
import { entriesOf, historyOf, type OpenHistory, openHistory, projectCharges } from './history';
import { previewChange } from './preview';
import { PreviewedChange, SubscriptionPreview } from './previewFields';

/** The past of a subscription, and its next charges. */
@Resolver()
export class SubscriptionOutlookResolver {
  @Query(() => [ProjectedCharge], { description: 'Projects the next charges of a subscription' })
  @AllowCustomerSession()
  async projection(
    @Ctx() context: Context,
    @Id('subscription_id', 'subscription') subscription_id: string,
    @Args(() => ProjectionArgs) options: ProjectionArgs,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<ProjectedCharge[]> {
    return projectCharges(await findSubscription(context, subscription_id, customer_id), options);
  }

  @Query(() => History, { description: 'Retrieves the history and the next action of a subscription, as text' })
  @AllowCustomerSession()
  async history(
    @Ctx() context: Context,
    @Id('subscription_id', 'subscription') subscription_id: string,
    @Args(() => HistoryArgs) page: HistoryArgs,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<History> {
    return historyOf(context, await findSubscription(context, subscription_id, customer_id), page);
  }

  @Query(() => SubscriptionHistory, {
    description: 'Retrieves the history and the next action of a subscription, as text',
  })
  @AllowCustomerSession()
  async historyConnection(
    @Ctx() context: Context,
    @Id('subscription_id', 'subscription') subscription_id: string,
    @Args(() => SubscriptionHistoryArgs) { language }: SubscriptionHistoryArgs,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<OpenHistory> {
    return openHistory(context, await findSubscription(context, subscription_id, customer_id), language);
  }

  @Query(() => SubscriptionPreview, {
    description: 'Shows what a change of a subscription would charge, without making it',
  })
  @AllowCustomerSession()
  async previewSubscriptionChange(
    @Ctx() context: Context,
    @Id('subscription_id', 'subscription') subscription_id: string,
    @Body('change', () => PreviewedChange, 'The change') change: PreviewedChange,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<SubscriptionPreview> {
    rejectFromCustomerSession(context, change, 'change', 'coupon', 'extra');
    return previewChange(context, await findSubscription(context, subscription_id, customer_id), change);
  }
}

@Resolver(() => SubscriptionHistory)
export class SubscriptionHistoryResolver {
  @FieldResolver(() => HistoryEntryConnection, { description: 'Entries, the latest first' })
  @AllowCustomerSession()
  entries(
    @Ctx() context: Context,
    @Root() history: OpenHistory,
    @Args(() => ForwardWindow) window: ForwardWindow,
  ): Promise<HistoryEntryConnection> {
    return entriesOf(context, history, window);
  }
}
