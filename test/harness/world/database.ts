/** Databases on the run's PostgreSQL server: copies of the migrated database, or empty ones. */
import { Client } from 'pg';
import { retryUntilAnswered } from '../../../src/local/processes/managedProcess';

export async function inDatabase<T>(url: string, run: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  // A disconnection already fails the query that is waiting for it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

export const databaseUrl = (name: string): string =>
  Object.assign(new URL(process.env.TEST_DATABASE_URL ?? ''), { pathname: `/${name}` }).toString();

const asAdmin = (sql: string): Promise<unknown> => inDatabase(databaseUrl('postgres'), client => client.query(sql));

export const createDatabase = (name: string, from: 'migrated' | 'empty' = 'migrated'): Promise<unknown> =>
  asAdmin(`create database ${name} template ${from === 'empty' ? 'template0' : 'recaudo'}`);

/** PostgreSQL waits five seconds for the connections that it terminates, and refuses if one takes longer. */
export const dropDatabase = (name: string): Promise<unknown> =>
  retryUntilAnswered(() => asAdmin(`drop database if exists ${name} with (force)`));
