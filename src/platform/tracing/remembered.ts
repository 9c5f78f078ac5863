/**
 * Which trace made a subscription or transaction, so that what another process does for it later, starting its workflow
 * or telling webhooks, belongs to the same trace. Kept apart from the rows themselves: without tracing nothing is
 * written, and losing it loses nothing but a picture.
 */
import { type Context, context, propagation, ROOT_CONTEXT } from '@opentelemetry/api';
import type { Database } from '../database/connection';
import { type IdKind, onNewId } from '../identifiers';
import { areSpansKept, traceHeaders } from './spans';

const REMEMBERED: readonly IdKind[] = ['subscription', 'transaction'];
/** What happens later than this is a trace of its own: a renewal is not part of the request that subscribed. */
const MAX_MINUTES = 10;

let database: Database | undefined;

/** Writes every new id with the trace that is under way, before the statement that uses it is sent. */
export function rememberTraces(db: Database): void {
  database = db;
  let ids: Map<string, string> | undefined;
  onNewId((kind, id) => {
    const { traceparent } = REMEMBERED.includes(kind) ? traceHeaders(context.active()) : {};
    if (!traceparent) return;
    if (!ids) {
      ids = new Map();
      queueMicrotask(() => {
        const written = ids;
        ids = undefined;
        if (written) void write(db, written);
      });
    }
    ids.set(id, traceparent);
  });
}

const write = (db: Database, traces: Map<string, string>): Promise<unknown> =>
  db.trace
    .createMany({
      data: [...traces].map(([object_id, traceparent]) => ({ object_id, traceparent })),
      skipDuplicates: true,
    })
    .catch(() => undefined);

/** The trace that made this object a moment ago; without one, what follows begins a trace. */
export async function traceOf(object_id: string): Promise<Context> {
  if (!areSpansKept() || !database) return ROOT_CONTEXT;
  const since = new Date(Date.now() - MAX_MINUTES * 60_000);
  const row = await database.trace
    .findFirst({ where: { object_id, creation_date: { gte: since } }, select: { traceparent: true } })
    .catch(() => null);
  return row ? propagation.extract(ROOT_CONTEXT, row) : ROOT_CONTEXT;
}
