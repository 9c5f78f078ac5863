/**
 * Remembers the trace that created a subscription or transaction, so that later work of other processes (workflows,
 * webhooks) joins it. A table of its own: without tracing nothing is written, and its loss costs only traces.
 */
import { type Context, context, propagation, ROOT_CONTEXT } from '@opentelemetry/api';
import { type Database, poolOf, waitBeforeStatements } from '../database/connection';
import { type IdKind, onNewId } from '../identifiers';
import { insertTraces } from './rows';
import { areSpansKept, traceHeaders } from './spans';

const REMEMBERED: readonly IdKind[] = ['subscription', 'transaction'];
/** Later work starts a trace of its own: a renewal is not part of the request that created the subscription. */
const MAX_MINUTES = 10;

let database: Database | undefined;

/** Stores each new ID with the active trace, before the statement that uses it: webhooks leave right after that. */
export function rememberTraces(db: Database): void {
  database = db;
  let ids: Map<string, string> | undefined;
  let written: Promise<unknown> | undefined;
  let isWriting = false;
  waitBeforeStatements(db, () => (isWriting ? undefined : written));
  const write = async (traces: ReadonlyMap<string, string>): Promise<void> => {
    await Promise.resolve(); // Further IDs of this step share the statement.
    ids = undefined;
    // Connecting would wait for this write.
    if (poolOf(db)?.ending !== false) return;
    // Takes its connection in the same tick, and does not wait for itself.
    isWriting = true;
    const inserted = insertTraces(db, traces);
    isWriting = false;
    await inserted.catch(() => undefined);
  };
  onNewId((kind, id) => {
    const { traceparent } = REMEMBERED.includes(kind) ? traceHeaders(context.active()) : {};
    if (!traceparent) return;
    if (!ids) {
      ids = new Map();
      const writing = Promise.all([written, write(ids)]).finally(() => {
        if (written === writing) written = undefined;
      });
      written = writing;
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
