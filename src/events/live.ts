/** Events as they happen: asked for a few times a second, from where the reader stands, so a break in between loses nothing. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context';
import { ApiError } from '../errors';
import { isId } from '../identifiers';
import type { LiveFilters } from './fields';
import { EVENT_COLUMNS, type EventRow } from './list';

const PAUSE_MS = 200;
const BATCH = 100;

interface Place {
  xact: string;
  sequence: bigint;
}

type Asking = Pick<Context, 'db' | 'merchant_id'>;

export async function liveEvents(context: Asking, filters: LiveFilters): Promise<AsyncGenerator<EventRow>> {
  const place = await beginning(context, filters.after);
  const left = new AbortController();
  const events = from(place, context, filters, left.signal);
  const end = events.return.bind(events);
  // By itself a generator hears of it at its next event, which may never come.
  events.return = value => {
    left.abort();
    return end(value);
  };
  return events;
}

/** Until nobody reads any more. */
async function* from(
  start: Place,
  { db, merchant_id }: Asking,
  filters: LiveFilters,
  left: AbortSignal,
): AsyncGenerator<EventRow> {
  const { types = [], object_id = null } = filters;
  for (let place = start; !left.aborted; ) {
    const rows = await db.$queryRaw<(EventRow & Place)[]>`
      select ${EVENT_COLUMNS}, xact::text as xact, sequence from events
      where merchant_id = ${merchant_id} and (xact, sequence) > (${place.xact}::xid8, ${place.sequence}::bigint)
        and xact < pg_snapshot_xmin(pg_current_snapshot())
        and (${types.length} = 0 or type = any(${types})) and (${object_id}::text is null or object_id = ${object_id})
      order by xact, sequence limit ${BATCH}`;
    for (const { xact, sequence, ...event } of rows) {
      place = { xact, sequence };
      yield event;
    }
    if (rows.length < BATCH) await sleep(PAUSE_MS, undefined, { signal: left }).catch(() => undefined);
  }
}

/** Behind the event that was seen last; else whatever is not over yet. */
async function beginning({ db, merchant_id }: Asking, after: string | undefined): Promise<Place> {
  const [place] =
    after === undefined
      ? await db.$queryRaw<Place[]>`select pg_snapshot_xmin(pg_current_snapshot())::text as xact, 0::bigint as sequence`
      : await db.$queryRaw<Place[]>`
          select xact::text as xact, sequence from events where id = ${isId(after) ? after : ''} and merchant_id = ${merchant_id}`;
  if (!place) throw new ApiError('invalid_value', 'after is not an event that is known here');
  return place;
}
