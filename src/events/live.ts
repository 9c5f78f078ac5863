/** Live events, polled a few times per second from the reader's position, so that an interruption loses no event. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../platform/errors';
import { isId } from '../platform/identifiers';
import type { Context } from '../schema/operation/context';
import type { LiveFilters } from './fields';
import { parseEventType } from './parseType';
import {
  currentSnapshot,
  type EventPosition,
  type EventRow,
  loadEventsSince,
  MAX_BATCH_ROWS,
  positionOf,
} from './rows';

const POLL_INTERVAL_MS = 200;

interface LiveStart {
  position: EventPosition;
  /** The database snapshot at the start; null for a reader that resumes after an event. */
  since: string | null;
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
    // Do not read the events that the filters excluded again. The horizon may be older than the event to resume after.
    if (batch && BigInt(batch.horizon) > BigInt(position.xact)) position = { xact: batch.horizon, sequence: 0n };
    await nextPoll(disconnected);
  }
}

/** Aligned to the clock, so that all readers of a process poll together and share one SQL statement. */
const nextPoll = (disconnected: AbortSignal): Promise<unknown> =>
  sleep(POLL_INTERVAL_MS - (Date.now() % POLL_INTERVAL_MS), undefined, { signal: disconnected }).catch(() => undefined);

/**
 * After the reader's last event, or from now. The oldest open transaction may be older than existing events, so the
 * snapshot excludes these.
 */
async function startOf({ db, merchant_id }: LiveContext, after: string | undefined): Promise<LiveStart> {
  if (after === undefined) {
    const since = await currentSnapshot(db);
    return { position: { xact: since.slice(0, since.indexOf(':')), sequence: 0n }, since };
  }
  const position = isId(after) ? await positionOf(db, merchant_id, after) : undefined;
  if (!position) throw new ApiError('invalid_value', 'unknown_event', { field: 'after' });
  return { position, since: null };
}
