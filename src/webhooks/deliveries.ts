/** Lists, repeats and deletes the deliveries of a webhook. */
import { Prisma } from '../../prisma/generated/client';
import type { DeliveryModel } from '../../prisma/generated/models';
import type { Context } from '../context';
import { REPLAN_EACH_TIME } from '../database/connection';
import { eventBody, loadOutgoingEvents, type OutgoingEvent } from '../events/list';
import { ApiError } from '../platform/errors';
import { isId, newId } from '../platform/identifiers';
import { createdConditions } from '../schema/list';
import type { DeliveriesPage, Delivery, DeliveryAttempt, Redeliver } from './fields';
import { lockWebhook, type WebhookRow } from './rows';

type LoggedAttempt = Omit<DeliveryAttempt, 'date'> & { date: string };
type DeliveryRow = Pick<DeliveryModel, 'id' | 'event_id' | 'creation_date' | 'next_at'> & {
  status: Delivery['status'];
  log: LoggedAttempt[];
};

function toDelivery({ url }: WebhookRow, { id, log, ...row }: DeliveryRow, event: OutgoingEvent): Delivery {
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

/** Who verifies by the code has to have received it; an address that only repeats what it gets has not read it. */
function codeHider({ type, object }: OutgoingEvent): (text: string) => string {
  if (type !== 'verification') return text => text;
  const { verification_code } = JSON.parse(object) as { verification_code: string };
  return text => text.replaceAll(verification_code, '…');
}

export async function listDeliveries({ db }: Context, webhook: WebhookRow, page: DeliveriesPage): Promise<Delivery[]> {
  const { offset, limit, status, event_id } = page;
  if (event_id !== undefined && !isId(event_id)) return [];
  const where = [
    Prisma.sql`webhook_id = ${webhook.id}`,
    ...createdConditions(page),
    ...(event_id === undefined ? [] : [Prisma.sql`event_id = ${event_id}`]),
    ...(status === undefined ? [] : [Prisma.sql`status = ${status}`]),
  ];
  const rows = await db.$queryRaw<DeliveryRow[]>`
    ${REPLAN_EACH_TIME} select id, event_id, creation_date, next_at, status,
      array(
        select to_jsonb(a) - 'sequence' from delivery_attempts a where a.sequence = page.sequence order by number
      ) as log
    from (
      select id, sequence, event_id, creation_date, next_at, status from deliveries
      where ${Prisma.join(where, ' and ')}
      order by creation_date desc, sequence desc offset ${offset} limit ${limit}) page
    order by creation_date desc, sequence desc`;
  const events = await loadOutgoingEvents(
    db,
    rows.map(row => row.event_id),
  );
  const eventById = new Map(events.map(event => [event.id, event]));
  return rows.flatMap(row => {
    const event = eventById.get(row.event_id);
    return event ? [toDelivery(webhook, row, event)] : [];
  });
}

/** Sends the same event again, as a new delivery. */
export async function redeliver({ db }: Context, webhook: WebhookRow, delivery_id: string): Promise<Delivery> {
  const { id: webhook_id, status } = webhook;
  // An unverified webhook is allowed: its only delivery is the verification, which the merchant may need again.
  if (status === 'disabled') throw new ApiError('not_allowed', 'The webhook is disabled');
  const original = isId(delivery_id) ? await db.delivery.findUnique({ where: { id: delivery_id, webhook_id } }) : null;
  const [event] = original ? await loadOutgoingEvents(db, [original.event_id]) : [];
  if (!event) throw new ApiError('not_found');
  const data = { id: newId('delivery'), webhook_id, event_id: event.id };
  const created = await db.$transaction(async tx => {
    await lockWebhook(tx, webhook_id);
    return tx.delivery.create({ data });
  });
  return toDelivery(webhook, { ...created, status: 'pending', log: [] }, event);
}

/**
 * Sends again the events of the webhook's types, without verifications and tests. In small transactions, so that nobody
 * waits long.
 */
export async function redeliverRange(
  { db }: Context,
  { id, merchant_id, status, event_types }: WebhookRow,
  { from, to, before_creation }: Redeliver,
): Promise<number> {
  if (status !== 'verified') throw new ApiError('not_allowed', `The webhook is ${status}`);
  if (to < from) throw new ApiError('invalid_value', { field: 'to', problem: 'is before from' });
  let count = 0;
  let last: LastRedelivered | undefined = before_creation ? FIRST_EVENT : await creationOf(db, id);
  for (; last; count += last?.count ?? 0) last = await redeliverBatch(last);
  return count;

  function redeliverBatch({ xact, sequence }: LastRedelivered): Promise<LastRedelivered | undefined> {
    return db.$transaction(async tx => {
      await lockWebhook(tx, id);
      const [last] = await tx.$queryRaw<LastRedelivered[]>`
        with batch_events as (
          select id, xact, sequence from events
          where merchant_id = ${merchant_id} and (xact, sequence) > (${xact}::xid8, ${sequence})
            and creation_date between ${from} and ${to} and type not in ('verification', 'test')
            and (${event_types.length} = 0 or type = any (${event_types}))
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

/**
 * Among the events, a webhook was created where its verification was written. That is gone only where it is older than
 * all events that are kept.
 */
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

/**
 * Deletes a webhook and its deliveries, in small transactions so that nobody waits long; it is disabled first, so it
 * gets nothing new meanwhile. A transaction that holds one of the deliveries may need the webhook's row next, so the
 * locked deliveries are waited for one by one and before the webhook is touched.
 */
export async function deleteWebhook({ db }: Context, { id }: WebhookRow): Promise<void> {
  await db.webhook.updateMany({ where: { id }, data: { status: 'disabled' } });
  const deleteUnlocked = () => db.$executeRaw`
    delete from deliveries where id in (
      select id from deliveries where webhook_id = ${id} limit 1000 for update skip locked)`;
  const deleteLocked = () => db.$executeRaw`
    delete from deliveries where id in (select id from deliveries where webhook_id = ${id} limit 1 for update)`;
  while ((await deleteUnlocked()) > 0 || (await deleteLocked()) > 0);
  await db.webhook.deleteMany({ where: { id } });
}
