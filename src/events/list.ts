/**
 * Events in the order of their database transactions, because dates depend on test clocks. With `after`, a page ends before
 * the oldest open transaction, so that no event can appear later at a position that a reader has passed.
 */
import { Prisma } from '../../prisma/generated/client';
import { formatMoment } from '../../workflows/calendar';
import { idIn } from '../platform/database/rows';
import { ApiError } from '../platform/errors';
import { isId } from '../platform/identifiers';
import { type BoundedList, readFitting, readPage } from '../schema/boundedList';
import { toConnection } from '../schema/connections/connection';
import { ascending, type Order } from '../schema/connections/order';
import { countRecords } from '../schema/connections/total';
import { pageSlice, type Slice, slicedSql, sliceOf } from '../schema/connections/window';
import { createdConditions } from '../schema/list';
import type { Context } from '../schema/operation/context';
import type { Event, EventConnection, EventFilters, EventsPage, EventsWindow } from './fields';
import { parseEventType } from './parseType';
import { EVENTS, type EventType } from './types';

export interface EventRow {
  id: string;
  merchant_id: string;
  type: string;
  object_id: string;
  object: unknown;
  creation_date: Date;
}

/** The transaction that wrote the event, and the position within it. */
interface EventPlace {
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

export const EVENT_COLUMNS = Prisma.raw('id, merchant_id, type, object_id, object, creation_date');

/** The text has another name than the column, so that lists are sorted by the column. */
export const PLACED_EVENT_COLUMNS = Prisma.raw(
  'id, merchant_id, type, object_id, object, creation_date, xact::text as xact_text, sequence',
);

const subjectOf = (type: string) => EVENTS[type as EventType].subject;

/** Omits the code of a verification, which proves that the webhook's URL was reached. */
export const toEvent = ({ id, type, creation_date, object_id, object }: EventRow): Event => ({
  id,
  type,
  event_date: creation_date,
  object_id,
  [subjectOf(type)]: type === 'verification' ? { id: object_id } : (object as Record<string, unknown>),
});

export const toPlacedEvent = (row: PlacedRow): Event & EventPlace => ({
  ...toEvent(row),
  xact_text: row.xact_text,
  sequence: row.sequence,
});

/** An event whose object is the JSON text from the database, sent without parsing. */
export interface OutgoingEvent {
  id: string;
  type: string;
  object_id: string;
  object: string;
  creation_date: Date;
}

export const OUTGOING_EVENT_COLUMNS = Prisma.raw('id, type, object_id, object::text as object, creation_date');

let [cachedSecond, cachedText] = [Number.NaN, ''];
/** Caches the last result, because many events happen in the same second. */
function formatSecond(moment: Date): string {
  const second = Math.floor(moment.getTime() / 1000);
  if (second !== cachedSecond) [cachedSecond, cachedText] = [second, formatMoment(second * 1000)];
  return cachedText;
}

export const eventBody = ({ id, type, creation_date, object }: OutgoingEvent): string => {
  const content = type === 'verification' ? object.slice(1, -1) : `"${subjectOf(type)}":${object}`;
  return `{"id":"${id}","type":"${type}","event_date":"${formatSecond(creation_date)}",${content}}`;
};

export const loadOutgoingEvents = (db: Context['db'], ids: string[]): Promise<OutgoingEvent[]> =>
  db.$queryRaw`select ${OUTGOING_EVENT_COLUMNS} from events where id ${idIn(ids)}`;

function whereClause({ merchant_id }: Context, filters: EventFilters): Prisma.Sql {
  const { type, object_id } = filters;
  const conditions = [
    Prisma.sql`merchant_id = ${merchant_id}`,
    ...(type === undefined ? [] : [Prisma.sql`type = ${parseEventType('type', type)}`]),
    ...(object_id === undefined ? [] : [Prisma.sql`object_id = ${object_id}`]),
    ...createdConditions(filters),
  ];
  return Prisma.join(conditions, ' and ');
}

/** With `after` a page may end early, because the next one begins after its last event. */
export async function listEvents(context: Context, { after, ...page }: EventsPage): Promise<Event[]> {
  const where = whereClause(context, page);
  if (after !== undefined) await requireEvent(context, after);
  const slice = { ...pageSlice(page), order: after === undefined ? LAST_WRITTEN_FIRST : ascending(LAST_WRITTEN_FIRST) };
  const matching = after === undefined ? matchingEvents(page, where) : eventsAfter(after, where);
  const list = boundedList(context, matching, slice);
  const rows = after === undefined ? await readPage(context, list) : (await readFitting(context, list)).records;
  return rows.map(toEvent);
}

export async function eventConnection(context: Context, window: EventsWindow): Promise<EventConnection> {
  const where = whereClause(context, window);
  const list = boundedList(context, matchingEvents(window, where), sliceOf(window, LAST_WRITTEN_FIRST));
  const { records, isCut } = await readFitting(context, list);
  const readTotal = () => countRecords(context.db, 'events', where);
  return toConnection(window, records.map(toPlacedEvent), readTotal, { isCut, order: LAST_WRITTEN_FIRST });
}

function boundedList({ db }: Context, matching: Prisma.Sql, slice: Slice): BoundedList<PlacedRow> {
  const page = Prisma.sql`from ${matching} as event ${slicedSql(Prisma.sql`true`, slice)}`;
  return {
    limit: slice.take,
    read: () => db.$queryRaw`select ${PLACED_EVENT_COLUMNS} ${page}`,
    readIds: async () => (await db.$queryRaw<{ id: string }[]>`select id ${page}`).map(({ id }) => id),
    load: ids => db.$queryRaw`select ${PLACED_EVENT_COLUMNS} from events where id ${idIn(ids)}`,
    bytesOf: ({ object }) => Buffer.byteLength(JSON.stringify(object)) + EVENT_FRAME_BYTES,
  };
}

/** Approximate size of an event without its object. */
const EVENT_FRAME_BYTES = 200;

/**
 * A range of days is read by the index of dates and then sorted (`offset 0` keeps the planner from merging the two). In
 * writing order, the events might lie behind all later ones.
 */
const matchingEvents = (filters: EventFilters, where: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(select * from events where ${where} ${createdConditions(filters).length === 2 ? Prisma.sql`offset 0` : Prisma.empty})`;

/** Excludes events that an open transaction could still precede. */
const eventsAfter = (after: string, where: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(select * from events where ${where}
    and (xact, sequence) > (select xact, sequence from events where id = ${after})
    and xact < pg_snapshot_xmin(pg_current_snapshot()))`;

async function requireEvent({ db, merchant_id }: Context, id: string): Promise<void> {
  const event = isId(id) ? await db.event.findUnique({ where: { id, merchant_id }, select: { id: true } }) : null;
  if (!event) throw new ApiError('invalid_value', 'unknown_event', { field: 'after' });
}

export async function findEvent({ db, merchant_id }: Context, id: string): Promise<EventRow> {
  const row = isId(id) ? await db.event.findUnique({ where: { id, merchant_id } }) : null;
  if (!row) throw new ApiError('not_found');
  return row;
}
