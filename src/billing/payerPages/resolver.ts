import { Ctx, Mutation, Resolver } from 'type-graphql';
import { ApiError } from '../../platform/errors';
import { Body, CustomerId, Id, type OwnerId } from '../../schema/arguments';
import { Errors } from '../../schema/errors/mutationErrors';
import type { Context } from '../../schema/operation/context';
import { Subscription } from '../subscriptions/fields';
import { findSubscription } from '../subscriptions/list';
import { toSubscription } from '../subscriptions/view';
import { CreateSubscriptionLink, SubscriptionLink } from './fields';
import { openLink, revokeLink } from './rows';
import { payerPageUrl } from './token';

@Resolver()
export class SubscriptionLinkResolver {
  @Mutation(() => SubscriptionLink, {
    description: "Returns the link to the payer's page of a subscription, which is created if there is none",
  })
  @Errors('not_allowed')
  async createSubscriptionLink(
    @Ctx() context: Context,
    @Id('subscription_id', 'subscription') subscription_id: string,
    @Body('link', () => CreateSubscriptionLink, 'The link') { rotate }: CreateSubscriptionLink,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<SubscriptionLink> {
    const { db, publicUrl, vault } = context;
    const { id, status } = await findSubscription(context, subscription_id, customer_id);
    if (status === 'cancelled') throw new ApiError('not_allowed', 'subscription_cancelled');
    if (rotate) await revokeLink(db, id);
    const link = await openLink(db, id);
    return { url: payerPageUrl(publicUrl, vault.linking, link), creation_date: link.creation_date };
  }

  @Mutation(() => Subscription, { description: "Revokes the link to the payer's page of a subscription" })
  async deleteSubscriptionLink(
    @Ctx() context: Context,
    @Id('subscription_id', 'subscription') subscription_id: string,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<Subscription> {
    const found = await findSubscription(context, subscription_id, customer_id);
    await revokeLink(context.db, found.id);
    return toSubscription(found);
  }
}
