/**
 * Events in the order of their database transactions, because dates depend on test clocks. With `after`, a page ends before
 * the oldest open transaction, so that no event can appear later at a position that a reader has passed.
 */
import { formatMoment } from '../../workflows/calendar';
import { ApiError } from '../platform/errors';
import { isId } from '../platform/identifiers';
import { readFitting, readPage } from '../schema/boundedList';
import { toConnection } from '../schema/connections/connection';
import { ascending } from '../schema/connections/order';
import { countRecords } from '../schema/connections/rows';
import { pageSlice, sliceOf } from '../schema/connections/window';
import type { Context } from '../schema/operation/context';
import type { Event, EventConnection, EventsArgs, EventsConnectionArgs } from './fields';
import {
  boundedList,
  type EventPlace,
  type EventRow,
  eventsAfter,
  LAST_WRITTEN_FIRST,
  matchingEvents,
  type OutgoingEvent,
  type PlacedRow,
  whereClause,
} from './rows';
import { EVENTS, type EventType } from './types';

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

/** With `after` a page may end early, since the next one begins after its last event. */
export async function listEvents(context: Context, { after, ...page }: EventsArgs): Promise<Event[]> {
  const where = whereClause(context, page);
  if (after !== undefined) await requireEvent(context, after);
  const slice = { ...pageSlice(page), order: after === undefined ? LAST_WRITTEN_FIRST : ascending(LAST_WRITTEN_FIRST) };
  const matching = after === undefined ? matchingEvents(page, where) : eventsAfter(after, where);
  const list = boundedList(context, matching, slice);
  const rows = after === undefined ? await readPage(context, list) : (await readFitting(context, list)).records;
  return rows.map(toEvent);
}

export async function eventConnection(context: Context, window: EventsConnectionArgs): Promise<EventConnection> {
  const where = whereClause(context, window);
  const list = boundedList(context, matchingEvents(window, where), sliceOf(window, LAST_WRITTEN_FIRST));
  const { records, isCut } = await readFitting(context, list);
  const readTotal = () => countRecords(context.db, 'events', where);
  return toConnection(window, records.map(toPlacedEvent), readTotal, { isCut, order: LAST_WRITTEN_FIRST });
}

async function requireEvent({ db, merchant_id }: Context, id: string): Promise<void> {
  const event = isId(id) ? await db.event.findUnique({ where: { id, merchant_id }, select: { id: true } }) : null;
  if (!event) throw new ApiError('invalid_value', 'unknown_event', { field: 'after' });
}

export async function findEvent({ db, merchant_id }: Context, id: string): Promise<EventRow> {
  const row = isId(id) ? await db.event.findUnique({ where: { id, merchant_id } }) : null;
  if (!row) throw new ApiError('not_found');
  return row;
}
