import { randomBytes } from 'node:crypto';
import { type Database, openDatabase } from '../../../src/platform/database/connection';
import { canaries } from '../cards/canaries';
import { atTheEnd } from '../flow/atTheEnd';
import { createDatabase, databaseUrl, dropDatabase, inDatabase } from '../world/database';

/** A long timeout for a transaction in which a test waits or reads many rows. */
export const PATIENCE = { maxWait: 60_000, timeout: 60_000 };

/** A database for one test file, searched for card data and dropped after it. */
export function testDatabase(from: 'migrated' | 'empty' = 'migrated'): { url(): string; db(): Database } {
  const name = `test_${randomBytes(8).toString('hex')}`;
  let db: Database | undefined;
  beforeAll(async () => {
    await createDatabase(name, from);
    atTheEnd(async () => {
      await db?.$disconnect();
      const leaks = await inDatabase(databaseUrl(name), client => canaries.inTables(client));
      await dropDatabase(name);
      expect(leaks).toEqual([]);
    });
  });
  return {
    url: () => databaseUrl(name),
    db: () => {
      db ??= openDatabase(databaseUrl(name));
      return db;
    },
  };
}
