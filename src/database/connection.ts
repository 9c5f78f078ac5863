import { PrismaPg } from '@prisma/adapter-pg';
import { Client } from 'pg';
import { Prisma, PrismaClient } from '../../prisma/generated/client';
import { FatalError } from '../platform/lifetime';
import { withoutPassword } from '../platform/log';

export type Database = PrismaClient;

/**
 * Connects when first used and reconnects when the server is back, so a process may start before its database. With a
 * timeout, queries to a server that stops responding fail instead of waiting forever.
 */
export function openDatabase(url: string, timeoutMs?: number): Database {
  // The server gives up as well: otherwise an abandoned query that waits for a lock would keep its connection occupied.
  const timeouts = timeoutMs && {
    query_timeout: timeoutMs,
    statement_timeout: timeoutMs,
    lock_timeout: timeoutMs - 500,
    idle_in_transaction_session_timeout: 3 * timeoutMs,
  };
  const limits = { max: 20, connectionTimeoutMillis: timeoutMs ? 2000 : 10_000, ...timeouts };
  const adapter = new PrismaPg({ connectionString: url, ...limits }, { statementNameGenerator: nameStatements() });
  return new PrismaClient({ adapter });
}

/** More than the program has; any statement beyond that is prepared each time. */
const MAX_PREPARED_STATEMENTS = 500;

/**
 * Put into statements that must be planned for the current table size: a queue is sometimes empty and sometimes long.
 */
export const REPLAN_EACH_TIME = Prisma.raw('/* planned anew */');

/** Named statements are parsed and planned once per connection, which is most of the cost of a small statement. */
function nameStatements(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const existing = names.get(sql);
    if (existing !== undefined) return existing;
    const name = names.size < MAX_PREPARED_STATEMENTS && !sql.includes(REPLAN_EACH_TIME.sql) ? `s${names.size}` : '';
    if (name) names.set(sql, name);
    return name;
  };
}

/** A single connection for commands that cannot work without the database: they fail at once with a clear message. */
export async function connectOnce(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // A broken connection already fails the query that is waiting for it.
  client.on('error', () => undefined);
  await client.connect().catch(({ message }) => {
    throw new FatalError(`The database ${withoutPassword(url)} does not answer: ${message}.`);
  });
  return client;
}
