import { Prisma } from '../../prisma/generated/client';
import { batched } from '../platform/database/batch';
import type { Database } from '../platform/database/connection';
import { idIn } from '../platform/database/rows';
import type { BoundedList } from '../schema/boundedList';
import type { Order } from '../schema/connections/order';
import { slicedSql } from '../schema/connections/rows';
import type { Slice } from '../schema/connections/window';
import type { Context } from '../schema/operation/context';
import { createdConditions } from '../schema/rows';
import type { EventFilters } from './fields';
import { parseEventType } from './parseType';

export interface EventRow {
  id: string;
  merchant_id: string;
  type: string;
  object_id: string;
  object: unknown;
  creation_date: Date;
}

/** Position of an event in the order of writing: its transaction, and its sequence within it. */
export interface EventPlace {
  xact_text: string;
  sequence: bigint;
}

export type PlacedRow = EventRow & EventPlace;

export const LAST_WRITTEN_FIRST: Order<EventPlace> = {
  name: 'event',
  by: ['xact', 'sequence'],
  kinds: ['xact', 'number'],
  placeOf: ({ xact_text, sequence }) => [BigInt(xact_text), sequence],
};

const EVENT_COLUMNS = Prisma.raw('id, merchant_id, type, object_id, object, creation_date');

/** The text is called otherwise than the column, or lists would be sorted by the text. */
export const PLACED_EVENT_COLUMNS = Prisma.raw(
  'id, merchant_id, type, object_id, object, creation_date, xact::text as xact_text, sequence',
);

/** An event whose object is the database's JSON text. It is sent as it is, so nothing has to parse it on the way. */
export interface OutgoingEvent {
  id: string;
  type: string;
  object_id: string;
  object: string;
  creation_date: Date;
}

export const OUTGOING_EVENT_COLUMNS = Prisma.raw('id, type, object_id, object::text as object, creation_date');

export const loadOutgoingEvents = (db: Context['db'], ids: string[]): Promise<OutgoingEvent[]> =>
  db.$queryRaw`select ${OUTGOING_EVENT_COLUMNS} from events where id ${idIn(ids)}`;

export function whereClause({ merchant_id }: Context, filters: EventFilters): Prisma.Sql {
  const { type, object_id } = filters;
  const conditions = [
    Prisma.sql`merchant_id = ${merchant_id}`,
    ...(type === undefined ? [] : [Prisma.sql`type = ${parseEventType('type', type)}`]),
    ...(object_id === undefined ? [] : [Prisma.sql`object_id = ${object_id}`]),
    ...createdConditions(filters),
  ];
  return Prisma.join(conditions, ' and ');
}

export function boundedList({ db }: Context, matching: Prisma.Sql, slice: Slice): BoundedList<PlacedRow> {
  const page = Prisma.sql`from ${matching} as event ${slicedSql(Prisma.sql`true`, slice)}`;
  return {
    limit: slice.take,
    read: () => db.$queryRaw`select ${PLACED_EVENT_COLUMNS} ${page}`,
    readIds: async () => (await db.$queryRaw<{ id: string }[]>`select id ${page}`).map(({ id }) => id),
    load: ids => db.$queryRaw`select ${PLACED_EVENT_COLUMNS} from events where id ${idIn(ids)}`,
    bytesOf: ({ object }) => Buffer.byteLength(JSON.stringify(object)) + EVENT_FRAME_BYTES,
  };
}

/** Approximate bytes of an event without its object. */
const EVENT_FRAME_BYTES = 200;

/**
 * A span of days is read by the index of dates and sorted then (`offset 0` keeps the planner from joining the two):
 * looked for in the order of writing, it might lie behind all that came later.
 */
export const matchingEvents = (filters: EventFilters, where: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(select * from events where ${where} ${createdConditions(filters).length === 2 ? Prisma.sql`offset 0` : Prisma.empty})`;

/** Only events that no open transaction can still precede. */
export const eventsAfter = (after: string, where: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(select * from events where ${where}
    and (xact, sequence) > (select xact, sequence from events where id = ${after})
    and xact < pg_snapshot_xmin(pg_current_snapshot()))`;

/** Maximum events for one reader. Low, because all readers share a statement, and an event may be large. */
export const MAX_BATCH_ROWS = 20;

export interface EventPosition {
  xact: string;
  sequence: bigint;
}

interface LiveEventsRequest {
  /** The ID of the reader. */
  id: string;
  merchant_id: string;
  xact: string;
  sequence: string;
  since: string | null;
  types: readonly string[];
  object_id: string | undefined;
}

interface LiveBatch {
  /** The ID of the reader. */
  id: string;
  /** The oldest open transaction: nothing can be added before it. */
  horizon: string;
  events: (EventRow & EventPosition)[];
}

export const loadEventsSince = batched(
  async (db, requests: readonly LiveEventsRequest[]): Promise<LiveBatch[]> => {
    const rows = await db.$queryRaw<(EventRow & EventPosition & { reader_id: string; horizon: string })[]>`
      select request.id as reader_id, snapshot.horizon::text as horizon, e.*
      from jsonb_to_recordset(${JSON.stringify(requests)}::jsonb)
          as request (id text, merchant_id varchar, xact text, sequence bigint, since pg_snapshot, types text[], object_id varchar)
        cross join (select pg_snapshot_xmin(pg_current_snapshot()) as horizon) as snapshot
        left join lateral (
          select ${EVENT_COLUMNS}, xact::text as xact, sequence from events
          where merchant_id = request.merchant_id
            and (events.xact, events.sequence) > (request.xact::xid8, request.sequence)
            and events.xact < snapshot.horizon
            and (request.since is null or not pg_visible_in_snapshot(events.xact, request.since))
            and (cardinality(request.types) = 0 or type = any(request.types))
            and (request.object_id is null or object_id = request.object_id)
          order by events.xact, events.sequence limit ${MAX_BATCH_ROWS}) as e on true`;
    const batches = new Map<string, LiveBatch>();
    for (const { reader_id, horizon, ...event } of rows) {
      const batch = batches.get(reader_id) ?? { id: reader_id, horizon, events: [] };
      batches.set(reader_id, batch);
      if (event.id !== null) batch.events.push(event);
    }
    return [...batches.values()];
  },
  ({ id }) => id,
);

/** Begins with the oldest open transaction, before a colon. */
export async function currentSnapshot(db: Database): Promise<string> {
  const [snapshot] = await db.$queryRaw<{ since: string }[]>`select pg_current_snapshot()::text as since`;
  return snapshot?.since ?? '';
}

export async function positionOf(db: Database, merchant_id: string, id: string): Promise<EventPosition | undefined> {
  const [position] = await db.$queryRaw<EventPosition[]>`
    select xact::text as xact, sequence from events where id = ${id} and merchant_id = ${merchant_id}`;
  return position;
}
