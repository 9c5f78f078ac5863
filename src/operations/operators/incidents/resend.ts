/** Resends an event to the webhook of a delivery, or to all subscribed webhooks of the merchant. */
import type { EventModel, WebhookModel } from '../../../../prisma/generated/models';
import { lockWebhook } from '../../../notifications/webhooks/rows';
import { ApiError } from '../../../platform/errors';
import type { ChangePlan, ChangeRequest, PlannedResolution } from './plannedChange';

type ResentEvent = Pick<EventModel, 'id' | 'type' | 'merchant_id' | 'object_id'>;
type Receiver = Pick<WebhookModel, 'id' | 'url' | 'status' | 'event_types'>;

const EVENT = { id: true, type: true, merchant_id: true, object_id: true } as const;
const RECEIVER = { id: true, url: true, status: true, event_types: true } as const;

export const resend: ChangePlan = async request => {
  const { db, id } = request;
  const delivery = await db.delivery.findUnique({
    where: { id },
    select: { event: { select: EVENT }, webhook: { select: RECEIVER } },
  });
  if (delivery) return planResending(request, delivery.event, [delivery.webhook]);
  const event = await db.event.findUnique({ where: { id }, select: EVENT });
  if (!event) throw new ApiError('not_found', 'unknown_delivery', { id });
  const webhooks = await db.webhook.findMany({
    where: { merchant_id: event.merchant_id, status: 'verified' },
    select: RECEIVER,
  });
  const isSubscribed = ({ event_types }: Receiver): boolean =>
    event_types.length === 0 || event_types.includes(event.type);
  // Verifications and tests have one webhook.
  const isForOne = event.type === 'verification' || event.type === 'test';
  const receivers = webhooks.filter(webhook => (isForOne ? webhook.id === event.object_id : isSubscribed(webhook)));
  return planResending(request, event, receivers);
};

function planResending(
  { id: object_id, newId }: ChangeRequest,
  event: ResentEvent,
  webhooks: Receiver[],
): PlannedResolution {
  if (webhooks.length === 0) throw new ApiError('not_allowed', 'no_receiver', { type: event.type, id: event.id });
  const refused = webhooks.find(
    ({ status }) => status === 'disabled' || (status === 'unverified' && event.type !== 'verification'),
  );
  if (refused) throw new ApiError('not_allowed', 'receiver_status', { id: refused.id, status: refused.status });
  const created = webhooks.map(({ id, url }) => ({ id: newId('delivery'), webhook_id: id, url }));
  return {
    action: 'event.resent',
    object_id,
    merchant_id: event.merchant_id,
    steps: created.map(({ webhook_id, url }) => ({
      en: `The event ${event.id} (${event.type}) is sent again to ${new URL(url).host}, webhook ${webhook_id}.`,
      es: `El evento ${event.id} (${event.type}) se envía de nuevo a ${new URL(url).host}, webhook ${webhook_id}.`,
    })),
    details: { event_id: event.id, deliveries: created.map(({ id }) => id) },
    write: async tx => {
      for (const { id, webhook_id } of created) {
        await lockWebhook(tx, webhook_id, event.type);
        await tx.delivery.create({ data: { id, webhook_id, event_id: event.id } });
      }
    },
  };
}
