/** Account statements read one database snapshot of the ledger across all of their queries. */
import { Prisma } from '../../../prisma/generated/client';
import { costsAccount, merchantAccount, taxAccount } from '../../ledger/accounts';
import { type Database, queryRows } from '../../platform/database/connection';
import type { Money } from '../../platform/money';
import { includedTax, scaledIva } from '../charges/tax';
import type { StatementMovement, StatementTotals } from './fields';
import { idOf, typeOf } from './types';

export interface LedgerView {
  merchant_id: string;
  since: Date;
  until: Date;
  /** pg_snapshot as text. */
  snapshot: string;
}

/** The movement after which to continue, and the balance after it. */
export interface Position {
  date: Date;
  movement: string;
  balance: Money;
}

/** The condition of the partial index, which the planner cannot derive from a parameter. */
const IS_INDEXED = Prisma.sql`(account like 'merchant %' or account like 'costs %' or account like 'tax %')`;

const accountsOf = (merchant_id: string): string[] => [
  merchantAccount(merchant_id),
  costsAccount(merchant_id),
  taxAccount(merchant_id),
];

/**
 * Entries restored from another server can have transaction IDs that are in the future here; these transactions are
 * complete.
 */
const isIn = ({ snapshot }: LedgerView): Prisma.Sql => Prisma.sql`
  (pg_visible_in_snapshot(xact, ${snapshot}::pg_snapshot) or xact >= pg_snapshot_xmax(pg_current_snapshot()))`;

type Place = Pick<Position, 'date' | 'movement'>;

/** An empty name sorts before every movement. */
export const startOf = (date: Date): Place => ({ date, movement: '' });
const END_OF_TIME = startOf(new Date('9999-01-01T00:00:00Z'));

/** Keeps each query below the statement timeout. */
const MAX_SUMMED_ENTRIES = 50_000;

/** Sums the entries of each account between two positions. */
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
      select requested.account, part.* from unnest(${open.map(({ account }) => account)}::varchar[],
          ${open.map(({ date }) => date)}::timestamptz[], ${open.map(({ movement }) => movement)}::varchar[]) as requested (account, date, movement),
        lateral (
          select coalesce(sum(amount), 0)::text as sum, count(*) < ${MAX_SUMMED_ENTRIES} as is_last, max(creation_date) as date,
            max(movement) filter (where place = ${MAX_SUMMED_ENTRIES}) as movement
          from (select amount, creation_date, movement, row_number() over (order by creation_date, movement) as place from entries
            where account = requested.account and ${IS_INDEXED} and (creation_date, movement) > (requested.date, requested.movement)
              and (creation_date, movement) <= (${upTo.date}, ${upTo.movement}) and ${isIn(view)}
            order by creation_date, movement limit ${MAX_SUMMED_ENTRIES}) as entry
        ) as part`,
    );
    for (const { account, sum } of rows) sums.set(account, (sums.get(account) ?? 0n) + BigInt(sum));
    open = rows.filter(row => !row.is_last);
  }
  return [...sums.values()];
}

/** Computes the opening balance backwards from the current one, which usually reads fewer entries. */
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
  if (!now) throw new Error('statement: no snapshot');
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
  /** The IVA of the charge, also for its refunds. */
  iva: string | null;
  charged: bigint;
}

/** In proportion to the charge: a refund returns its part of the tax. */
function taxOf(amount: Money, { iva, charged }: Pick<MovementRow, 'iva' | 'charged'>): Money | null {
  const size = amount < 0n ? -amount : amount;
  const tax = size > 0n ? includedTax(scaledIva(iva, size, charged), size) : null;
  return tax && (amount < 0n ? -tax.amount : tax.amount);
}

/**
 * Reads the next movements. All three accounts are read, because a charge whose cost equals its amount has no entry in the
 * merchant's account. The first `limit` entries of each account suffice for `limit` movements.
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
    select page.*, coalesce(t.order_id, parent.order_id) as order_id, t.description, coalesce(parent.iva, t.iva) as iva,
      coalesce(parent.amount, t.amount) as charged
    from (
      select movement, creation_date as date, min(transaction_id) as transaction_id, ${Prisma.join(sums)}
      from (${Prisma.join(next, ' union all ')}) as entry
      group by creation_date, movement order by creation_date, movement limit ${limit}
    ) as page join transactions t on t.id = page.transaction_id left join transactions parent on parent.id = t.parent_id
    order by date, movement`,
  );
  let { balance } = after;
  const movements = rows.map(({ movement, net, cost, cost_tax, iva, charged, ...row }): StatementMovement => {
    balance += net;
    const amount = net + cost + cost_tax;
    const amounts = { amount, cost, cost_tax, net, balance, tax: taxOf(amount, { iva, charged }) };
    return { ...row, ...amounts, id: idOf(movement), type: typeOf(movement) };
  });
  const last = rows.at(-1);
  return { movements, last: last ? { date: last.date, movement: last.movement, balance } : after };
}

/** Returns undefined if the movement is not in this statement. */
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
