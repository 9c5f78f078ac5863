/**
 * A statement is what one snapshot of the ledger holds, however long reading it takes: entries that come later are not
 * in that snapshot, whatever their date.
 */
import { Prisma } from '../../../prisma/generated/client';
import { costsAccount, merchantAccount, taxAccount } from '../../ledger/accounts';
import { type Database, queryRows } from '../../platform/database/connection';
import type { Money } from '../../platform/money';
import type { StatementMovement, StatementTotals } from './fields';
import { idOf, typeOf } from './types';

export interface LedgerView {
  merchant_id: string;
  since: Date;
  until: Date;
  /** Of PostgreSQL, as text. */
  snapshot: string;
}

/** After which movement to read on, and the balance there. */
export interface Position {
  date: Date;
  movement: string;
  balance: Money;
}

/** What makes the server use the index of these accounts: it cannot know which account a parameter names. */
const IS_INDEXED = Prisma.sql`(account like 'merchant %' or account like 'costs %' or account like 'tax %')`;

const accountsOf = (merchant_id: string): string[] => [
  merchantAccount(merchant_id),
  costsAccount(merchant_id),
  taxAccount(merchant_id),
];

/**
 * Entries that were restored from another server may have ids of database transactions that are still to come here;
 * none of those is open.
 */
const isIn = ({ snapshot }: LedgerView): Prisma.Sql => Prisma.sql`
  (pg_visible_in_snapshot(xact, ${snapshot}::pg_snapshot) or xact >= pg_snapshot_xmax(pg_current_snapshot()))`;

type Place = Pick<Position, 'date' | 'movement'>;

/** Movements have names, so that this is before all of them. */
export const startOf = (date: Date): Place => ({ date, movement: '' });
const END_OF_TIME = startOf(new Date('9999-01-01T00:00:00Z'));

/** So few are summed by one statement that it never reaches the time limit of the database. */
const MAX_SUMMED_ENTRIES = 50_000;

/** What the entries of each account sum to, after one place and up to another. */
async function sumEntries(
  db: Database,
  view: LedgerView,
  accounts: readonly string[],
  [after, upTo]: [Place, Place],
): Promise<Money[]> {
  const sums = new Map(accounts.map(account => [account, 0n]));
  let open = accounts.map(account => ({ account, ...after }));
  while (open.length > 0) {
    const rows = await queryRows<Place & { account: string; sum: string; is_last: boolean }>(
      db,
      Prisma.sql`
      select asked.account, part.* from unnest(${open.map(({ account }) => account)}::varchar[],
          ${open.map(({ date }) => date)}::timestamptz[], ${open.map(({ movement }) => movement)}::varchar[]) as asked (account, date, movement),
        lateral (
          select coalesce(sum(amount), 0)::text as sum, count(*) < ${MAX_SUMMED_ENTRIES} as is_last, max(creation_date) as date,
            max(movement) filter (where place = ${MAX_SUMMED_ENTRIES}) as movement
          from (select amount, creation_date, movement, row_number() over (order by creation_date, movement) as place from entries
            where account = asked.account and ${IS_INDEXED} and (creation_date, movement) > (asked.date, asked.movement)
              and (creation_date, movement) <= (${upTo.date}, ${upTo.movement}) and ${isIn(view)}
            order by creation_date, movement limit ${MAX_SUMMED_ENTRIES}) as entry
        ) as part`,
    );
    for (const { account, sum } of rows) sums.set(account, (sums.get(account) ?? 0n) + BigInt(sum));
    open = rows.filter(row => !row.is_last);
  }
  return [...sums.values()];
}

/** The balance is that of now less what came since, because the latter is as a rule the shorter part of the books. */
export async function openLedger(
  db: Database,
  span: Omit<LedgerView, 'snapshot'>,
): Promise<{ view: LedgerView; opening: Money; totals: StatementTotals }> {
  const [since, until] = [startOf(span.since), startOf(span.until)];
  const accounts = accountsOf(span.merchant_id);
  const [merchant = ''] = accounts;
  const [now] = await queryRows<Record<'snapshot' | 'balance', string>>(
    db,
    Prisma.sql`select pg_current_snapshot()::text as snapshot, account_balance(${merchant})::text as balance`,
  );
  if (!now) throw new Error('there is always a snapshot');
  const view = { ...span, snapshot: now.snapshot };
  const [net = 0n, cost = 0n, cost_tax = 0n] = await sumEntries(db, view, accounts, [since, until]);
  const [later = 0n] = await sumEntries(db, view, [merchant], [until, END_OF_TIME]);
  const totals = { amount: net + cost + cost_tax, cost, cost_tax, net };
  return { view, opening: BigInt(now.balance) - later - net, totals };
}

interface MovementRow {
  movement: string;
  date: Date;
  transaction_id: string;
  order_id: string | null;
  description: string | null;
  net: bigint;
  cost: bigint;
  cost_tax: bigint;
}

/**
 * The next movements. A charge that costs just what it brings does not touch the merchant's account, so that all three
 * accounts are read; the first so many entries of each are enough for so many movements.
 */
export async function readMovements(
  db: Database,
  view: LedgerView,
  after: Position,
  limit: number,
): Promise<{ movements: StatementMovement[]; last: Position }> {
  const accounts = accountsOf(view.merchant_id);
  const next = accounts.map(
    account => Prisma.sql`(select * from entries where account = ${account} and ${IS_INDEXED}
      and (creation_date, movement) > (${after.date}, ${after.movement}) and creation_date < ${view.until} and ${isIn(view)}
      order by creation_date, movement limit ${limit})`,
  );
  const sums = ['net', 'cost', 'cost_tax'].map(
    (name, i) =>
      Prisma.sql`coalesce(sum(amount) filter (where account = ${accounts[i]}), 0)::bigint as ${Prisma.raw(name)}`,
  );
  const rows = await queryRows<MovementRow>(
    db,
    Prisma.sql`
    select page.*, coalesce(t.order_id, parent.order_id) as order_id, t.description
    from (
      select movement, creation_date as date, min(transaction_id) as transaction_id, ${Prisma.join(sums)}
      from (${Prisma.join(next, ' union all ')}) as entry
      group by creation_date, movement order by creation_date, movement limit ${limit}
    ) as page join transactions t on t.id = page.transaction_id left join transactions parent on parent.id = t.parent_id
    order by date, movement`,
  );
  let { balance } = after;
  const movements = rows.map(({ movement, net, cost, cost_tax, ...row }): StatementMovement => {
    balance += net;
    const amounts = { amount: net + cost + cost_tax, cost, cost_tax, net, balance };
    return { ...row, ...amounts, id: idOf(movement), type: typeOf(movement) };
  });
  const last = rows.at(-1);
  return { movements, last: last ? { date: last.date, movement: last.movement, balance } : after };
}

/** Undefined if there is no such movement in this statement. */
export async function findPosition(
  db: Database,
  view: LedgerView,
  opening: Money,
  movement: string,
): Promise<Position | undefined> {
  const accounts = accountsOf(view.merchant_id);
  const [place] = await queryRows<Place>(
    db,
    Prisma.sql`
    select creation_date as date, movement from entries
    where movement = ${movement} and account = any(${accounts}::varchar[])
      and creation_date >= ${view.since} and creation_date < ${view.until} and ${isIn(view)} limit 1`,
  );
  if (!place) return undefined;
  const [net = 0n] = await sumEntries(db, view, accounts.slice(0, 1), [startOf(view.since), place]);
  return { ...place, balance: opening + net };
}
