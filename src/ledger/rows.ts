/** Balances are sums of ledger entries, on top of a snapshot for accounts with many entries. */
import { Prisma } from '../../prisma/generated/client';
import { batchedById } from '../platform/database/batch';
import { type Database, queryRows } from '../platform/database/connection';
import { lockName } from '../platform/database/locks';
import type { Money } from '../platform/money';
import { accountsExceptCustomers, merchantAccount } from './accounts';

/**
 * The inlined form of the SQL function `account_balance`, for queries that read many accounts: it is planned once per
 * query instead of once per account.
 */
export const balanceExpression = (account: Prisma.Sql): Prisma.Sql => Prisma.sql`
  (coalesce((select balance from balances where account = ${account}), 0)
    + coalesce((select sum(amount) from entries where account = ${account}
        and xact >= coalesce((select horizon from balances where account = ${account}), '0'::xid8)), 0))`;

const loadBalances = batchedById((db, accounts: readonly string[]) =>
  queryRows<{ id: string; balance: string }>(
    db,
    Prisma.sql`select id, ${balanceExpression(Prisma.sql`requested.id`)}::text as balance
        from unnest(${[...accounts]}::varchar[]) as requested (id)`,
  ),
);

export const balanceOf = async (db: Database, account: string): Promise<Money> =>
  BigInt((await loadBalances(db, account))?.balance ?? 0);

export interface MerchantBalances {
  balance: Money;
  /** The part of the balance that may be paid out. */
  available: Money;
  customers_balance: Money;
}

/**
 * Balances of the merchant's own account and of all its customers together. Every movement sums to zero within one
 * merchant, so the customers' total is the negated sum of the other accounts and needs no read per customer.
 */
export async function merchantBalances(db: Database, merchant_id: string): Promise<MerchantBalances> {
  const [row] = await db.$queryRaw<Record<keyof MerchantBalances, string>[]>`
    select account_balance(${merchantAccount(merchant_id)})::text as balance,
      available_balance(${merchant_id})::text as available,
      (-sum(account_balance(account)))::text as customers_balance
    from unnest(${accountsExceptCustomers(merchant_id)}::varchar[]) as account`;
  return {
    balance: BigInt(row?.balance ?? 0),
    available: BigInt(row?.available ?? 0),
    customers_balance: BigInt(row?.customers_balance ?? 0),
  };
}

/** Locks the merchant's account, so that concurrent payouts stay within the amount that is available. */
export async function lockAndReadAvailable(tx: Prisma.TransactionClient, merchant_id: string): Promise<Money> {
  await lockName(tx, merchantAccount(merchant_id));
  const [row] = await tx.$queryRaw<
    { available: string }[]
  >`select available_balance(${merchant_id})::text as available`;
  return BigInt(row?.available ?? 0);
}

/** Locks the account, which every debit that must not overdraw it requires. */
export async function lockAndReadBalance(tx: Prisma.TransactionClient, account: string): Promise<Money> {
  await lockName(tx, account);
  return readBalance(tx, account);
}

/** Requires that the database transaction has locked the account. */
export async function readBalance(tx: Prisma.TransactionClient, account: string): Promise<Money> {
  const [row] = await tx.$queryRaw<{ balance: string }[]>`select account_balance(${account})::text as balance`;
  return BigInt(row?.balance ?? 0);
}

const MAX_ENTRIES_SINCE_SNAPSHOT = 500;
/** Ledger pages scanned per run. */
const MAX_PAGES = 20_000;

/** The next ledger page to scan, and the accounts above the limit in the previous run. */
interface Progress {
  page: number;
  busy: string[];
}

const progressOf = new WeakMap<object, Progress>();

/**
 * Writes balance snapshots of accounts with many new entries. A snapshot's horizon is the oldest open database
 * transaction: earlier entries are final, later ones are summed on read. The ledger is append-only, so accounts with new
 * entries are found in its last pages.
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
  // The last page can still grow, and an old open transaction can leave busy accounts above the limit.
  progressOf.set(db, { page: Math.max(0, end - 1), busy: accounts });
  return { count };
}
