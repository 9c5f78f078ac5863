import DataLoader from 'dataloader';
import { toApiError } from '../toApiError';
import type { Database } from './connection';
import { isDeadlock } from './locks';

class FailedLoad {
  constructor(readonly failure: Error) {}
}

/** A deadlock counts as unavailable too, but the server is up: each key gets through by itself. */
const isDatabaseDown = (error: unknown): boolean => toApiError(error).retryable && !isDeadlock(error);

type Load<K, T> = (db: Database, keys: readonly K[]) => Promise<T[]>;
const MAX_BATCH_KEYS = 100;

/** While so many batches of one kind are under way, further calls gather for the next one. */
const MAX_UNDER_WAY = 2;
/** Not for longer: a batch may wait for a lock that has nothing to do with the others. */
const MAX_GATHERING_MS = 5;

/**
 * When batches of one kind are sent. Under load few large ones cost less than many small ones, and whoever waits for the
 * next one is served sooner than in a queue of small ones; a single call is sent in the same turn of the event loop.
 */
class BatchScheduler {
  private underWay = 0;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly pauseMs: () => number) {}

  schedule(send: () => void): void {
    const pauseMs = this.pauseMs();
    if (pauseMs > 0) return void setTimeout(send, pauseMs);
    setImmediate(() => {
      if (this.underWay < MAX_UNDER_WAY) return send();
      const depart = (): void => {
        clearTimeout(timer);
        this.waiting.delete(depart);
        send();
      };
      const timer = setTimeout(depart, MAX_GATHERING_MS);
      this.waiting.add(depart);
    });
  }

  async follow<T>(batch: () => Promise<T>): Promise<T> {
    this.underWay += 1;
    try {
      return await batch();
    } finally {
      this.underWay -= 1;
      const [next] = this.waiting;
      next?.();
    }
  }
}

const pauses = new WeakMap<Database, () => number>();

/** For a process that has much to do and time for it: its calls gather for so many milliseconds, or not at all. */
export const setBatchDelay = (db: Database, pauseMs: () => number): unknown => pauses.set(db, pauseMs);

interface BatchOptions<K, T> {
  idOfKey: (key: K) => string;
  idOfRow: (row: T) => string;
  maxKeys: number;
  /** Only the first of several keys with the same id is loaded, and the others get nothing. */
  once: boolean;
}

function batchLoader<K, T extends object>(load: Load<K, T>, { idOfKey, idOfRow, maxKeys, once }: BatchOptions<K, T>) {
  /** One bad key must not fail the whole batch: each is then loaded by itself, unless the database is down. */
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
    const departures = new BatchScheduler(() => pauses.get(db)?.() ?? 0);
    return new DataLoader<K, T | undefined>(
      async keys => {
        const firstById = new Map([...keys].reverse().map(key => [idOfKey(key), key]));
        const isLoaded = (key: K): boolean => !once || firstById.get(idOfKey(key)) === key;
        // Statements that lock rows do so in the order of their ids, so that two of them do not wait for each other.
        const compare = (a: K, b: K): number => (idOfKey(a) < idOfKey(b) ? -1 : 1);
        const loaded = once ? keys.filter(isLoaded).sort(compare) : keys;
        const rows = await departures.follow(() => loadBatch(db, loaded));
        return keys.map(key => {
          const row = isLoaded(key) ? rows.get(idOfKey(key)) : undefined;
          return row instanceof FailedLoad ? row.failure : row;
        });
      },
      { cache: false, maxBatchSize: maxKeys, batchScheduleFn: send => departures.schedule(send) },
    );
  };
  const loaders = new WeakMap<Database, DataLoader<K, T | undefined>>();
  return (db: Database, key: K): Promise<T | undefined> => {
    const loader = loaders.get(db) ?? loaderOf(db);
    loaders.set(db, loader);
    return loader.load(key);
  };
}

/**
 * Loads rows by id. Calls made in the same turn of the event loop share one statement, so under load each costs a
 * fraction of one; a single call is not delayed.
 */
export const batched = <K, T extends { id: string }>(
  load: Load<K, T>,
  idOfKey: (key: K) => string,
  maxKeys = MAX_BATCH_KEYS,
) => batchLoader(load, { idOfKey, idOfRow: ({ id }) => id, maxKeys, once: false });

export const batchedById = <T extends { id: string }>(load: Load<string, T>) => batched(load, id => id, 1000);

/** The rows of a batch by what they belong to, in their order. */
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
 * The same for writes. Of two changes of one row that come together only the first is written, and the caller of the
 * other gets nothing, as if it had come later. So a statement has at most one change of a row.
 */
export const batchedWrites = <K extends object, T extends object>(
  write: Load<K, T>,
  idOfKey: (key: K) => string,
  idOfRow: (row: T) => string,
) => batchLoader(write, { idOfKey, idOfRow, maxKeys: MAX_BATCH_KEYS, once: true });
