/** Deliveries nested in webhooks: one SQL statement for all webhooks of a request. */
import { Args, ArgsType, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Prisma } from '../../../../prisma/generated/client';
import type { OutgoingEvent } from '../../../events/list';
import {
  attemptsOf,
  BY_SEQUENCE,
  type DeliveryRow,
  type NumberedDelivery,
  toDelivery,
} from '../../../notifications/webhooks/deliveries';
import { type Delivery, DeliveryConnection, DeliveryStatus } from '../../../notifications/webhooks/deliveryFields';
import { Webhook } from '../../../notifications/webhooks/fields';
import { type BoundedRow, boundedRows, rejectCut } from '../../../schema/boundedList';
import { cursorPaged } from '../../../schema/connections/window';
import type { Context } from '../../../schema/operation/context';
import { nested } from './nested';

interface NestedRow extends DeliveryRow, BoundedRow {
  sequence: bigint;
  url: string;
  event: Omit<OutgoingEvent, 'object' | 'creation_date'>;
  object: string;
  event_date: Date;
}

/** Approximate sizes of a delivery without its event, and of an attempt. */
const [FRAME_BYTES, ATTEMPT_BYTES] = [500, 500];

const deliveriesOfWebhook = nested<NestedRow, NumberedDelivery>(
  {
    columns: Prisma.sql`d.id, d.event_id, d.creation_date, d.next_at, d.status, d.sequence, w.merchant_id, w.url,
      ${attemptsOf('d')} as log, jsonb_build_object('id', e.id, 'type', e.type, 'object_id', e.object_id) as event,
      e.object::text as object, e.creation_date as event_date,
      octet_length(e.object::text) + ${FRAME_BYTES} + ${ATTEMPT_BYTES} * d.attempts as bytes`,
    table: 'deliveries',
    alias: 'd',
    joins: Prisma.raw('join webhooks w on w.id = d.webhook_id join events e on e.id = d.event_id'),
    owner: 'webhook_id',
    condition: 'true',
    order: BY_SEQUENCE,
    bound: boundedRows,
  },
  rows => {
    rejectCut(rows);
    return rows.map(row => ({
      ...toDelivery(row, row, { ...row.event, object: row.object, creation_date: row.event_date }),
      sequence: row.sequence,
    }));
  },
);

@ArgsType()
class DeliveryStatuses {
  @DeliveryStatus.several('Statuses; omit for all', { optional: true })
  status?: Delivery['status'][];
}

@ArgsType()
class NestedDeliveriesWindow extends cursorPaged(DeliveryStatuses) {}

@Resolver(() => Webhook)
export class WebhookDeliveries {
  @FieldResolver(() => DeliveryConnection, { description: 'Deliveries to the webhook, newest first' })
  deliveriesConnection(
    @Ctx() { db }: Context,
    @Root() { id }: Webhook,
    @Args(() => NestedDeliveriesWindow) window: NestedDeliveriesWindow,
  ): Promise<DeliveryConnection> {
    return deliveriesOfWebhook.connection(db, id, window);
  }
}
