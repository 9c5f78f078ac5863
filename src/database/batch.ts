import DataLoader from 'dataloader';
import { toApiError } from '../platform/toApiError';
import type { Database } from './connection';

interface FailedKey {
  id: string;
  failure: unknown;
}

/** A deadlock counts as unavailable too, but the server is up: each key gets through by itself. */
const isDatabaseDown = (error: unknown): boolean =>
  toApiError(error).retryable && !/deadlock/.test(`${error} ${JSON.stringify((error as { meta?: unknown }).meta)}`);

/**
 * Loads or writes rows by id. Calls made in the same turn of the event loop share one statement, so under load each
 * costs a fraction of one; a single call is not delayed.
 */
export function batched<K, T extends { id: string }>(
  load: (db: Database, keys: readonly K[]) => Promise<T[]>,
  idOf: (key: K) => string,
  maxBatchSize = 100,
) {
  const loaders = new WeakMap<Database, DataLoader<K, T | undefined>>();
  const loaderOf = (db: Database): DataLoader<K, T | undefined> => {
    /** One bad key must not fail the whole batch: each is then loaded by itself, unless the database is down. */
    const loadBatch = async (keys: readonly K[]): Promise<(T | FailedKey)[]> => {
      try {
        return await load(db, keys);
      } catch (error) {
        if (keys.length === 1 || isDatabaseDown(error)) throw error;
        const singleLoads = keys.map(key => load(db, [key]).catch(failure => [{ id: idOf(key), failure }]));
        return (await Promise.all(singleLoads)).flat();
      }
    };
    const loader = new DataLoader<K, T | undefined>(
      async keys => {
        const rows = new Map((await loadBatch(keys)).map(row => [row.id, row]));
        return keys.map(key => {
          const row = rows.get(idOf(key));
          return row && 'failure' in row ? (row.failure as Error) : (row as T | undefined);
        });
      },
      { cache: false, maxBatchSize, batchScheduleFn: run => setImmediate(run) },
    );
    loaders.set(db, loader);
    return loader;
  };
  return (db: Database, key: K): Promise<T | undefined> => (loaders.get(db) ?? loaderOf(db)).load(key);
}

export const batchedById = <T extends { id: string }>(load: (db: Database, ids: readonly string[]) => Promise<T[]>) =>
  batched(load, (id: string) => id, 1000);

const MAX_CHANGE_ID = 1_000_000_000;
let lastChangeId = 0;

/**
 * Tells two changes of one row apart when a batch writes both: the first one wins, and each caller learns which it was.
 */
export const nextChangeId = (): number => {
  lastChangeId = (lastChangeId + 1) % MAX_CHANGE_ID;
  return lastChangeId;
};
