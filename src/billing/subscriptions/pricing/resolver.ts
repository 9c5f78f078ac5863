import { Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { Body, CustomerId, Id, type OwnerId } from '../../../schema/arguments';
import { Errors } from '../../../schema/errors/mutationErrors';
import type { Context } from '../../../schema/operation/context';
import { CardRateLimit, RequiresActiveMerchant } from '../../../schema/operation/guard';
import { Subscription } from '../fields';
import { findSubscription } from '../list';
import { changeOnce } from '../update';
import { toSubscription, withDecline } from '../view';
import { addExtra, applyCoupon, removeExtra } from './adjust';
import { changeSubscription } from './change';
import { ApplyCoupon, ChangeSubscription, CreateExtra, SubscriptionExtra } from './fields';

/** The price of a subscription: plan, quantity, coupon and extras. */
@Resolver()
export class SubscriptionPriceResolver {
  @Mutation(() => Subscription, {
    description:
      'Changes plan, quantity or coupon of a subscription: with the next period, or now, with a new period that is charged at once',
  })
  @CardRateLimit()
  @RequiresActiveMerchant()
  async changeSubscription(
    @Ctx() context: Context,
    @Id('subscription_id', 'subscription') subscription_id: string,
    @Body('change', () => ChangeSubscription, 'The change') change: ChangeSubscription,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<Subscription> {
    const found = await findSubscription(context, subscription_id, customer_id);
    return withDecline(context.db, await changeSubscription(context, found, change));
  }

  @Mutation(() => Subscription, { description: 'Withdraws the planned change of a subscription' })
  @Errors('not_allowed')
  async withdrawSubscriptionChange(
    @Ctx() context: Context,
    @Id('subscription_id', 'subscription') subscription_id: string,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<Subscription> {
    const found = await findSubscription(context, subscription_id, customer_id);
    return toSubscription(await changeOnce(context, found, { planned: null }));
  }

  @Mutation(() => Subscription, { description: 'Redeems a coupon for the next periods of a subscription' })
  @Errors('not_allowed')
  async applyCoupon(
    @Ctx() context: Context,
    @Id('subscription_id', 'subscription') subscription_id: string,
    @Body('coupon', () => ApplyCoupon, 'The coupon') coupon: ApplyCoupon,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<Subscription> {
    const found = await findSubscription(context, subscription_id, customer_id);
    return toSubscription(await applyCoupon(context, found, coupon));
  }

  @Mutation(() => Subscription, { description: 'Removes the coupon of a subscription; its redemption stays counted' })
  @Errors('not_allowed')
  async removeCoupon(
    @Ctx() context: Context,
    @Id('subscription_id', 'subscription') subscription_id: string,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<Subscription> {
    const found = await findSubscription(context, subscription_id, customer_id);
    return toSubscription(await changeOnce(context, found, { coupon: null }));
  }

  @Query(() => [SubscriptionExtra], { description: 'Lists the one-off amounts of the next period of a subscription' })
  async extras(
    @Ctx() context: Context,
    @Id('subscription_id', 'subscription') subscription_id: string,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<SubscriptionExtra[]> {
    return (await findSubscription(context, subscription_id, customer_id)).extras;
  }

  @Mutation(() => SubscriptionExtra, { description: 'Adds a one-off amount to the next period of a subscription' })
  @Errors('not_allowed')
  async createExtra(
    @Ctx() context: Context,
    @Id('subscription_id', 'subscription') subscription_id: string,
    @Body('extra', () => CreateExtra, 'The one-off amount') extra: CreateExtra,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<SubscriptionExtra> {
    return addExtra(context, await findSubscription(context, subscription_id, customer_id), extra);
  }

  @Mutation(() => SubscriptionExtra, { description: 'Removes a one-off amount that was not billed yet' })
  async deleteExtra(
    @Ctx() context: Context,
    @Id('subscription_id', 'subscription') subscription_id: string,
    @Id('extra_id', 'extra') extra_id: string,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<SubscriptionExtra> {
    return removeExtra(context, await findSubscription(context, subscription_id, customer_id), extra_id);
  }

  @Mutation(() => Subscription, {
    description: 'Records that the credit of an ended subscription was returned to the payer',
  })
  @Errors('not_allowed')
  async returnCredit(
    @Ctx() context: Context,
    @Id('subscription_id', 'subscription') subscription_id: string,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<Subscription> {
    const found = await findSubscription(context, subscription_id, customer_id);
    return toSubscription(await changeOnce(context, found, { clears_credit: true }));
  }
}
