import DataLoader from 'dataloader';
import type { Database } from './database';

/**
 * Looks rows up by id, or writes new ones. Requests that arrive in the same turn of the event loop share one statement, so under load
 * each costs a fraction of one; a request that comes alone waits for nobody.
 */
export function gathered<K, T extends { id: string }>(
  ask: (db: Database, keys: readonly K[]) => Promise<T[]>,
  idOf: (key: K) => string,
) {
  const loaders = new WeakMap<Database, DataLoader<K, T | undefined>>();
  const loaderOf = (db: Database): DataLoader<K, T | undefined> => {
    const loader = new DataLoader<K, T | undefined>(
      async keys => {
        const rows = new Map((await ask(db, keys)).map(row => [row.id, row]));
        return keys.map(key => rows.get(idOf(key)));
      },
      { cache: false, maxBatchSize: 100, batchScheduleFn: run => setImmediate(run) },
    );
    loaders.set(db, loader);
    return loader;
  };
  return (db: Database, key: K): Promise<T | undefined> => (loaders.get(db) ?? loaderOf(db)).load(key);
}

/** By id alone. */
export const gatheredById = <T extends { id: string }>(ask: (db: Database, ids: readonly string[]) => Promise<T[]>) =>
  gathered(ask, (id: string) => id);
