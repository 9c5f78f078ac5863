import { PrismaPg } from '@prisma/adapter-pg';
import { Client, Pool, types } from 'pg';
import { Prisma, PrismaClient } from '../../../prisma/generated/client';
import { FatalError } from '../lifetime';
import { withoutPassword } from '../log';

export type Database = PrismaClient;

/**
 * Each statement has a timeout of its own. This one is for a process that stops between two statements: long enough for
 * a busy machine, and short enough to release its locks soon.
 */
const MAX_TRANSACTION_MS = 30_000;

/**
 * Connects on first use and reconnects, so a process may start before its database. With a timeout, queries to a server
 * that stops responding fail.
 */
export function openDatabase(url: string, timeoutMs?: number): Database {
  // The server cancels too: an abandoned query that waits for a lock would keep its connection occupied.
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
  /** Prisma's pool; undefined before it connects. */
  pool: Pool | undefined;
  nameOf(sql: string): string;
}

const connectionsOf = new WeakMap<object, Connections>();

/** Undefined before the first use. */
export const poolOf = (db: Database): Pool | undefined => connectionsOf.get(db)?.pool;

/** Reads 64-bit integers exactly, as Prisma does. */
const typeParsers = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === types.builtins.INT8 ? BigInt : types.getTypeParser(oid, format),
};

/**
 * A faster `$queryRaw` for frequent statements: it uses Prisma's connections and prepared statements but skips Prisma's
 * own processing, which costs more than the statement. Within a transaction it is `$queryRaw`. Cast numerics and arrays of
 * 64-bit integers, because the two read them differently.
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

/** Higher than the number of statements in the program; further statements are not prepared. */
const MAX_PREPARED_STATEMENTS = 500;

/** Marks statements that must be planned for the current table size, because a queue may be empty or long. */
export const REPLAN_EACH_TIME = Prisma.raw('/* planned anew */');

/**
 * For the rest of a transaction whose statements each have a suitable index. PostgreSQL would otherwise scan a table whose
 * statistics say that it is empty, or spend longer on JIT compilation than on the statement.
 */
export const readByIndex = (tx: Pick<Prisma.TransactionClient, '$queryRaw'>): Promise<unknown> =>
  tx.$queryRaw`select set_config(name, 'off', true) from unnest(array['enable_seqscan', 'enable_sort', 'enable_incremental_sort', 'jit']) as name`;

/** A named statement is parsed and planned once per connection, which is most of the cost of a small statement. */
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

export class UnreachableDatabaseError extends FatalError {}

/** A single connection for commands that need the database: they fail soon with a clear message. */
export async function connectOnce(url: string, timeoutMs = 10_000): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: timeoutMs });
  // A broken connection already fails the pending query.
  client.on('error', () => undefined);
  await client.connect().catch(({ message }) => {
    throw new UnreachableDatabaseError(`The database ${withoutPassword(url)} does not respond: ${message}.`);
  });
  return client;
}

/** Whether the database refused a write for a constraint or with a message that matches. */
export const violates = (error: unknown, refusal: RegExp): boolean =>
  error instanceof Error && refusal.test(`${error.message} ${JSON.stringify((error as { meta?: unknown }).meta)}`);
