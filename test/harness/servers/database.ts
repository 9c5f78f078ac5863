import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { type Database, openDatabase } from '../../../src/database/connection';
import { canaries } from '../cards/canaries';
import { atTheEnd } from '../flow/atTheEnd';

const migratedDatabaseUrl = (): string => process.env.TEST_DATABASE_URL ?? '';

export async function inDatabase<T>(url: string, run: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

const databaseUrl = (name: string): string =>
  Object.assign(new URL(migratedDatabaseUrl()), { pathname: `/${name}` }).toString();
const asAdmin = (sql: string): Promise<unknown> => inDatabase(databaseUrl('postgres'), client => client.query(sql));

/**
 * A database for one test file, dropped after it: a copy of the migrated template, or an empty one. Searched for card
 * data first.
 */
export function testDatabase(from: 'migrated' | 'empty' = 'migrated'): { url(): string; db(): Database } {
  const name = `test_${randomBytes(8).toString('hex')}`;
  let db: Database | undefined;
  beforeAll(async () => {
    await asAdmin(`create database ${name} template ${from === 'empty' ? 'template0' : 'recaudo'}`);
    atTheEnd(async () => {
      await db?.$disconnect();
      const leaks = await inDatabase(databaseUrl(name), client => canaries.inTables(client));
      await asAdmin(`drop database ${name} with (force)`);
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
