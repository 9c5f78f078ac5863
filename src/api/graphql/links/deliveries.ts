/** Deliveries nested in webhooks: one SQL statement for all webhooks of a request. */
import { Args, ArgsType, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { type Delivery, DeliveryConnection, DeliveryStatus } from '../../../notifications/webhooks/deliveryFields';
import { Webhook } from '../../../notifications/webhooks/fields';
import { cursorPaged } from '../../../schema/connections/window';
import type { Context } from '../../../schema/operation/context';
import { deliveriesOfWebhook } from './rows';

@ArgsType()
class DeliveryStatuses {
  @DeliveryStatus.several('Statuses; omit for all', { optional: true })
  status?: Delivery['status'][];
}

@ArgsType()
class NestedDeliveriesConnectionArgs extends cursorPaged(DeliveryStatuses) {}

@Resolver(() => Webhook)
export class WebhookDeliveries {
  @FieldResolver(() => DeliveryConnection, { description: 'Deliveries to the webhook, newest first' })
  deliveries(
    @Ctx() { db }: Context,
    @Root() { id }: Webhook,
    @Args(() => NestedDeliveriesConnectionArgs) window: NestedDeliveriesConnectionArgs,
  ): Promise<DeliveryConnection> {
    return deliveriesOfWebhook.connection(db, id, window);
  }
}
