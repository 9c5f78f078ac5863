/** Settlements of a merchant and their items. Matched items never change. */
import { Prisma } from '../../../prisma/generated/client';
import { type Database, queryRows } from '../../platform/database/connection';
import { omitUndefined } from '../../platform/database/omitUndefined';
import { ApiError } from '../../platform/errors';
import { isId } from '../../platform/identifiers';
import { type Slice, sliced } from '../../schema/connections/window';
import { listWhere } from '../../schema/list';
import type { Context } from '../../schema/operation/context';
import { idOf, movementOf } from '../statement/types';
import type { SettlementItem, SettlementsPage, SettlementsWindow } from './fields';
import { narrowSettlement, type SettlementRow } from './view';

export async function findSettlement({ db, merchant_id }: Context, id: string): Promise<SettlementRow> {
  const row = isId(id) ? await db.settlement.findUnique({ where: { id, merchant_id } }) : null;
  if (!row) throw new ApiError('not_found');
  return narrowSettlement(row);
}

export const settlementsWhere = (
  { merchant_id }: Context,
  { day, day_gte, day_lte, ...filters }: SettlementsPage | SettlementsWindow,
) => ({ merchant_id, day: omitUndefined({ equals: day, gte: day_gte, lte: day_lte }), ...listWhere(filters) });

export async function listSettlements(
  { db }: Context,
  where: Prisma.SettlementWhereInput,
  slice: Slice,
): Promise<SettlementRow[]> {
  return (await db.settlement.findMany(sliced(where, slice))).map(narrowSettlement);
}

type ItemOwner = Pick<SettlementRow, 'report_id' | 'merchant_id'>;

export interface ListedItem extends SettlementItem {
  line: number;
}

export async function readItems(
  db: Database,
  { report_id, merchant_id }: ItemOwner,
  after: number,
  limit: number,
): Promise<ListedItem[]> {
  const rows = await queryRows<Omit<ListedItem, 'id' | 'net'> & { movement: string }>(
    db,
    Prisma.sql`
    select page.*, coalesce(t.order_id, parent.order_id) as order_id
    from (
      select line, type, transaction_id, movement, date, amount, cost, cost_tax from settlement_items
      where report_id = ${report_id} and merchant_id = ${merchant_id} and line > ${after} and result = 'matched'
      order by line limit ${limit}
    ) as page join transactions t on t.id = page.transaction_id left join transactions parent on parent.id = t.parent_id
    order by line`,
  );
  return rows.map(({ movement, ...row }) => ({
    ...row,
    id: idOf(movement),
    net: row.amount - row.cost - row.cost_tax,
  }));
}

/** Throws if the item does not belong to the settlement. */
export async function findLine(db: Database, { report_id, merchant_id }: ItemOwner, id: string): Promise<number> {
  const where = { report_id, merchant_id, movement: movementOf(id), result: 'matched' };
  const item = await db.settlementItem.findFirst({ where, select: { line: true } });
  if (!item) throw new ApiError('invalid_value', 'not_settlement_item', { field: 'after' });
  return item.line;
}
