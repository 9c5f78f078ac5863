/** Compares the items of a report with the books, a thousand by one statement. */
import { Prisma } from '../../../../prisma/generated/client';
import type { MatchedItems } from '../../../../workflows/contract';
import { newEvent } from '../../../events/newEvent';
import type { Database } from '../../../platform/database/connection';
import { type Environments, whereEnvironmentIn } from '../../../platform/database/environments';
import {
  equalsViaIndex,
  idInQuery,
  idsOf,
  insertDependents,
  insertFrom,
  recordsOf,
  statement,
} from '../../../platform/database/rows';
import { newId } from '../../../platform/identifiers';
import { rendererOf } from '../../../schema/render';
import { Settlement } from '../fields';
import { type SettlementRow, toSettlement } from '../view';

const MAX_BATCH_ITEMS = 1000;

/** Types of items that settle a transaction itself, not a dispute about it. */
const CONCILIATING_TYPES = ['charge', 'refund', 'payout'];

/** The transaction of an item is not in progress. Until then its final amount in the books is unknown. */
const IS_FINISHED = Prisma.sql`not exists (
  select from transactions t where t.id ${equalsViaIndex('item.transaction_id')} and t.progress <> 'settled')`;

/**
 * If two reports name the same movement at once, one waits for the other, violates the unique index on matched
 * movements, and is repeated. A failed refund was reversed, and counts as not in the books.
 */
export async function matchNextItems(
  db: Prisma.TransactionClient,
  report_id: string,
  isEnd: boolean,
): Promise<MatchedItems> {
  const open = Prisma.sql`settlement_items item where item.report_id = ${report_id} and item.result is null`;
  const compared = await db.$executeRaw(
    statement(
      {
        batch: Prisma.sql`select item.* from ${open} and (${isEnd} or ${IS_FINISHED}) order by item.line limit ${MAX_BATCH_ITEMS}`,
        found: Prisma.sql`
          select batch.report_id, batch.line, batch.movement, batch.transaction_id, batch.type, t.merchant_id = batch.merchant_id as is_theirs, -books.cleared as expected,
            books.cost, books.cost_tax, books.cleared = -batch.amount as is_equal,
            exists (select from settlement_items other where other.movement ${equalsViaIndex('batch.movement')} and other.result = 'matched') as is_settled
          from batch left join lateral (
            select t.id, t.merchant_id from transactions t join merchants m on m.id = t.merchant_id
            where t.id ${equalsViaIndex('batch.transaction_id')} and m.environment = (select environment from settlement_reports where id = ${report_id})
          ) as t on true
          left join lateral (
            select nullif(sum(e.amount) filter (where e.account = 'clearing ' || t.merchant_id), 0)::bigint as cleared,
              coalesce(sum(e.amount) filter (where e.account = 'costs ' || t.merchant_id), 0)::bigint as cost,
              coalesce(sum(e.amount) filter (where e.account = 'tax ' || t.merchant_id), 0)::bigint as cost_tax
            from entries e where e.movement = any(array[batch.movement, 'un' || batch.movement])
          ) as books on t.id is not null`,
        judged: Prisma.sql`
          select found.*, case
            when is_theirs is null then 'unknown'
            when not is_theirs then 'other_merchant'
            when expected is null then 'not_in_books'
            when is_settled or is_equal and row_number() over (partition by movement, is_theirs, is_equal order by line) > 1 then 'repeated'
            when not is_equal then 'wrong_amount'
            else 'matched' end as result
          from found`,
        conciliated: Prisma.sql`
          update transactions set conciliated = true where id ${idInQuery(
            Prisma.sql`select id from transactions where id ${idInQuery(
              Prisma.sql`select transaction_id from judged where result = 'matched' and type = any(${CONCILIATING_TYPES})`,
            )} order by id for no key update`,
          )}`,
      },
      Prisma.sql`
        update settlement_items item set result = judged.result,
          expected = case when judged.result in ('unknown', 'other_merchant', 'matched') then null else judged.expected end,
          cost = case judged.result when 'matched' then judged.cost else 0 end,
          cost_tax = case judged.result when 'matched' then judged.cost_tax else 0 end
        from judged where item.report_id ${equalsViaIndex('judged.report_id')} and item.line ${equalsViaIndex('judged.line')} and item.result is null`,
    ),
  );
  if (compared === MAX_BATCH_ITEMS) return { isMore: true, waiting: 0 };
  const [left] = await db.$queryRaw<{ count: bigint }[]>`select count(*) from ${open}`;
  return { isMore: false, waiting: Number(left?.count ?? 0) };
}

/** Ends the report, with its numbers of matched and differing items. */
export async function recordResults(
  db: Prisma.TransactionClient,
  id: string,
): Promise<{ matched: number; differing: number } | undefined> {
  const [report] = await db.$queryRaw<{ matched: number; differing: number }[]>`
    with items as (
      select count(*) filter (where result = 'matched')::integer as matched, count(*) filter (where result <> 'matched')::integer as differing
      from settlement_items where report_id = ${id}
    )
    update settlement_reports set status = case items.differing when 0 then 'matched' else 'differs' end, matched = items.matched,
      differing = items.differing, ended_at = coalesce(ended_at, now())
    from items where id = ${id} returning items.matched, items.differing`;
  return report;
}

