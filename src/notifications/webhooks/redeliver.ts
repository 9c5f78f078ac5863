import { Prisma } from '../../../prisma/generated/client';
import { loadOutgoingEvents } from '../../events/list';
import { takeQuota } from '../../platform/database/quota';
import { ApiError } from '../../platform/errors';
import { isId, newId } from '../../platform/identifiers';
import type { Context } from '../../schema/operation/context';
import { toDelivery } from './deliveries';
import type { Delivery, Redeliver } from './deliveryFields';
import { lockWebhook, type WebhookRow } from './rows';

/** Limit per merchant: one cheap request can create thousands of deliveries, which would delay other merchants. */
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

/** Redelivers all matching events, or none if the quota is exceeded, without verifications and tests, in small transactions. */
export async function redeliverRange(
  { db }: Context,
  webhook: WebhookRow,
  { from, to, before_creation }: Redeliver,
): Promise<number> {
  const { id, merchant_id, status, event_types } = webhook;
  if (status !== 'verified') throw new ApiError('not_allowed', 'webhook_status', { status });
  if (to < from) throw new ApiError('invalid_value', 'before_from', { field: 'to' });
  const start = before_creation ? FIRST_EVENT : await creationOf(db, id);
  await takeQuota(db, redeliveries(webhook), await countEvents());
  let count = 0;
  for (let last: LastRedelivered | undefined = start; last; count += last?.count ?? 0)
    last = await redeliverBatch(last);
  return count;

  function eventsAfter({ xact, sequence }: LastRedelivered): Prisma.Sql {
    return Prisma.sql`from events
      where merchant_id = ${merchant_id} and (xact, sequence) > (${xact}::xid8, ${sequence})
        and creation_date between ${from} and ${to} and type not in ('verification', 'test')
        and (${event_types.length} = 0 or type = any (${event_types}))`;
  }

  async function countEvents(): Promise<number> {
    const [events] = await db.$queryRaw<{ count: number }[]>`
      select count(*)::integer as count
      from (select ${eventsAfter(start)} limit ${MAX_REDELIVERIES_PER_HOUR + 1}) as events`;
    const count = events?.count ?? 0;
    if (count > MAX_REDELIVERIES_PER_HOUR)
      throw new ApiError('invalid_value', 'too_many_events', { field: 'to', max: MAX_REDELIVERIES_PER_HOUR });
    return count;
  }

  function redeliverBatch(position: LastRedelivered): Promise<LastRedelivered | undefined> {
    return db.$transaction(async tx => {
      await lockWebhook(tx, id, 'any');
      const [last] = await tx.$queryRaw<LastRedelivered[]>`
        with batch_events as (
          select id, xact, sequence ${eventsAfter(position)}
          order by xact, sequence limit 1000
        ), new_deliveries as (
          insert into deliveries (id, webhook_id, event_id)
          select new_delivery_id(), ${id}, id from batch_events order by xact, sequence
        )
        select xact::text as xact, sequence, (select count(*)::integer from batch_events) as count from batch_events
        order by batch_events.xact desc, sequence desc limit 1`;
      return last;
    });
  }
}

const FIRST_EVENT: LastRedelivered = { xact: '0', sequence: 0n, count: 0 };

/** A webhook begins with its verification event, which is missing only if it is older than all stored events. */
async function creationOf(db: Context['db'], webhook_id: string): Promise<LastRedelivered> {
  const [creation] = await db.$queryRaw<LastRedelivered[]>`
    select xact::text as xact, sequence, 0 as count from events
    where object_id = ${webhook_id} and type = 'verification' order by events.xact, sequence limit 1`;
  return creation ?? FIRST_EVENT;
}

/** The position of the last event of a batch, and the size of the batch. */
interface LastRedelivered {
  xact: string;
  sequence: bigint;
  count: number;
}
