/** Balances are sums of ledger entries, on top of a snapshot for accounts with many entries. */
import { Prisma } from '../../prisma/generated/client';
import { batchedById } from '../platform/database/batch';
import { type Database, queryRows } from '../platform/database/connection';
import { lockName } from '../platform/database/locks';
import type { Money } from '../platform/money';
import { accountsBesideCustomers, merchantAccount } from './accounts';

/**
 * What the function `account_balance` says of the account that an expression names, for statements that read many: as a
 * part of the statement it is planned once, where the function is a query of its own for each account.
 */
export const balanceExpression = (account: Prisma.Sql): Prisma.Sql => Prisma.sql`
  (coalesce((select balance from balances where account = ${account}), 0)
    + coalesce((select sum(amount) from entries where account = ${account}
        and xact >= coalesce((select horizon from balances where account = ${account}), '0'::xid8)), 0))`;

const loadBalances = batchedById((db, accounts: readonly string[]) =>
  queryRows<{ id: string; balance: string }>(
    db,
    Prisma.sql`select id, ${balanceExpression(Prisma.sql`asked.id`)}::text as balance
        from unnest(${[...accounts]}::varchar[]) as asked (id)`,
  ),
);

export const balanceOf = async (db: Database, account: string): Promise<Money> =>
  BigInt((await loadBalances(db, account))?.balance ?? 0);

/**
 * Of the merchant's own account, and of all its customers' together. Every movement sums to zero within the accounts of
 * one merchant, so its customers have what its other accounts lack: five sums, however many customers there are.
 */
export async function merchantBalances(
  db: Database,
  merchant_id: string,
): Promise<{ balance: Money; customers_balance: Money }> {
  const [row] = await db.$queryRaw<{ balance: string; customers_balance: string }[]>`
    select account_balance(${merchantAccount(merchant_id)})::text as balance,
      (-sum(account_balance(account)))::text as customers_balance
    from unnest(${accountsBesideCustomers(merchant_id)}::varchar[]) as account`;
  return { balance: BigInt(row?.balance ?? 0), customers_balance: BigInt(row?.customers_balance ?? 0) };
}

/** A debit that must not overdraw an account locks it first. */
export async function lockAndReadBalance(tx: Prisma.TransactionClient, account: string): Promise<Money> {
  await lockName(tx, account);
  return readBalance(tx, account);
}

/** Within a database transaction that has locked the account. */
export async function readBalance(tx: Prisma.TransactionClient, account: string): Promise<Money> {
  const [row] = await tx.$queryRaw<{ balance: string }[]>`select account_balance(${account})::text as balance`;
  return BigInt(row?.balance ?? 0);
}

/** An account with more new entries than this gets a new snapshot, so that reading its balance stays fast. */
const MAX_ENTRIES_SINCE_SNAPSHOT = 500;
/** So much of the ledger is looked through at a time: a long one that nobody has looked at takes several. */
const MAX_PAGES = 20_000;

/** Which page of the ledger a process has come to, and which accounts had many entries then. */
interface Progress {
  page: number;
  busy: string[];
}

const progressOf = new WeakMap<object, Progress>();

/**
 * A snapshot's horizon is the oldest database transaction still open: entries before it are final, later ones are
 * summed on reading. The ledger only grows, so that whoever has new entries is found in its last pages.
 */
export async function snapshotBalances(db: Pick<Database, '$queryRaw' | '$executeRaw'>): Promise<{ count: number }> {
  const { page, busy } = progressOf.get(db) ?? { page: 0, busy: [] };
  const [size] = await db.$queryRaw<{ pages: number }[]>`
    select (pg_relation_size('entries') / current_setting('block_size')::integer)::integer as pages`;
  const end = Math.min(size?.pages ?? 0, page + MAX_PAGES);
  const found = await db.$queryRaw<{ account: string }[]>`
    select account from (
      select account from entries where ctid >= ${`(${page},0)`}::tid and ctid < ${`(${end},0)`}::tid
      union select unnest(${busy}::varchar[])
    ) as candidate
    where (select count(*) from (
        select from entries since where since.account = candidate.account
          and since.xact >= coalesce((select horizon from balances where balances.account = candidate.account), '0'::xid8)
        limit ${MAX_ENTRIES_SINCE_SNAPSHOT + 1}) as counted) > ${MAX_ENTRIES_SINCE_SNAPSHOT}`;
  const accounts = found.map(({ account }) => account);
  const count = await db.$executeRaw`
    insert into balances (account, balance, horizon)
    select account, account_balance(account) - coalesce((select sum(amount) from entries recent
        where recent.account = busy_account.account and recent.xact >= pg_snapshot_xmin(pg_current_snapshot())), 0),
      pg_snapshot_xmin(pg_current_snapshot())
    from unnest(${accounts}::varchar[]) as busy_account (account)
    on conflict (account) do update set balance = excluded.balance, horizon = excluded.horizon
    where balances.horizon < excluded.horizon`;
  // The last page is not full yet. Where an old transaction was open, not all that is busy could be summed up.
  progressOf.set(db, { page: Math.max(0, end - 1), busy: accounts });
  return { count };
}
