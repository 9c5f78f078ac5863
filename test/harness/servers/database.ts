import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { type Database, openDatabase } from '../../../src/database/connection';
import { canaries } from '../cards/canaries';

const template = (): string => process.env.TEST_DATABASE_URL ?? '';

export async function inDatabase<T>(url: string, ask: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await ask(client);
  } finally {
    await client.end();
  }
}

const elsewhere = (name: string): string => Object.assign(new URL(template()), { pathname: `/${name}` }).toString();
const asAdmin = (sql: string): Promise<unknown> => inDatabase(elsewhere('postgres'), client => client.query(sql));

/** A database for one test file, gone when the file is done: a copy of the migrated one, or an empty one. */
export function testDatabase(from: 'migrated' | 'empty' = 'migrated'): { url(): string; db(): Database } {
  const name = `test_${randomBytes(8).toString('hex')}`;
  let db: Database | undefined;
  beforeAll(() => asAdmin(`create database ${name} template ${from === 'empty' ? 'template0' : 'recaudo'}`));
  afterAll(async () => {
    await db?.$disconnect();
    const found = await inDatabase(elsewhere(name), client => canaries.inTables(client));
    await asAdmin(`drop database ${name} with (force)`);
    expect(found).toEqual([]);
  });
  return {
    url: () => elsewhere(name),
    db: () => {
      db ??= openDatabase(elsewhere(name));
      return db;
    },
  };
}
