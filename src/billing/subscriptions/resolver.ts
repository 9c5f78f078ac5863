import { Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { rejectFromCustomerSession } from '../../payments/metadata/metadata';
import { ApiError } from '../../platform/errors';
import { Body, CustomerId, Id, type OwnerId } from '../../schema/arguments';
import { readFitting, readPage } from '../../schema/boundedList';
import { toConnection } from '../../schema/connections/connection';
import { totalWhere } from '../../schema/connections/rows';
import { pageSlice, sliceOf } from '../../schema/connections/window';
import type { Context } from '../../schema/operation/context';
import { AllowCustomerSession, CardRateLimit, RequiresActiveMerchant } from '../../schema/operation/guard';
import './cardRenewal';
import './customerDeletion';
import { Errors } from '../../schema/errors/mutationErrors';
import { subscribe } from './creation/subscribe';
import { CreateSubscription, Subscription, UpdateSubscription } from './fields';
import { findSubscription, subscriptionOrders, subscriptionsWhere } from './list';
import { SubscriptionConnection, SubscriptionsArgs, SubscriptionsConnectionArgs } from './listFields';
import { PauseSubscription } from './pauseFields';
import { reloadSubscription, subscriptionList } from './rows';
import { cancelSubscription, chargeOnRequest, pauseSubscription, updateSubscription } from './update';
import { toSubscription, withDecline } from './view';

@Resolver()
export class SubscriptionResolver {
  @Query(() => Subscription, { description: 'Retrieves a subscription' })
  @AllowCustomerSession()
  async subscription(
    @Ctx() context: Context,
    @Id('subscription_id', 'subscription') subscription_id: string,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<Subscription> {
    return withDecline(context.db, await findSubscription(context, subscription_id, customer_id));
  }

  @Query(() => [Subscription], {
    description: 'Lists subscriptions, newest first; without a status filter, excludes ended subscriptions',
  })
  @AllowCustomerSession()
  async subscriptions(
    @Ctx() context: Context,
    @Args(() => SubscriptionsArgs) page: SubscriptionsArgs,
  ): Promise<Subscription[]> {
    const list = subscriptionList(context.db, subscriptionsWhere(context, page), pageSlice(page));
    const rows = await readPage(context, list);
    return rows.map(toSubscription);
  }

  @Query(() => SubscriptionConnection, { description: 'Lists subscriptions' })
  @AllowCustomerSession()
  async subscriptionsConnection(
    @Ctx() context: Context,
    @Args(() => SubscriptionsConnectionArgs) window: SubscriptionsConnectionArgs,
  ): Promise<SubscriptionConnection> {
    const where = subscriptionsWhere(context, window);
    const order = subscriptionOrders[window.sort ?? 'creation_desc'];
    const list = subscriptionList(context.db, where, sliceOf(window, order));
    const { records, isCut } = await readFitting(context, list);
    const readTotal = totalWhere(context.db, 'subscriptions', where);
    return toConnection(window, records.map(toSubscription), readTotal, { isCut, order });
  }

  @Mutation(() => Subscription, {
    description: 'Creates a subscription. Without a trial, the first charge is made immediately',
  })
  @CardRateLimit()
  @RequiresActiveMerchant()
  @AllowCustomerSession()
  async createSubscription(
    @Ctx() context: Context,
    @Id('customer_id', 'customer') customer_id: string,
    @Body('subscription', () => CreateSubscription, 'The new subscription') input: CreateSubscription,
  ): Promise<Subscription> {
    rejectFromCustomerSession(context, input, 'metadata', 'iva');
    return withDecline(context.db, await subscribe(context, customer_id, input));
  }

  @Mutation(() => Subscription, {
    description: 'Updates the end, the trial, the card, the metadata or the IVA of a subscription',
  })
  @CardRateLimit()
  @AllowCustomerSession()
  @Errors('suspended', 'not_allowed')
  async updateSubscription(
    @Ctx() context: Context,
    @Id('subscription_id', 'subscription') subscription_id: string,
    @Body('subscription', () => UpdateSubscription, 'The changes') changes: UpdateSubscription,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<Subscription> {
    rejectFromCustomerSession(context, changes, 'metadata', 'iva');
    const found = await findSubscription(context, subscription_id, customer_id);
    return withDecline(context.db, await updateSubscription(context, found, changes));
  }

  @Mutation(() => Subscription, {
    description: 'Retries an unpaid period immediately, without using up a retry',
  })
  @CardRateLimit()
  @RequiresActiveMerchant()
  @AllowCustomerSession()
  async retrySubscription(
    @Ctx() context: Context,
    @Id('subscription_id', 'subscription') subscription_id: string,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<Subscription> {
    const found = await findSubscription(context, subscription_id, customer_id);
    return withDecline(context.db, await chargeOnRequest(context, found, 'retry'));
  }

  @Mutation(() => Subscription, {
    description: 'Pauses a subscription from the end of the paid period or the trial on',
  })
  @AllowCustomerSession()
  @Errors('not_allowed')
  async pauseSubscription(
    @Ctx() context: Context,
    @Id('subscription_id', 'subscription') subscription_id: string,
    @Body('pause', () => PauseSubscription, 'The pause') pause: PauseSubscription,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<Subscription> {
    const found = await findSubscription(context, subscription_id, customer_id);
    return toSubscription(await pauseSubscription(context, found, pause));
  }

  @Mutation(() => Subscription, {
    description: 'Resumes a paused subscription: a new period begins and is charged, or the pause is withdrawn',
  })
  @CardRateLimit()
  @RequiresActiveMerchant()
  @AllowCustomerSession()
  async resumeSubscription(
    @Ctx() context: Context,
    @Id('subscription_id', 'subscription') subscription_id: string,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<Subscription> {
    const found = await findSubscription(context, subscription_id, customer_id);
    return withDecline(context.db, await chargeOnRequest(context, found, 'resume'));
  }

  @Mutation(() => Subscription, { description: 'Cancels a subscription immediately' })
  @AllowCustomerSession()
  async deleteSubscription(
    @Ctx() context: Context,
    @Id('subscription_id', 'subscription') subscription_id: string,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<Subscription> {
    await findSubscription(context, subscription_id, customer_id);
    if (!(await cancelSubscription(context.db, subscription_id, 'cancelled_by_merchant', context)))
      throw new ApiError('not_found');
    return toSubscription(await reloadSubscription(context.db, subscription_id));
  }
}
