/**
 * Applies prisma/migrations in order and records them in Prisma's own table, so that the Prisma CLI works too. Each
 * migration and its record are committed in one transaction.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { FatalError } from '../lifetime';
import { connectOnce } from './connection';

const MIGRATION_LOCK_ID = 72707369;
/** Queries queue behind a migration that waits for their table, so it waits for less time than a request does. */
const MAX_TABLE_LOCK_WAIT_MS = 1000;
const LOCK_NOT_AVAILABLE = '55P03';

const CREATE_MIGRATIONS_TABLE = `
  create table if not exists _prisma_migrations (
    id varchar(36) primary key, checksum varchar(64) not null, finished_at timestamptz, migration_name varchar(255) not null,
    logs text, rolled_back_at timestamptz, started_at timestamptz not null default now(), applied_steps_count int not null default 0
  )`;

/** There is no migration path from before 1.0.0. */
export class EarlierDatabaseError extends FatalError {
  constructor() {
    super('The database belongs to a version before 1.0.0, which cannot be upgraded: use an empty database.');
  }
}

interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

/** Returns the names of the applied migrations. Concurrent runs wait for each other until `stop` aborts. */
export async function migrate(
  databaseUrl: string,
  directory: string,
  { stop, timeoutMs }: { stop?: AbortSignal; timeoutMs?: number | undefined } = {},
): Promise<string[]> {
  const client = await connectOnce(databaseUrl, timeoutMs);
  try {
    while (!(await tryLock(client))) await sleep(200, undefined, { signal: stop });
    await client.query(CREATE_MIGRATIONS_TABLE);
    const pending = await findPending(client, await readMigrations(directory));
    for (const migration of pending)
      while (!(await apply(client, migration))) await sleep(MAX_TABLE_LOCK_WAIT_MS, undefined, { signal: stop });
    return pending.map(({ name }) => name);
  } catch (error) {
    if (error instanceof FatalError || stop?.aborted) throw error;
    throw new FatalError(`The database could not be migrated: ${(error as Error).message}.`);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
    MIGRATION_LOCK_ID,
  ]);
  return rows[0]?.locked === true;
}

export async function newestMigration(directory: string): Promise<string> {
  return (await readMigrations(directory)).at(-1)?.name ?? '';
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter(entry => entry.isDirectory()).map(({ name }) => name);
  return Promise.all(
    names.sort().map(async name => {
      const sql = await readFile(join(directory, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

async function findPending(client: Client, migrations: Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<{ migration_name: string; checksum: string; finished_at: Date | null }>(
    'select migration_name, checksum, finished_at from _prisma_migrations where rolled_back_at is null',
  );
  const records = new Map(rows.map(row => [row.migration_name, row]));
  for (const { name, checksum } of migrations) {
    const record = records.get(name);
    // This program commits the record with its migration, so another tool left the unfinished record.
    if (record && !record.finished_at)
      throw new FatalError(
        `Migration ${name} was started by another tool and did not finish: complete it with that tool.`,
      );
    if (record && record.checksum !== checksum) {
      throw new FatalError(
        `Migration ${name} was changed after it was applied: restore its file and write a new migration.`,
      );
    }
  }
  const unknownNames = [...records.keys()].filter(name => !migrations.some(migration => migration.name === name));
  if (unknownNames.length > 0) {
    const [baseline] = migrations;
    if (baseline && !records.has(baseline.name)) throw new EarlierDatabaseError();
    throw new FatalError(
      `The database is newer than this program: it has ${unknownNames.join(', ')}. Upgrade the program.`,
    );
  }
  return migrations.filter(({ name }) => !records.has(name));
}

/** False if a running process locks a table for too long; the database is then unchanged. */
async function apply(client: Client, { name, sql, checksum }: Migration): Promise<boolean> {
  const record = [randomUUID(), checksum, name];
  try {
    await client.query(`begin; set local lock_timeout = ${MAX_TABLE_LOCK_WAIT_MS}`);
    await client.query(sql);
    await client.query(
      `insert into _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       values ($1, $2, $3, now(), clock_timestamp(), 1)`,
      record,
    );
    await client.query('commit');
    return true;
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    await client.query('rollback').catch(() => {
      throw error; // the connection is lost, so the server rolls back
    });
    if (code === LOCK_NOT_AVAILABLE) return false;
    await client.query(
      `insert into _prisma_migrations (id, checksum, migration_name, logs, rolled_back_at) values ($1, $2, $3, $4, now())`,
      [...record, message],
    );
    throw new FatalError(`Migration ${name} failed and was rolled back: ${message}. Fix it and run it again.`);
  }
}
