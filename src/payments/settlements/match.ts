/** Matches the items of a settlement report with the ledger in batches. */
import { Prisma } from '../../../prisma/generated/client';
import type { MatchedItems } from '../../../workflows/contract';
import { equalsViaIndex, idInQuery, statement } from '../../platform/database/rows';

const MAX_BATCH_ITEMS = 1000;

/** Item types that settle a transaction itself; chargebacks do not. */
const SETTLING_TYPES = ['charge', 'refund', 'payout'];

/** Whether the transaction of an item is settled here. Until then its ledger entries are incomplete. */
const IS_FINISHED = Prisma.sql`not exists (
  select from transactions t where t.id ${equalsViaIndex('item.transaction_id')} and t.progress <> 'settled')`;

/**
 * A unique index allows one match per movement: of two concurrent reports with the same movement, one fails and is
 * retried. A failed refund was reversed and counts as `not_in_books`.
 */
export async function matchNextItems(
  db: Prisma.TransactionClient,
  report_id: string,
  isEnd: boolean,
): Promise<MatchedItems> {
  const open = Prisma.sql`settlement_items item where item.report_id = ${report_id} and item.result is null`;
  const matchedCount = await db.$executeRaw(
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
              Prisma.sql`select transaction_id from judged where result = 'matched' and type = any(${SETTLING_TYPES})`,
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
  if (matchedCount === MAX_BATCH_ITEMS) return { isMore: true, waiting: 0 };
  const [left] = await db.$queryRaw<{ count: bigint }[]>`select count(*) from ${open}`;
  return { isMore: false, waiting: Number(left?.count ?? 0) };
}
