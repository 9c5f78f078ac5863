/** Live events, polled a few times per second from the reader's position, so that an interruption loses no event. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { batched } from '../platform/database/batch';
import { ApiError } from '../platform/errors';
import { isId } from '../platform/identifiers';
import type { Context } from '../schema/operation/context';
import type { LiveFilters } from './fields';
import { EVENT_COLUMNS, type EventRow } from './list';
import { parseEventType } from './parseType';

const POLL_INTERVAL_MS = 200;
/** Rows per reader. Few, because all readers share a statement, and an event may be large. */
const MAX_BATCH_ROWS = 20;

interface EventPosition {
  xact: string;
  sequence: bigint;
}

interface LiveStart {
  position: EventPosition;
  /** The database snapshot at the start; null for a reader that resumes after an event. */
  since: string | null;
}

interface LiveEventsRequest {
  /** ID of the reader. */
  id: string;
  merchant_id: string;
  xact: string;
  sequence: string;
  since: string | null;
  types: readonly string[];
  object_id: string | undefined;
}

interface LiveBatch {
  /** ID of the reader. */
  id: string;
  /** The oldest open transaction: no event can be added before it. */
  horizon: string;
  events: (EventRow & EventPosition)[];
}

type LiveContext = Pick<Context, 'db' | 'merchant_id'>;

export async function liveEvents(context: LiveContext, filters: LiveFilters): Promise<AsyncGenerator<EventRow>> {
  const types = filters.types?.map(name => parseEventType('types', name)) ?? [];
  const start = await startOf(context, filters.after);
  const disconnect = new AbortController();
  const events = followEvents(start, context, { ...filters, types }, disconnect.signal);
  const endGenerator = events.return.bind(events);
  // A generator returns only at its next event, which may never come.
  events.return = value => {
    disconnect.abort();
    return endGenerator(value);
  };
  return events;
}

async function* followEvents(
  start: LiveStart,
  { db, merchant_id }: LiveContext,
  { types = [], object_id }: LiveFilters,
  disconnected: AbortSignal,
): AsyncGenerator<EventRow> {
  const id = randomUUID();
  for (let { position } = start; !disconnected.aborted; ) {
    const { xact, sequence } = position;
    const from = { xact, sequence: `${sequence}`, since: start.since };
    const batch = await loadEventsSince(db, { id, merchant_id, ...from, types, object_id });
    const events = batch?.events ?? [];
    for (const { xact, sequence, ...event } of events) {
      position = { xact, sequence };
      yield event;
    }
    if (events.length === MAX_BATCH_ROWS) continue;
    // Do not read the events that the filters excluded again.
    if (batch) position = { xact: batch.horizon, sequence: 0n };
    await nextPoll(disconnected);
  }
}

/** Aligned to the clock, so that all readers of a process poll together and share one SQL statement. */
const nextPoll = (disconnected: AbortSignal): Promise<unknown> =>
  sleep(POLL_INTERVAL_MS - (Date.now() % POLL_INTERVAL_MS), undefined, { signal: disconnected }).catch(() => undefined);

const loadEventsSince = batched(
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

/**
 * After the reader's last event, or from now. The oldest open transaction may be older than existing events, so the
 * snapshot excludes these.
 */
async function startOf({ db, merchant_id }: LiveContext, after: string | undefined): Promise<LiveStart> {
  if (after === undefined) {
    const since = await currentSnapshot(db);
    return { position: { xact: since.slice(0, since.indexOf(':')), sequence: 0n }, since };
  }
  const [position] = await db.$queryRaw<EventPosition[]>`
    select xact::text as xact, sequence from events
    where id = ${isId(after) ? after : ''} and merchant_id = ${merchant_id}`;
  if (!position) throw new ApiError('invalid_value', 'unknown_event', { field: 'after' });
  return { position, since: null };
}

/** The text begins with the oldest open transaction, before a colon. */
async function currentSnapshot(db: LiveContext['db']): Promise<string> {
  const [snapshot] = await db.$queryRaw<{ since: string }[]>`select pg_current_snapshot()::text as since`;
  return snapshot?.since ?? '';
}