const MAX_BATCH_MERCHANTS = 500;
const render = rendererOf(Settlement);

/**
 * The merchant named by the acquirer does not see items of unknown transactions, nor those of other merchants. Returns
 * whether there are more merchants.
 */
export async function writeSettlements(db: Prisma.TransactionClient, report_id: string): Promise<boolean> {
  const isNew = Prisma.sql`not exists (
    select from settlements s where s.report_id = item.report_id and s.merchant_id = item.merchant_id)`;
  const sums = await db.$queryRaw<Omit<SettlementRow, 'id'>[]>`
    ${sumsOf(report_id, isNew)} order by item.merchant_id limit ${MAX_BATCH_MERCHANTS}`;
  if (sums.length === 0) return false;
  const rows = sums.map((sum): SettlementRow => ({ id: newId('settlement'), ...sum }));
  await db.$executeRaw(
    statement(
      {
        written_settlements: insertFrom(
          'settlements',
          'settlement',
          Prisma.sql`from ${recordsOf('settlements', rows)} as settlement order by merchant_id on conflict do nothing returning id`,
        ),
      },
      insertDependents('events', rows.map(createdEvent), idsOf('written_settlements')),
    ),
  );
  return sums.length === MAX_BATCH_MERCHANTS;
}

/** Updates settlements with the status `differs`, after some of their items were found in the books. */
export const updateSettlements = (db: Prisma.TransactionClient, report_id: string): Promise<number> => db.$executeRaw`
  update settlements s set (status, count, differences, charges, refunds, chargebacks, payouts, cost, cost_tax) =
    (sums.status, sums.count, sums.differences, sums.charges, sums.refunds, sums.chargebacks, sums.payouts, sums.cost, sums.cost_tax)
  from (${sumsOf(report_id, Prisma.sql`true`)}) as sums
  where s.report_id = sums.report_id and s.merchant_id = sums.merchant_id and s.status = 'differs'`;

const sumsOf = (report_id: string, condition: Prisma.Sql): Prisma.Sql => Prisma.sql`
  select item.report_id, item.merchant_id, report.day, report.creation_date,
    case count(*) filter (where result <> 'matched') when 0 then 'matched' else 'differs' end as status,
    count(*) filter (where result = 'matched')::integer as count, count(*) filter (where result <> 'matched')::integer as differences,
    ${sumOf('charge')} as charges, ${sumOf('refund')} as refunds, ${sumOf('chargeback')} as chargebacks, ${sumOf('payout')} as payouts,
    sum(cost)::bigint as cost, sum(cost_tax)::bigint as cost_tax
  from settlement_items item join settlement_reports report on report.id = item.report_id
  where item.report_id = ${report_id} and result not in ('unknown', 'other_merchant') and ${condition}
  group by item.report_id, item.merchant_id, report.day, report.creation_date`;

const sumOf = (type: string): Prisma.Sql =>
  Prisma.sql`coalesce(sum(item.amount) filter (where result = 'matched' and item.type = ${type}), 0)::bigint`;

const createdEvent = (row: SettlementRow) => {
  const { id, merchant_id, creation_date } = row;
  const event = newEvent('settlement.created', render, toSettlement(row));
  return { cause: id, row: { ...event, merchant_id, object_id: id, creation_date } };
};

/** Items `i` of a report `r` that the books hold by now, as the report says. */
const IS_FOUND = Prisma.sql`i.result in ('unknown', 'not_in_books') and exists (
    select from transactions t join merchants m on m.id = t.merchant_id
    where t.id = i.transaction_id and t.progress = 'settled' and t.merchant_id = i.merchant_id and m.environment = r.environment)
  and (select sum(amount) from entries where movement = any(array[i.movement, 'un' || i.movement])
    and account = 'clearing ' || i.merchant_id) = -i.amount`;

/** Reports whose books hold items by now that they did not hold before. */
export const findChangedReports = (
  db: Database,
  environments: Environments,
  limit: number,
): Promise<{ id: string }[]> =>
  db.$queryRaw`
    select r.id from settlement_reports r where r.status = 'differs' and ${whereEnvironmentIn(environments)}
      and exists (select from settlement_items i where i.report_id = r.id and i.result <> 'matched' and ${IS_FOUND})
    order by r.creation_date limit ${limit}`;

/** Under a lock of the report. */
export async function reopenChangedItems(tx: Prisma.TransactionClient, id: string): Promise<void> {
  await tx.$queryRaw`select from settlement_reports where id = ${id} for update`;
  await tx.$executeRaw`
    update settlement_items i set result = null, expected = null from settlement_reports r
    where r.id = ${id} and i.report_id = r.id and i.result <> 'matched' and ${IS_FOUND}`;
}
