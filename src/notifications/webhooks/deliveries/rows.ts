import { Prisma } from '../../../../prisma/generated/client';
import { loadOutgoingEvents } from '../../../events/rows';
import { type Database, REPLAN_EACH_TIME } from '../../../platform/database/connection';
import { idIn } from '../../../platform/database/rows';
import { isId } from '../../../platform/identifiers';
import type { BoundedList } from '../../../schema/boundedList';
import { slicedSql } from '../../../schema/connections/rows';
import type { Slice } from '../../../schema/connections/window';
import type { Context } from '../../../schema/operation/context';
import { createdConditions } from '../../../schema/rows';
import type { DeliveriesArgs, DeliveriesConnectionArgs } from '../deliveryFields';
import type { WebhookRow } from '../rows';
import { type DeliveryRow, type NumberedDelivery, toDelivery } from './view';

export function conditionsOf({ id }: WebhookRow, filters: DeliveriesArgs | DeliveriesConnectionArgs): Prisma.Sql {
  const { status, event_id } = filters;
  const conditions = [
    Prisma.sql`webhook_id = ${id}`,
    ...createdConditions(filters),
    ...(event_id === undefined ? [] : [isId(event_id) ? Prisma.sql`event_id = ${event_id}` : Prisma.sql`false`]),
    ...(status === undefined ? [] : [Prisma.sql`status = ${status}`]),
  ];
  return Prisma.join(conditions, ' and ');
}

export function boundedList(
  { db }: Context,
  webhook: WebhookRow,
  conditions: Prisma.Sql,
  slice: Slice,
): BoundedList<NumberedDelivery> {
  const page = slicedSql(conditions, slice);
  const readIds = async (): Promise<string[]> =>
    (await db.$queryRaw<{ id: string }[]>`${REPLAN_EACH_TIME} select id from deliveries ${page}`).map(({ id }) => id);
  return {
    limit: slice.take,
    read: async () => loadDeliveries(db, webhook, await readIds()),
    readIds,
    load: ids => loadDeliveries(db, webhook, ids),
    bytesOf: ({ sequence: _, ...delivery }) => Buffer.byteLength(JSON.stringify(delivery)),
  };
}

/** Attempts of the delivery with this alias. */
export const attemptsOf = (alias: string): Prisma.Sql =>
  Prisma.raw(`array(
    select to_jsonb(a) - 'sequence' from delivery_attempts a where a.sequence = ${alias}.sequence order by number)`);

/** In ID order. */
async function loadDeliveries(db: Context['db'], webhook: WebhookRow, ids: string[]): Promise<NumberedDelivery[]> {
  const rows = await db.$queryRaw<(DeliveryRow & { sequence: bigint })[]>`
    select id, event_id, creation_date, next_at, status, sequence, ${attemptsOf('deliveries')} as log
    from deliveries where id ${idIn(ids)}`;
  const events = await loadOutgoingEvents(
    db,
    rows.map(row => row.event_id),
  );
  const eventById = new Map(events.map(event => [event.id, event]));
  const rowById = new Map(rows.map(row => [row.id, row]));
  return ids.flatMap(id => {
    const row = rowById.get(id);
    const event = row && eventById.get(row.event_id);
    return row && event ? [{ ...toDelivery(webhook, row, event), sequence: row.sequence }] : [];
  });
}

const MAX_BATCH_ROWS = 1000;

/** Locks deliveries before their queue rows, in the same order as the writer of attempts. */
export const emptyQueue = (db: Prisma.TransactionClient, id: string): Promise<number> => db.$executeRaw`
  with locked as (
    select sequence from deliveries where id in (
      select delivery_id from delivery_queue where webhook_id = ${id} order by sequence limit ${MAX_BATCH_ROWS})
    order by id for update
  ), unqueued as (
    delete from delivery_queue where webhook_id = ${id} and sequence = any(array(select sequence from locked))
    returning delivery_id
  )
  update deliveries set status = 'failed', next_at = null where id in (select delivery_id from unqueued)`;

/** Waits for transactions that insert deliveries. */
export const lockWebhookExclusively = (db: Database, id: string): Prisma.PrismaPromise<unknown> =>
  db.$queryRaw`select from webhooks where id = ${id} for update`;

export const deleteVerifications = (db: Prisma.TransactionClient, id: string): Promise<number> => db.$executeRaw`
  delete from deliveries where id = any(array(
    select id from deliveries where webhook_id = ${id}
      and event_id in (select id from events where object_id = ${id} and type = 'verification')
    order by id for update))`;

/** Deletes up to a thousand unlocked deliveries. */
export const deleteUnlocked = (db: Database, id: string): Promise<number> => db.$executeRaw`
  delete from deliveries where id in (
    select id from deliveries where webhook_id = ${id} limit 1000 for update skip locked)`;

/** Deletes one delivery, and waits for its lock. */
export const deleteLocked = (db: Database, id: string): Promise<number> => db.$executeRaw`
  delete from deliveries where id in (select id from deliveries where webhook_id = ${id} limit 1 for update)`;

interface EventRange {
  merchant_id: string;
  event_types: string[];
  from: Date;
  to: Date;
}

const eventsAfter = (
  { merchant_id, event_types, from, to }: EventRange,
  { xact, sequence }: LastRedelivered,
): Prisma.Sql => Prisma.sql`from events
  where merchant_id = ${merchant_id} and (xact, sequence) > (${xact}::xid8, ${sequence})
    and creation_date between ${from} and ${to} and type not in ('verification', 'test')
    and (${event_types.length} = 0 or type = any (${event_types}))`;

/** Counts up to a limit. */
export async function countEvents(
  db: Database,
  range: EventRange,
  start: LastRedelivered,
  limit: number,
): Promise<number> {
  const [events] = await db.$queryRaw<{ count: number }[]>`
    select count(*)::integer as count from (select ${eventsAfter(range, start)} limit ${limit}) as events`;
  return events?.count ?? 0;
}

export async function redeliverNext(
  tx: Prisma.TransactionClient,
  webhook_id: string,
  range: EventRange,
  position: LastRedelivered,
): Promise<LastRedelivered | undefined> {
  const [last] = await tx.$queryRaw<LastRedelivered[]>`
    with batch_events as (
      select id, xact, sequence ${eventsAfter(range, position)}
      order by xact, sequence limit 1000
    ), new_deliveries as (
      insert into deliveries (id, webhook_id, event_id)
      select new_delivery_id(), ${webhook_id}, id from batch_events order by xact, sequence
    )
    select xact::text as xact, sequence, (select count(*)::integer from batch_events) as count from batch_events
    order by batch_events.xact desc, sequence desc limit 1`;
  return last;
}

export const FIRST_EVENT: LastRedelivered = { xact: '0', sequence: 0n, count: 0 };

/** The position of a webhook among the events is that of its verification, unless that event has been deleted. */
export async function creationOf(db: Database, webhook_id: string): Promise<LastRedelivered> {
  const [creation] = await db.$queryRaw<LastRedelivered[]>`
    select xact::text as xact, sequence, 0 as count from events
    where object_id = ${webhook_id} and type = 'verification' order by events.xact, sequence limit 1`;
  return creation ?? FIRST_EVENT;
}

/** Position of the last event of a batch, and size of the batch. */
export interface LastRedelivered {
  xact: string;
  sequence: bigint;
  count: number;
}
