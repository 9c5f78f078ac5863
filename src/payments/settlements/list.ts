/** Settlements of a merchant, and their items, which never change once they are matched. */
import type { Prisma } from '../../../prisma/generated/client';
import type { Database } from '../../platform/database/connection';
import { omitUndefined } from '../../platform/database/omitUndefined';
import { ApiError } from '../../platform/errors';
import { isId } from '../../platform/identifiers';
import { type Slice, sliced } from '../../schema/connections/window';
import { listWhere } from '../../schema/list';
import type { Context } from '../../schema/operation/context';
import { movementOf } from '../statement/types';
import type { SettlementsArgs, SettlementsConnectionArgs } from './fields';
import type { ItemOwner } from './rows';
import { narrowSettlement, type SettlementRow } from './view';

export async function findSettlement({ db, merchant_id }: Context, id: string): Promise<SettlementRow> {
  const row = isId(id) ? await db.settlement.findUnique({ where: { id, merchant_id } }) : null;
  if (!row) throw new ApiError('not_found');
  return narrowSettlement(row);
}

export const settlementsWhere = (
  { merchant_id }: Context,
  { day, day_gte, day_lte, ...filters }: SettlementsArgs | SettlementsConnectionArgs,
) => ({ merchant_id, day: omitUndefined({ equals: day, gte: day_gte, lte: day_lte }), ...listWhere(filters) });

export async function listSettlements(
  { db }: Context,
  where: Prisma.SettlementWhereInput,
  slice: Slice,
): Promise<SettlementRow[]> {
  return (await db.settlement.findMany(sliced(where, slice))).map(narrowSettlement);
}

/** The line of an item of this settlement. */
export async function findLine(db: Database, { report_id, merchant_id }: ItemOwner, id: string): Promise<number> {
  const where = { report_id, merchant_id, movement: movementOf(id), result: 'matched' };
  const item = await db.settlementItem.findFirst({ where, select: { line: true } });
  if (!item) throw new ApiError('invalid_value', 'not_settlement_item', { field: 'after' });
  return item.line;
}
