import { PrismaPg } from '@prisma/adapter-pg';
import { Client } from 'pg';
import { PrismaClient } from '../prisma/generated/client';
import { Refusal } from './lifetime';
import { withoutPassword } from './log';

export type Database = PrismaClient;

/**
 * Connects when first used and again whenever the server is back, so a process may start before its database. With patience it gives
 * up on a server that has gone silent.
 */
export function openDatabase(url: string, patienceMs?: number): Database {
  const limits = { max: 10, connectionTimeoutMillis: 2000, query_timeout: patienceMs };
  return new PrismaClient({ adapter: new PrismaPg({ connectionString: url, ...limits }) });
}

/** For commands that are nothing without the database: they say so at once. */
export async function connectOnce(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // A connection that breaks shows in the query that waits for it.
  client.on('error', () => undefined);
  await client.connect().catch(({ message }) => {
    throw new Refusal(`The database ${withoutPassword(url)} does not answer: ${message}.`);
  });
  return client;
}
