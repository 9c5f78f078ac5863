import { PrismaPg } from '@prisma/adapter-pg';
import { Client } from 'pg';
import { Prisma, PrismaClient } from '../../prisma/generated/client';
import { FatalError } from '../platform/lifetime';
import { withoutPassword } from '../platform/log';

export type Database = PrismaClient;

/**
 * Connects when first used and again whenever the server is back, so a process may start before its database. With patience it gives
 * up on a server that has gone silent.
 */
export function openDatabase(url: string, patienceMs?: number): Database {
  // What this side has given up on, the server gives up on too: a connection that waits for a lock is one less for everybody.
  const patience = patienceMs && {
    query_timeout: patienceMs,
    statement_timeout: patienceMs,
    lock_timeout: patienceMs - 500,
    idle_in_transaction_session_timeout: 3 * patienceMs,
  };
  const limits = { max: 20, connectionTimeoutMillis: patienceMs ? 2000 : 10_000, ...patience };
  const adapter = new PrismaPg({ connectionString: url, ...limits }, { statementNameGenerator: nameStatements() });
  return new PrismaClient({ adapter });
}

/** More than the program has; a statement beyond them is prepared each time. */
const MAX_PREPARED_STATEMENTS = 500;

/** In a statement that is to be planned for how much there is now: a queue is empty at one time and long at another. */
export const REPLAN_EACH_TIME = Prisma.raw('/* planned anew */');

/** Named statements are parsed and planned once per connection, which is most of the work of a small one. */
function nameStatements(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    const name = names.size < MAX_PREPARED_STATEMENTS && !sql.includes(REPLAN_EACH_TIME.sql) ? `s${names.size}` : '';
    if (name) names.set(sql, name);
    return name;
  };
}

/** For commands that are nothing without the database: they say so at once. */
export async function connectOnce(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // A connection that breaks shows in the query that waits for it.
  client.on('error', () => undefined);
  await client.connect().catch(({ message }) => {
    throw new FatalError(`The database ${withoutPassword(url)} does not answer: ${message}.`);
  });
  return client;
}
