import { Prisma } from '../../../../../prisma/generated/client';
import { groupBy } from '../../../../platform/database/batch';
import type { Database } from '../../../../platform/database/connection';
import { comparisons, inOrder, NEWEST_FIRST, type Order } from '../../../../schema/connections/order';
import { type Conditions, orderSql, placesSql, toSql } from '../../../../schema/connections/rows';
import type { Slice } from '../../../../schema/connections/window';

export interface NestedList {
  columns: Prisma.Sql;
  /** The table, and what it is joined with for its columns only. */
  table: string;
  alias: string;
  joins?: Prisma.Sql;
  /** The column that names the owner. */
  owner: string;
  /** An SQL condition on the owner's records that applies to every request. */
  condition: string;
  /** By columns of the table. Absent: newest first. */
  order?: Order;
  bound?(query: Prisma.Sql): Prisma.Sql;
}

export interface NestedRequest {
  id: string;
  slice: Slice;
  filters: Conditions;
}

export const keyOf = ({ id, slice: { order: _, ...slice }, filters }: NestedRequest): string =>
  JSON.stringify([id, slice, filters], (_name, value) => (typeof value === 'bigint' ? String(value) : value));

export const conditionsOf = ({ alias, condition }: NestedList, filters: Conditions): Prisma.Sql =>
  Prisma.sql`${Prisma.raw(condition)} and ${toSql(filters, alias)}`;

export async function readTogether<R extends object>(db: Database, list: NestedList, requests: NestedRequest[]) {
  const { columns, table, alias, joins = Prisma.empty, owner, bound = query => query } = list;
  const [{ slice, filters } = { slice: { take: 0 }, filters: {} }] = requests;
  const order = list.order ?? NEWEST_FIRST;
  const { after, before } = comparisons(order);
  const at = Prisma.raw(`(${order.by.map(column => `${alias}.${column}`).join(', ')})`);
  const slices = requests.map(request => request.slice);
  const [begin, end] = order.isAscending ? (['least', 'greatest'] as const) : (['greatest', 'least'] as const);
  const rows = await db.$queryRaw<(R & { owner: string })[]>(
    bound(Prisma.sql`
      select owner.request as owner, record.* from unnest(${requests.map(keyOf)}::text[],
        ${requests.map(({ id }) => id)}::varchar[], ${slices.map(({ take }) => take)}::integer[],
        ${placesSql(
          order,
          slices.map(slice => slice.after),
          begin,
        )},
        ${placesSql(
          order,
          slices.map(slice => slice.before),
          end,
        )}
      ) as owner (request, id, take, after_key, after_tie, before_key, before_tie),
      lateral (select ${columns} from ${Prisma.raw(`${table} ${alias}`)} ${joins}
        where ${Prisma.raw(`${alias}.${owner}`)} = owner.id and ${conditionsOf(list, filters)}
          and ${at} ${Prisma.raw(after)} (owner.after_key, owner.after_tie)
          and ${at} ${Prisma.raw(before)} (owner.before_key, owner.before_tie)
        ${orderSql(order, slice.isBackward, `${alias}.`)} limit owner.take) record`),
  );
  const rowsByRequest = groupBy(rows.sort(inOrder(order, slice.isBackward)), row => row.owner);
  return requests.map(request => ({ id: keyOf(request), rows: (rowsByRequest.get(keyOf(request)) ?? []) as R[] }));
}
