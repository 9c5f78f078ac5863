/** The deliveries of webhooks, nested in GraphQL: one statement for all webhooks of a request. */
import { Args, ArgsType, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { type Delivery, DeliveryConnection, DeliveryStatus } from '../../../notifications/webhooks/deliveryFields';
import { Webhook } from '../../../notifications/webhooks/fields';
import { cursorPaged } from '../../../schema/connections/window';
import type { Context } from '../../../schema/operation/context';
import { deliveriesOfWebhook } from './rows';

@ArgsType()
class DeliveryStatuses {
  @DeliveryStatus.several('Of one of these; absent: of any', { optional: true })
  status?: Delivery['status'][];
}

@ArgsType()
class NestedDeliveriesWindow extends cursorPaged(DeliveryStatuses) {}

@Resolver(() => Webhook)
export class WebhookDeliveries {
  @FieldResolver(() => DeliveryConnection, { description: 'What was sent to it, newest first' })
  deliveriesConnection(
    @Ctx() { db }: Context,
    @Root() { id }: Webhook,
    @Args(() => NestedDeliveriesWindow) window: NestedDeliveriesWindow,
  ): Promise<DeliveryConnection> {
    return deliveriesOfWebhook.connection(db, id, window);
  }
}
