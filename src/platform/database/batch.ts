import DataLoader from 'dataloader';
import { toApiError } from '../toApiError';
import type { Database } from './connection';
import { isDeadlock } from './locks';

class FailedLoad {
  constructor(readonly failure: Error) {}
}

/** A deadlock is retryable too, but the server is up: each key succeeds in a statement of its own. */
const isDatabaseDown = (error: unknown): boolean => toApiError(error).retryable && !isDeadlock(error);

type Load<K, T> = (db: Database, keys: readonly K[]) => Promise<T[]>;
const MAX_BATCH_KEYS = 100;

/** With this many batches in progress, further calls wait for the next batch. */
const MAX_IN_PROGRESS = 2;
/** A batch in progress may wait for a lock, which must not delay later calls. */
const MAX_BATCH_WAIT_MS = 5;

/**
 * Under load a few large batches cost less than many small ones, and each call waits less. A single call is sent in the
 * same turn of the event loop.
 */
class BatchScheduler {
  private inProgress = 0;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly delayMs: () => number) {}

  schedule(send: () => void): void {
    const delayMs = this.delayMs();
    if (delayMs > 0) return void setTimeout(send, delayMs);
    setImmediate(() => {
      if (this.inProgress < MAX_IN_PROGRESS) return send();
      const dispatch = (): void => {
        clearTimeout(timer);
        this.waiting.delete(dispatch);
        send();
      };
      const timer = setTimeout(dispatch, MAX_BATCH_WAIT_MS);
      this.waiting.add(dispatch);
    });
  }

  async run<T>(batch: () => Promise<T>): Promise<T> {
    this.inProgress += 1;
    try {
      return await batch();
    } finally {
      this.inProgress -= 1;
      const [next] = this.waiting;
      next?.();
    }
  }
}

const delays = new WeakMap<Database, () => number>();

/** Delays the batches of a busy process so that they become larger; 0 sends them immediately. */
export const setBatchDelay = (db: Database, delayMs: () => number): unknown => delays.set(db, delayMs);

interface BatchOptions<K, T> {
  idOfKey: (key: K) => string;
  idOfRow: (row: T) => string;
  maxKeys: number;
  /** Loads only the first of several keys with the same ID; the rest get undefined. */
  firstOnly: boolean;
}

function batchLoader<K, T extends object>(
  load: Load<K, T>,
  { idOfKey, idOfRow, maxKeys, firstOnly }: BatchOptions<K, T>,
) {
  /** If a batch fails, each key is loaded separately, unless the database is down: one bad key must not fail all. */
  const loadBatch = async (db: Database, keys: readonly K[]): Promise<Map<string, T | FailedLoad>> => {
    const byId = (rows: T[]) => rows.map(row => [idOfRow(row), row] as const);
    try {
      return new Map(byId(await load(db, keys)));
    } catch (error) {
      if (keys.length === 1 || isDatabaseDown(error)) throw error;
      const fail = (key: K) => (failure: Error) => [[idOfKey(key), new FailedLoad(failure)] as const];
      return new Map<string, T | FailedLoad>(
        (await Promise.all(keys.map(key => load(db, [key]).then(byId, fail(key))))).flat(),
      );
    }
  };
  const loaderOf = (db: Database) => {
    const scheduler = new BatchScheduler(() => delays.get(db)?.() ?? 0);
    return new DataLoader<K, T | undefined>(
      async keys => {
        const firstById = new Map([...keys].reverse().map(key => [idOfKey(key), key]));
        const isLoaded = (key: K): boolean => !firstOnly || firstById.get(idOfKey(key)) === key;
        // Locking rows in ID order avoids deadlocks between two statements.
        const compare = (a: K, b: K): number => (idOfKey(a) < idOfKey(b) ? -1 : 1);
        const loaded = firstOnly ? keys.filter(isLoaded).sort(compare) : keys;
        const rows = await scheduler.run(() => loadBatch(db, loaded));
        return keys.map(key => {
          const row = isLoaded(key) ? rows.get(idOfKey(key)) : undefined;
          return row instanceof FailedLoad ? row.failure : row;
        });
      },
      { cache: false, maxBatchSize: maxKeys, batchScheduleFn: send => scheduler.schedule(send) },
    );
  };
  const loaders = new WeakMap<Database, DataLoader<K, T | undefined>>();
  return (db: Database, key: K): Promise<T | undefined> => {
    const loader = loaders.get(db) ?? loaderOf(db);
    loaders.set(db, loader);
    return loader.load(key);
  };
}

/** Loads rows by ID. Calls in the same turn of the event loop share one SQL statement. */
export const batched = <K, T extends { id: string }>(
  load: Load<K, T>,
  idOfKey: (key: K) => string,
  maxKeys = MAX_BATCH_KEYS,
) => batchLoader(load, { idOfKey, idOfRow: ({ id }) => id, maxKeys, firstOnly: false });

export const batchedById = <T extends { id: string }>(load: Load<string, T>) => batched(load, id => id, 1000);

/** Keeps the order of the rows. */
export function groupBy<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

/**
 * Batches writes. Of two concurrent changes of one row only the first is written; the other caller gets undefined, as if
 * it had come later.
 */
export const batchedWrites = <K extends object, T extends object>(
  write: Load<K, T>,
  idOfKey: (key: K) => string,
  idOfRow: (row: T) => string,
) => batchLoader(write, { idOfKey, idOfRow, maxKeys: MAX_BATCH_KEYS, firstOnly: true });
