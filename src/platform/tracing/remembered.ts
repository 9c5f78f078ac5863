/**
 * Remembers the trace that created a subscription or transaction, so that later work of other processes (workflows,
 * webhooks) joins it. A table of its own: without tracing nothing is written, and its loss costs only traces.
 */
import { type Context, context, propagation, ROOT_CONTEXT } from '@opentelemetry/api';
import type { Database } from '../database/connection';
import { type IdKind, onNewId } from '../identifiers';
import { insertTraces } from './rows';
import { areSpansKept, traceHeaders } from './spans';

const REMEMBERED: readonly IdKind[] = ['subscription', 'transaction'];
/** Later work starts a trace of its own: a renewal is not part of the request that created the subscription. */
const MAX_MINUTES = 10;

let database: Database | undefined;

/** Stores each new ID with the active trace before the SQL statement that uses it. */
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
        if (written) void insertTraces(db, written).catch(() => undefined);
      });
    }
    ids.set(id, traceparent);
  });
}

/** The recent trace that created this object; otherwise a new trace begins. */
export async function traceOf(object_id: string): Promise<Context> {
  if (!areSpansKept() || !database) return ROOT_CONTEXT;
  const since = new Date(Date.now() - MAX_MINUTES * 60_000);
  const row = await database.trace
    .findFirst({ where: { object_id, creation_date: { gte: since } }, select: { traceparent: true } })
    .catch(() => null);
  return row ? propagation.extract(ROOT_CONTEXT, row) : ROOT_CONTEXT;
}
