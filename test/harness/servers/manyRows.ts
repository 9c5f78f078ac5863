/** Rows that a test inserts itself, because thousands of requests would take minutes, and counts of row reads. */
import type { Prisma } from '../../../prisma/generated/client';
import type { Database } from '../../../src/platform/database/connection';
import { PATIENCE } from './database';

/** Merchants m0, m1 and so on as SQL, each with a plan, a customer and a card with its number: p0, a0, k0. */
export const merchantsSql = (environment: 'production' | 'sandbox', first: number, last: number): string => `
  insert into merchants (id, environment, name, email)
  select 'm' || i, '${environment}', 'Shop', 'shop@example.com' from generate_series(${first}, ${last}) i;
  insert into plans (id, merchant_id, creation_date, name, amount, repeat_every, repeat_unit, retry_times, status_after_retry, trial_days)
  select 'p' || i, 'm' || i, now(), 'Monthly', 1000, 1, 'month', 0, 'unpaid', 0 from generate_series(${first}, ${last}) i;
  insert into customers (id, merchant_id, name, email)
  select 'a' || i, 'm' || i, 'Ana', 'ana@example.com' from generate_series(${first}, ${last}) i;
  insert into cards (id, merchant_id, customer_id, holder_name, card_number, expiration_month, expiration_year, brand, status)
  select 'k' || i, 'm' || i, 'a' || i, 'Ana', '', '12', '30', 'visa', 'deleted' from generate_series(${first}, ${last}) i;`;

/** The number of rows of these tables that a transaction has read. */
export async function rowsRead(tx: Prisma.TransactionClient, tables: string[]): Promise<number> {
  const [read] = await tx.$queryRaw<{ rows: number }[]>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as rows from pg_stat_xact_user_tables
    where relname = any(${tables})`;
  return read?.rows ?? 0;
}

/** Counts the rows of these tables that a piece of work reads. */
export const countReads = (
  db: Database,
  tables: string[],
  work: (tx: Prisma.TransactionClient) => Promise<unknown>,
): Promise<number> =>
  db.$transaction(async tx => {
    const before = await rowsRead(tx, tables);
    await work(tx);
    return (await rowsRead(tx, tables)) - before;
  }, PATIENCE);
