/** Sends events to a webhook once more, as new deliveries. */
import { loadOutgoingEvents } from '../../../events/rows';
import { takeQuota } from '../../../platform/database/quota';
import { ApiError } from '../../../platform/errors';
import { isId, newId } from '../../../platform/identifiers';
import type { Context } from '../../../schema/operation/context';
import type { Delivery, Redeliver } from '../deliveryFields';
import { lockWebhook, type WebhookRow } from '../rows';
import { countEvents, creationOf, FIRST_EVENT, type LastRedelivered, redeliverNext } from './rows';
import { toDelivery } from './view';

/** Per merchant. One request can create thousands of deliveries, which delay those of other merchants. */
const MAX_REDELIVERIES_PER_HOUR = 100_000;
const redeliveries = ({ merchant_id }: WebhookRow) => ({
  merchant_id,
  name: 'redeliveries',
  problem: 'hourly_redeliveries' as const,
  max: MAX_REDELIVERIES_PER_HOUR,
});

export async function redeliver({ db }: Context, webhook: WebhookRow, delivery_id: string): Promise<Delivery> {
  const { id: webhook_id } = webhook;
  const original = isId(delivery_id) ? await db.delivery.findUnique({ where: { id: delivery_id, webhook_id } }) : null;
  const [event] = original ? await loadOutgoingEvents(db, [original.event_id]) : [];
  if (!event) throw new ApiError('not_found');
  const data = { id: newId('delivery'), webhook_id, event_id: event.id };
  const created = await db.$transaction(async tx => {
    await takeQuota(tx, redeliveries(webhook));
    await lockWebhook(tx, webhook_id, event.type);
    return tx.delivery.create({ data });
  });
  return toDelivery(webhook, { ...created, status: 'pending', log: [] }, event);
}

/**
 * Redelivers the events of the webhook's types, without verifications and tests: all of them, or none if they exceed
 * the quota. In small transactions, so that no other request waits long.
 */
export async function redeliverRange(
  { db }: Context,
  webhook: WebhookRow,
  { from, to, before_creation }: Redeliver,
): Promise<number> {
  const { id, merchant_id, status, event_types } = webhook;
  if (status !== 'verified') throw new ApiError('not_allowed', 'webhook_status', { status });
  if (to < from) throw new ApiError('invalid_value', 'before_from', { field: 'to' });
  const start = before_creation ? FIRST_EVENT : await creationOf(db, id);
  const range = { merchant_id, event_types, from, to };
  const total = await countEvents(db, range, start, MAX_REDELIVERIES_PER_HOUR + 1);
  if (total > MAX_REDELIVERIES_PER_HOUR)
    throw new ApiError('invalid_value', 'too_many_events', { field: 'to', max: MAX_REDELIVERIES_PER_HOUR });
  await takeQuota(db, redeliveries(webhook), total);
  let count = 0;
  for (let last: LastRedelivered | undefined = start; last; count += last?.count ?? 0) {
    const position: LastRedelivered = last;
    last = await db.$transaction(async tx => {
      await lockWebhook(tx, id, 'any');
      return redeliverNext(tx, id, range, position);
    });
  }
  return count;
}
