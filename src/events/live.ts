/** Events as they happen: asked for a few times a second, from where the reader stands, so a break in between loses nothing. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context';
import { batched } from '../database/batch';
import { ApiError } from '../platform/errors';
import { isId } from '../platform/identifiers';
import type { LiveFilters } from './fields';
import { EVENT_COLUMNS, type EventRow } from './list';
import { parseEventType } from './types';

const POLL_MS = 200;
const MAX_BATCH_ROWS = 100;

interface EventPosition {
  xact: string;
  sequence: bigint;
}

interface LiveRequest {
  id: string;
  merchant_id: string;
  xact: string;
  sequence: string;
  types: readonly string[];
  object_id: string | undefined;
}

/** Up to where nothing can be written any more, and what there is until then. */
interface LiveBatch {
  id: string;
  horizon: string;
  events: (EventRow & EventPosition)[];
}

type LiveContext = Pick<Context, 'db' | 'merchant_id'>;

export async function liveEvents(context: LiveContext, filters: LiveFilters): Promise<AsyncGenerator<EventRow>> {
  const types = filters.types?.map(parseEventType) ?? [];
  const place = await beginning(context, filters.after);
  const left = new AbortController();
  const events = followEvents(place, context, { ...filters, types }, left.signal);
  const end = events.return.bind(events);
  // By itself a generator hears of it at its next event, which may never come.
  events.return = value => {
    left.abort();
    return end(value);
  };
  return events;
}

/** Until nobody reads any more. */
async function* followEvents(
  start: EventPosition,
  { db, merchant_id }: LiveContext,
  { types = [], object_id }: LiveFilters,
  left: AbortSignal,
): AsyncGenerator<EventRow> {
  const id = randomUUID();
  for (let place = start; !left.aborted; ) {
    const { xact, sequence } = place;
    const told = await eventsSince(db, { id, merchant_id, xact, sequence: `${sequence}`, types, object_id });
    const events = told?.events ?? [];
    for (const { xact, sequence, ...event } of events) {
      place = { xact, sequence };
      yield event;
    }
    if (events.length === MAX_BATCH_ROWS) continue;
    // What was passed over is not looked at again.
    if (told) place = { xact: told.horizon, sequence: 0n };
    await tick(left);
  }
}

/** All readers of a process ask together. */
const tick = (left: AbortSignal): Promise<unknown> =>
  sleep(POLL_MS - (Date.now() % POLL_MS), undefined, { signal: left }).catch(() => undefined);

const eventsSince = batched(
  async (db, asked: readonly LiveRequest[]): Promise<LiveBatch[]> => {
    const rows = await db.$queryRaw<(EventRow & EventPosition & { asker: string; horizon: string })[]>`
      select asked.id as asker, now.horizon::text as horizon, e.*
      from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
          as asked (id text, merchant_id varchar, xact text, sequence bigint, types text[], object_id varchar)
        cross join (select pg_snapshot_xmin(pg_current_snapshot()) as horizon) as now
        left join lateral (
          select ${EVENT_COLUMNS}, xact::text as xact, sequence from events
          where merchant_id = asked.merchant_id and (events.xact, events.sequence) > (asked.xact::xid8, asked.sequence)
            and events.xact < now.horizon
            and (cardinality(asked.types) = 0 or type = any(asked.types)) and (asked.object_id is null or object_id = asked.object_id)
          order by events.xact, events.sequence limit ${MAX_BATCH_ROWS}) as e on true`;
    const told = new Map<string, LiveBatch>();
    for (const { asker, horizon, ...event } of rows) {
      const one = told.get(asker) ?? { id: asker, horizon, events: [] };
      told.set(asker, one);
      if (event.id !== null) one.events.push(event);
    }
    return [...told.values()];
  },
  ({ id }) => id,
);

/** Behind the event that was seen last; else whatever is not over yet. */
async function beginning({ db, merchant_id }: LiveContext, after: string | undefined): Promise<EventPosition> {
  const [place] =
    after === undefined
      ? await db.$queryRaw<
          EventPosition[]
        >`select pg_snapshot_xmin(pg_current_snapshot())::text as xact, 0::bigint as sequence`
      : await db.$queryRaw<EventPosition[]>`
          select xact::text as xact, sequence from events where id = ${isId(after) ? after : ''} and merchant_id = ${merchant_id}`;
  if (!place) throw new ApiError('invalid_value', 'after is not an event that is known here');
  return place;
}
