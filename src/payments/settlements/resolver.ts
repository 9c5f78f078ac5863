import { Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { Id } from '../../schema/arguments';
import { toConnection, toForwardConnection } from '../../schema/connections/connection';
import { totalWhere } from '../../schema/connections/rows';
import { pageSlice, sliceOf } from '../../schema/connections/window';
import type { Context } from '../../schema/operation/context';
import type { StreamedResult } from '../../schema/streamedResult';
import {
  Settlement,
  SettlementConnection,
  type SettlementItem,
  SettlementItemConnection,
  SettlementItems,
  SettlementItemsArgs,
  SettlementsArgs,
  SettlementsConnectionArgs,
} from './fields';
import { findLine, findSettlement, listSettlements, settlementsWhere } from './list';
import { readItems } from './rows';
import { type SettlementRow, toSettlement } from './view';

interface OpenItems extends Omit<SettlementItems, 'items'>, StreamedResult {
  row: SettlementRow;
}

const MAX_PART_ITEMS = 1000;

@Resolver(() => SettlementItems)
export class SettlementResolver {
  @Query(() => [Settlement], { description: 'Lists settlements, newest first' })
  async settlements(
    @Ctx() context: Context,
    @Args(() => SettlementsArgs) page: SettlementsArgs,
  ): Promise<Settlement[]> {
    return (await listSettlements(context, settlementsWhere(context, page), pageSlice(page))).map(toSettlement);
  }

  @Query(() => SettlementConnection, { description: 'Lists settlements, newest first' })
  async settlementsConnection(
    @Ctx() context: Context,
    @Args(() => SettlementsConnectionArgs) window: SettlementsConnectionArgs,
  ): Promise<SettlementConnection> {
    const where = settlementsWhere(context, window);
    const rows = await listSettlements(context, where, sliceOf(window));
    return toConnection(window, rows.map(toSettlement), totalWhere(context.db, 'settlements', where));
  }

  @Query(() => Settlement, { description: 'Retrieves a settlement' })
  async settlement(
    @Ctx() context: Context,
    @Id('settlement_id', 'settlement') settlement_id: string,
  ): Promise<Settlement> {
    return toSettlement(await findSettlement(context, settlement_id));
  }

  @Query(() => SettlementItems, { description: 'Retrieves the items of a settlement' })
  async settlementItems(
    @Ctx() context: Context,
    @Id('settlement_id', 'settlement') settlement_id: string,
  ): Promise<OpenItems> {
    const row = await findSettlement(context, settlement_id);
    const { id, day, count } = row;
    return {
      settlement_id: id,
      day,
      count,
      row,
      fileName: `settlement-${day}-${id}`,
      parts: () => readInParts(context.db, row),
    };
  }

  @FieldResolver(() => SettlementItemConnection, { description: 'Items in the order of the report' })
  async items(
    @Ctx() { db }: Context,
    @Root() { row }: OpenItems,
    @Args(() => SettlementItemsArgs) window: SettlementItemsArgs,
  ): Promise<SettlementItemConnection> {
    const { first, after } = window;
    const line = after === undefined ? 0 : await findLine(db, row, after);
    return toForwardConnection(window, await readItems(db, row, line, first + 1));
  }
}

async function* readInParts(db: Context['db'], row: SettlementRow): AsyncGenerator<SettlementItem[]> {
  for (let after = 0; ; ) {
    const items = await readItems(db, row, after, MAX_PART_ITEMS);
    yield items;
    if (items.length < MAX_PART_ITEMS) return;
    after = items.at(-1)?.line ?? after;
  }
}
