/** Writes a settlement per merchant of a report, with the sums of its items. */
import { Prisma } from '../../../prisma/generated/client';
import { newEvent } from '../../events/newEvent';
import { idsOf, insertDependents, insertFrom, recordsOf, statement } from '../../platform/database/rows';
import { newId } from '../../platform/identifiers';
import { rendererOf } from '../../schema/render';
import { Settlement } from './fields';
import { type SettlementRow, toSettlement } from './view';

const MAX_BATCH_MERCHANTS = 500;
const render = rendererOf(Settlement);

/**
 * Writes the next settlements and returns whether there can be more. Items of unknown transactions or of another merchant's
 * transactions do not count for the merchant named in the report.
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

/** Updates the differing settlements of a report after a rematch. */
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
