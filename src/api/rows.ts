import { randomBytes } from 'node:crypto';
import { Prisma } from '../../prisma/generated/client';
import { type Database, queryRows } from '../platform/database/connection';
import { newestMigration } from '../platform/database/migrations';
import { fromRoot } from '../platform/root';

export interface IdempotentRequest {
  merchant_id: string;
  method: string;
  path: string;
  key: string;
  body_hash: Uint8Array<ArrayBuffer>;
}

export interface IdempotencyRow {
  body_hash: Uint8Array;
  seed: Uint8Array;
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
  claimed: boolean;
}

export const LEASE_SECONDS = 5;

/**
 * One statement: inserts the row, or takes over one whose lease has expired, or reads the existing one. Undefined if
 * another request inserted it after the statement's snapshot was taken: the next statement sees it.
 */
export async function claim(db: Database, request: IdempotentRequest): Promise<IdempotencyRow | undefined> {
  const { merchant_id, method, path, key, body_hash } = request;
  const [row] = await queryRows<IdempotencyRow>(
    db,
    Prisma.sql`
    with claimed as (
      insert into idempotent_replies as existing (merchant_id, method, path, key, body_hash, seed, lease_until)
      values (${merchant_id}, ${method}, ${path}, ${key}, ${body_hash}, ${randomBytes(16)},
        now() + make_interval(secs => ${LEASE_SECONDS}))
      on conflict (merchant_id, method, path, key) do update set lease_until = excluded.lease_until
      where existing.status is null and existing.lease_until < now()
        and existing.body_hash = excluded.body_hash
      returning body_hash, seed, status, headers, body, true as claimed
    )
    select * from claimed
    union all
    select body_hash, seed, status, headers, body, false from idempotent_replies
    where (merchant_id, method, path, key) = (${merchant_id}, ${method}, ${path}, ${key})
      and not exists (select from claimed)`,
  );
  return row;
}

/** Keeps the lease of work that takes longer than it. */
export const extendLease = (
  db: Database,
  { merchant_id, method, path, key }: IdempotentRequest,
): Promise<number> => db.$executeRaw`
  update idempotent_replies set lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
  where (merchant_id, method, path, key) = (${merchant_id}, ${method}, ${path}, ${key}) and status is null`;

const requiredMigration = newestMigration(fromRoot('prisma/migrations'));

/** A database is up only when it has all migrations of this program. */
export async function databaseState(db: Database): Promise<'up' | 'unmigrated'> {
  const [table] = await db.$queryRaw<{ name: string | null }[]>`
    select to_regclass('_prisma_migrations')::text as name`;
  if (!table?.name) return 'unmigrated';
  const rows = await db.$queryRaw<unknown[]>`
    select 1 from _prisma_migrations where migration_name = ${await requiredMigration} and finished_at is not null`;
  return rows.length > 0 ? 'up' : 'unmigrated';
}
