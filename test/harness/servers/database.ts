import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { type Database, openDatabase } from '../../../src/database/connection';
import { canaries } from '../cards/canaries';
import { atTheEnd } from '../flow/atTheEnd';
import { eventually } from '../flow/until';

/** Of a transaction in which a test waits for something, or reads many rows: a busy machine takes long for it. */
export const PATIENCE = { maxWait: 60_000, timeout: 60_000 };

const migratedDatabaseUrl = (): string => process.env.TEST_DATABASE_URL ?? '';

export async function inDatabase<T>(url: string, run: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  // A broken connection already fails the query that is waiting for it.
  client.on('error', () => undefined);
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
      // PostgreSQL waits five seconds for the connections that it ends, and refuses if one takes longer.
      await eventually(() => asAdmin(`drop database if exists ${name} with (force)`));
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
