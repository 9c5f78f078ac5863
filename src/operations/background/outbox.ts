/**
 * Dispatches the outbox: follow-up work written in the same transaction as its cause. The process that claimed a row
 * deletes it when the work is done.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import type { Database } from '../../platform/database/connection';
import { BOTH_ENVIRONMENTS, type Environments } from '../../platform/database/environments';
import type { OutboxKind } from '../../platform/database/outbox';
import type { Log } from '../../platform/log';
import { inOutboxSpan } from '../../platform/tracing/work';
import { claimRows, postpone } from './rows';
import type { Wakeups } from './wakeups';

const MAX_CONCURRENT_HANDLERS = 32;
/** Minimum time between polls, so that frequent notifications cost few queries. */
const MIN_DELAY_MS = 100;
/** Picks up work whose notification was lost or that has none. */
const POLL_INTERVAL_MS = 500;
const MAX_DELAY_AFTER_FAILURES_MS = 5000;

/** Receives the id of the object. */
type Handler = (id: string) => Promise<unknown>;

/** A loop that handles every kind of one group. */
export interface OutboxLoop {
  handlers: Partial<Record<OutboxKind, Handler>>;
  maxBatchRows: number;
  /** If the process dies, another one claims its rows when the lease expires. */
  leaseSeconds: number;
  /** Maximum delay between retries of a failing row. */
  maxBackoffSeconds: number;
}

/** Returns how many rows it claimed. Rows whose handler fails are retried later and do not delay the rest. */
export async function drainOutbox(
  db: Database,
  outboxHandlers: OutboxLoop,
  environments = BOTH_ENVIRONMENTS,
): Promise<number> {
  const { handlers } = outboxHandlers;
  const rows = await claimRows(db, Object.keys(handlers), outboxHandlers, environments);
  if (rows.length === 0) return 0;
  // Rows of the same kind and object are handled once.
  const rowsByObject = new Map<string, typeof rows>();
  for (const row of rows) {
    const object = `${row.kind} ${row.object_id}`;
    rowsByObject.set(object, [...(rowsByObject.get(object) ?? []), row]);
  }
  const [handledIds, failedIds]: [bigint[], bigint[]] = [[], []];
  let failure: Error | undefined;
  const queue = [...rowsByObject.values()].reverse();
  const handleQueue = async (): Promise<void> => {
    for (let duplicates = queue.pop(); duplicates?.[0]; duplicates = queue.pop()) {
      const { kind, object_id } = duplicates[0];
      const ids = duplicates.map(({ id }) => id);
      await inOutboxSpan(kind, object_id, async () => handlers[kind]?.(object_id))
        .catch(ignoreObsolete)
        .then(
          () => handledIds.push(...ids),
          error => {
            failure = new Error(`${kind} ${object_id}: ${error.message}`, { cause: error });
            failedIds.push(...ids);
          },
        );
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_HANDLERS }, handleQueue));
  if (handledIds.length > 0) await db.outbox.deleteMany({ where: { id: { in: handledIds } } });
  if (failedIds.length > 0) await postpone(db, failedIds, outboxHandlers.maxBackoffSeconds);
  // All rows failed, so the target is probably down: the caller backs off.
  if (failure && handledIds.length === 0) throw failure;
  return rows.length;
}

/** The workflow to start is already running, or the one to signal has ended. */
function ignoreObsolete(error: unknown): void {
  if (!(error instanceof WorkflowExecutionAlreadyStartedError || error instanceof WorkflowNotFoundError)) throw error;
}

export async function runOutboxLoop(
  db: Database,
  outboxHandlers: OutboxLoop,
  environments: Environments,
  wakeups: Wakeups,
  log: Log,
  stop: AbortSignal,
): Promise<void> {
  for (let delayMs = MIN_DELAY_MS; !stop.aborted; ) {
    const waitForWork = wakeups.watch();
    const claimedRows = await drainOutbox(db, outboxHandlers, environments).catch(error => {
      if (delayMs === MIN_DELAY_MS) log.warn(`outbox: dispatch failed, retrying: ${error.message}`);
      return undefined;
    });
    const hasFailed = claimedRows === undefined;
    // Handlers may have written new rows.
    if (claimedRows) wakeups.wake();
    delayMs = hasFailed ? Math.min(delayMs * 2, MAX_DELAY_AFTER_FAILURES_MS) : MIN_DELAY_MS;
    if (claimedRows === outboxHandlers.maxBatchRows) continue;
    await sleep(delayMs, undefined, { signal: stop }).catch(() => undefined);
    if (!hasFailed && !stop.aborted) await waitForWork(POLL_INTERVAL_MS - delayMs);
  }
}
