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
import { claimRows, findDueKinds, postpone } from './rows';
import type { Wakeups } from './wakeups';

const MAX_CONCURRENT_HANDLERS = 32;
/** Minimum time between polls, so that frequent notifications cost few queries. */
const MIN_DELAY_MS = 100;
/** Picks up work whose notification was lost or that has none. */
const POLL_INTERVAL_MS = 500;
const MAX_DELAY_AFTER_FAILURES_MS = 5000;

/** Receives the id of the object. */
type Handler = (id: string) => Promise<unknown>;

/** Kinds that are dispatched together, apart from those of other groups. */
export interface OutboxGroup {
  handlers: Partial<Record<OutboxKind, Handler>>;
  maxBatchRows: number;
  /** If the process dies, another one claims its rows when the lease expires. */
  leaseSeconds: number;
  /** Maximum delay between retries of a failing row. */
  maxBackoffSeconds: number;
}

/** Returns how many rows it claimed. Rows whose handler fails are retried later and do not delay the rest. */
export async function drainOutbox(db: Database, group: OutboxGroup, environments = BOTH_ENVIRONMENTS): Promise<number> {
  const { handlers } = group;
  const rows = await claimRows(db, Object.keys(handlers), group, environments);
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
  if (failedIds.length > 0) await postpone(db, failedIds, group.maxBackoffSeconds);
  // All rows failed, so the target is probably down: the caller backs off.
  if (failure && handledIds.length === 0) throw failure;
  return rows.length;
}

/** The workflow to start is already running, or the one to signal has ended. */
function ignoreObsolete(error: unknown): void {
  if (!(error instanceof WorkflowExecutionAlreadyStartedError || error instanceof WorkflowNotFoundError)) throw error;
}

/** Polls for all groups in one statement, and dispatches each on its own, so that a slow group does not delay another. */
export async function runOutboxLoop(
  db: Database,
  groups: readonly OutboxGroup[],
  environments: Environments,
  wakeups: Wakeups,
  log: Log,
  stop: AbortSignal,
): Promise<void> {
  const kinds = groups.flatMap(({ handlers }) => Object.keys(handlers));
  const dispatching = new Map<OutboxGroup, Promise<void>>();
  const warn = (error: Error): void => log.warn(`outbox: dispatch failed, retrying: ${error.message}`);
  const pause = (delayMs: number) => sleep(delayMs, undefined, { signal: stop }).catch(() => undefined);

  const dispatch = async (group: OutboxGroup): Promise<void> => {
    for (let delayMs = MIN_DELAY_MS; !stop.aborted; ) {
      const claimedRows = await drainOutbox(db, group, environments).catch(error => {
        if (delayMs === MIN_DELAY_MS) warn(error);
      });
      if (claimedRows === undefined) {
        delayMs = Math.min(delayMs * 2, MAX_DELAY_AFTER_FAILURES_MS);
        await pause(delayMs);
      } else if (claimedRows === group.maxBatchRows) delayMs = MIN_DELAY_MS;
      else break;
    }
    dispatching.delete(group);
    // Handlers may have written new rows, and a poll during the dispatch did not start another.
    wakeups.wake();
  };

  for (let delayMs = MIN_DELAY_MS; !stop.aborted; ) {
    const waitForWork = wakeups.watch();
    const dueKinds = await findDueKinds(db, kinds, environments).catch(error => {
      if (delayMs === MIN_DELAY_MS) warn(error);
    });
    for (const group of groups)
      if (!dispatching.has(group) && dueKinds?.some(kind => kind in group.handlers))
        dispatching.set(group, dispatch(group));
    delayMs = dueKinds ? MIN_DELAY_MS : Math.min(delayMs * 2, MAX_DELAY_AFTER_FAILURES_MS);
    await pause(delayMs);
    if (dueKinds && !stop.aborted) await waitForWork(POLL_INTERVAL_MS - delayMs);
  }
  await Promise.all(dispatching.values());
}
