import type { DeliveryModel } from '../../../../prisma/generated/models';
import { eventBody } from '../../../events/list';
import type { OutgoingEvent } from '../../../events/rows';
import type { Order } from '../../../schema/connections/order';
import type { Delivery, DeliveryAttempt } from '../deliveryFields';
import type { WebhookRow } from '../rows';

type LoggedAttempt = Omit<DeliveryAttempt, 'date'> & { date: string };
export type DeliveryRow = Pick<DeliveryModel, 'id' | 'event_id' | 'creation_date' | 'next_at'> & {
  status: Delivery['status'];
  log: LoggedAttempt[];
};

export function toDelivery(
  { url }: Pick<WebhookRow, 'url'>,
  { id, log, ...row }: DeliveryRow,
  event: OutgoingEvent,
): Delivery {
  const hideCode = codeHider(event);
  return {
    id,
    event_id: event.id,
    event_type: event.type,
    status: row.status,
    creation_date: row.creation_date,
    next_attempt_date: row.next_at,
    attempts: log.map(({ date, answer, ...attempt }) => ({
      ...attempt,
      answer: answer && hideCode(answer),
      date: new Date(date),
    })),
    request: { url, body: hideCode(eventBody(event)) },
  };
}

/** Masks the verification code: only the endpoint that received the event may know it. */
function codeHider({ type, object }: OutgoingEvent): (text: string) => string {
  if (type !== 'verification') return text => text;
  const { verification_code } = JSON.parse(object) as { verification_code: string };
  return text => text.replaceAll(verification_code, '…');
}

/** In the order of the sequence, so that deliveries of the same moment keep their order. */
export type NumberedDelivery = Delivery & { sequence: bigint };

export const BY_SEQUENCE: Order<NumberedDelivery> = {
  name: 'delivery',
  by: ['creation_date', 'sequence'],
  kinds: ['moment', 'number'],
  placeOf: ({ creation_date, sequence }) => [creation_date, sequence],
};
