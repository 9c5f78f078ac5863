import { PrismaPg } from '@prisma/adapter-pg';
import { Client, Pool, types } from 'pg';
import { Prisma, PrismaClient } from '../../../prisma/generated/client';
import { FatalError } from '../lifetime';
import { withoutPassword } from '../log';

export type Database = PrismaClient;

/**
 * Each statement has a limit of its own, so this is for a process that was halted between two of them: what it began
 * must be undone before its locks are in anybody's way for long, and not because a machine was busy for some seconds.
 */
const MAX_TRANSACTION_MS = 30_000;

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
  const nameOf = nameStatements();
  const connections: Connections = { pool: undefined, nameOf: sql => nameOf({ sql }) };
  const adapter = {
    provider: 'postgres' as const,
    adapterName: '@prisma/adapter-pg',
    connect() {
      // Prisma ends it when it disconnects, and may connect again.
      connections.pool = new Pool({ connectionString: url, ...limits });
      return new PrismaPg(connections.pool, { statementNameGenerator: nameOf, disposeExternalPool: true }).connect();
    },
  };
  const transactionOptions = { maxWait: limits.connectionTimeoutMillis, timeout: MAX_TRANSACTION_MS };
  const db = new PrismaClient({ adapter, transactionOptions });
  connectionsOf.set(db, connections);
  return db;
}

interface Connections {
  /** Prisma's, once it has connected. */
  pool: Pool | undefined;
  nameOf(sql: string): string;
}

const connectionsOf = new WeakMap<object, Connections>();

/** Undefined until it is first used. */
export const poolOf = (db: Database): Pool | undefined => connectionsOf.get(db)?.pool;

/** As Prisma reads them: 64-bit integers exactly. */
const typeParsers = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === types.builtins.INT8 ? BigInt : types.getTypeParser(oid, format),
};

/**
 * What `$queryRaw` answers, for the statements that run most: on Prisma's connections, with its prepared statements, and
 * without what Prisma does around one, which costs more than the statement itself. Within a transaction it is
 * `$queryRaw`. Numerics and arrays of 64-bit integers must be cast, since each reads them differently.
 */
export async function queryRows<Row extends object>(db: Prisma.TransactionClient, sql: Prisma.Sql): Promise<Row[]> {
  const connections = connectionsOf.get(db);
  if (!connections) return db.$queryRaw<Row[]>(sql);
  if (!connections.pool || connections.pool.ending) await (db as Database).$connect();
  const { pool, nameOf } = connections;
  if (!pool) throw new Error('Prisma has not connected');
  const { text, values } = sql;
  return (await pool.query<Row>({ name: nameOf(text), text, values, types: typeParsers })).rows;
}

/** More than the program has; any statement beyond that is prepared each time. */
const MAX_PREPARED_STATEMENTS = 500;

/**
 * Put into statements that must be planned for the current table size: a queue is sometimes empty and sometimes long.
 */
export const REPLAN_EACH_TIME = Prisma.raw('/* planned anew */');

/**
 * For the rest of a transaction whose statements each have an index that yields what they read: a table that the server
 * takes for empty would otherwise be read as a whole. To compile statements that take so little takes longer than they do.
 */
export const readByIndex = (tx: Pick<Prisma.TransactionClient, '$queryRaw'>): Promise<unknown> =>
  tx.$queryRaw`select set_config(name, 'off', true) from unnest(array['enable_seqscan', 'enable_sort', 'enable_incremental_sort', 'jit']) as name`;

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
