/** Nested lists in GraphQL: one SQL statement for all owners with the same filters and direction. */
import { Prisma } from '../../../../prisma/generated/client';
import { batched, groupBy } from '../../../platform/database/batch';
import type { Database } from '../../../platform/database/connection';
import { type Conditions, toSql } from '../../../schema/connections/conditions';
import { toConnection } from '../../../schema/connections/connection';
import { comparisons, inOrder, NEWEST_FIRST, type Order, placesSql } from '../../../schema/connections/order';
import { countByOwner, type Total } from '../../../schema/connections/total';
import { type CursorWindow, orderSql, type Slice, sliceOf } from '../../../schema/connections/window';

interface NestedList {
  columns: Prisma.Sql;
  /** The table; `joins` may only add columns. */
  table: string;
  alias: string;
  joins?: Prisma.Sql;
  /** The column that names the owner. */
  owner: string;
  /** Selects the records of the list before other filters. */
  condition: string;
  /** Sort order by columns of the table; newest first by default. */
  order?: Order;
  bound?(query: Prisma.Sql): Prisma.Sql;
}

interface NestedRequest {
  id: string;
  slice: Slice;
  filters: Conditions;
}

interface NestedWindow extends CursorWindow {
  status?: readonly string[];
}

/** `show` keeps the order of the rows. */
export function nested<R extends object, T extends object>(
  list: NestedList,
  show: (rows: R[], db: Database) => T[] | Promise<T[]>,
) {
  const { order = NEWEST_FIRST as Order } = list;
  const read = nestedReader<R>(list);
  const count = nestedCounter(list);
  return {
    async connection(db: Database, id: string, { status = [], ...window }: NestedWindow) {
      const filters = status.length > 0 ? { status: { in: status } } : {};
      const records = await show(await read(db, { id, slice: sliceOf(window, order), filters }), db);
      return toConnection(window, records, () => count(db, { id, filters }), { order });
    },
  };
}

/** Requests with the same shape share one SQL statement. */
const shapeOf = ({ slice, filters }: NestedRequest): string => JSON.stringify([slice.isBackward, filters]);
const keyOf = ({ id, slice: { order: _, ...slice }, filters }: NestedRequest): string =>
  JSON.stringify([id, slice, filters], (_name, value) => (typeof value === 'bigint' ? String(value) : value));

const conditionsOf = ({ alias, condition }: NestedList, filters: Conditions): Prisma.Sql =>
  Prisma.sql`${Prisma.raw(condition)} and ${toSql(filters, alias)}`;

function nestedReader<R extends object>(list: NestedList) {
  const load = batched(
    async (db, requests: readonly NestedRequest[]) => {
      const byShape = groupBy([...new Map(requests.map(request => [keyOf(request), request])).values()], shapeOf);
      const loaded = await Promise.all([...byShape.values()].map(group => readTogether<R>(db, list, group)));
      return loaded.flat();
    },
    keyOf,
    1000,
  );
  return async (db: Database, request: NestedRequest): Promise<R[]> => (await load(db, request))?.rows ?? [];
}

async function readTogether<R extends object>(db: Database, list: NestedList, requests: NestedRequest[]) {
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

type NestedCount = Pick<NestedRequest, 'id' | 'filters'>;

const countKey = ({ id, filters }: NestedCount): string => JSON.stringify([id, filters]);

function nestedCounter(list: NestedList) {
  const load = batched(
    async (db, wanted: readonly NestedCount[]) => {
      const byFilters = groupBy([...wanted], ({ filters }) => JSON.stringify(filters));
      const counted = [...byFilters.values()].map(async requests => {
        const conditions = conditionsOf(list, requests[0]?.filters ?? {});
        const totals = await countByOwner(db, { ...list, conditions }, [...new Set(requests.map(({ id }) => id))]);
        return requests.map(request => ({ id: countKey(request), total: totals.get(request.id) }));
      });
      return (await Promise.all(counted)).flat();
    },
    countKey,
    1000,
  );
  return async (db: Database, request: NestedCount): Promise<Total> =>
    (await load(db, request))?.total ?? { count: 0, isExact: true };
}
