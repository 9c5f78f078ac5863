import DataLoader from 'dataloader';
import { toApiError } from '../platform/toApiError';
import type { Database } from './connection';

interface FailedKey {
  id: string;
  failure: unknown;
}

/** A deadlock is nobody's absence: alone each gets through. */
const isDatabaseDown = (error: unknown): boolean =>
  toApiError(error).kind === 'unavailable' &&
  !/deadlock/.test(`${error} ${JSON.stringify((error as { meta?: unknown }).meta)}`);

/**
 * Looks rows up by id, or writes new ones. Requests that arrive in the same turn of the event loop share one statement, so under load
 * each costs a fraction of one; a request that comes alone waits for nobody.
 */
export function batched<K, T extends { id: string }>(
  ask: (db: Database, keys: readonly K[]) => Promise<T[]>,
  idOf: (key: K) => string,
  maxBatchSize = 100,
) {
  const loaders = new WeakMap<Database, DataLoader<K, T | undefined>>();
  const loaderOf = (db: Database): DataLoader<K, T | undefined> => {
    /** What fails for one must not fail for all: each is then asked for by itself, unless there is nobody to ask. */
    const together = async (keys: readonly K[]): Promise<(T | FailedKey)[]> => {
      try {
        return await ask(db, keys);
      } catch (error) {
        if (keys.length === 1 || isDatabaseDown(error)) throw error;
        const alone = keys.map(key => ask(db, [key]).catch(failure => [{ id: idOf(key), failure }]));
        return (await Promise.all(alone)).flat();
      }
    };
    const loader = new DataLoader<K, T | undefined>(
      async keys => {
        const rows = new Map((await together(keys)).map(row => [row.id, row]));
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

/** By id alone. */
export const batchedById = <T extends { id: string }>(ask: (db: Database, ids: readonly string[]) => Promise<T[]>) =>
  batched(ask, (id: string) => id, 1000);
