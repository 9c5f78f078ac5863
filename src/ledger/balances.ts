/** Balances are read from what entries sum to. */

import { batchedById } from '../database/batch';
import type { Database } from '../database/connection';
import type { Money } from '../platform/money';

const balances = batchedById(
  (db, accounts: readonly string[]) => db.$queryRaw<{ id: string; balance: Money }[]>`
    select account as id, balance_of(account) as balance from unnest(${[...accounts]}::varchar[]) as account`,
);

export const balanceOf = async (db: Database, account: string): Promise<Money> =>
  (await balances(db, account))?.balance ?? 0n;

/** Entries that are worth summing up once instead of at every look. */
const MIN_ENTRIES_TO_SUM = 500;

/** Moves the horizon of accounts that have grown. Only transactions that have ended lie before it. */
export const snapshotBalances = async (db: Database): Promise<{ count: number }> => ({
  count: await db.$executeRaw`
    insert into balances (account, balance, horizon)
    select account, balance_of(account) - coalesce((select sum(amount) from entries late
        where late.account = grown.account and late.xact >= pg_snapshot_xmin(pg_current_snapshot())), 0),
      pg_snapshot_xmin(pg_current_snapshot())
    from (
      select account from entries
      where xact >= coalesce((select horizon from balances where balances.account = entries.account), '0'::xid8)
      group by account having count(*) > ${MIN_ENTRIES_TO_SUM}
    ) as grown
    on conflict (account) do update set balance = excluded.balance, horizon = excluded.horizon
    where balances.horizon < excluded.horizon`,
});
