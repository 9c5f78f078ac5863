import DataLoader from 'dataloader';
import type { Database } from './database';

/**
 * Looks rows up by id. Requests that arrive in the same turn of the event loop share one statement, so under load a look-up costs a
 * fraction of one; a request that comes alone waits for nobody.
 */
export function gathered<T extends { id: string }>(find: (db: Database, ids: readonly string[]) => Promise<T[]>) {
  const loaders = new WeakMap<Database, DataLoader<string, T | undefined>>();
  const loaderOf = (db: Database): DataLoader<string, T | undefined> => {
    const loader = new DataLoader<string, T | undefined>(
      async ids => {
        const rows = new Map((await find(db, ids)).map(row => [row.id, row]));
        return ids.map(id => rows.get(id));
      },
      { cache: false, maxBatchSize: 100, batchScheduleFn: run => setImmediate(run) },
    );
    loaders.set(db, loader);
    return loader;
  };
  return (db: Database, id: string): Promise<T | undefined> => (loaders.get(db) ?? loaderOf(db)).load(id);
}
