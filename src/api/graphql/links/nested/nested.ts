/**
 * Lists of related records in GraphQL. Lists of many owners that are requested together, with the same direction and
 * filters, are read by one statement.
 */
import type { Metadata } from '../../../../payments/metadata/metadata';
import { metadataWhere } from '../../../../payments/metadata/rows';
import { batched, groupBy } from '../../../../platform/database/batch';
import type { Database } from '../../../../platform/database/connection';
import { toConnection } from '../../../../schema/connections/connection';
import { NEWEST_FIRST, type Order } from '../../../../schema/connections/order';
import { countByOwner, type Total } from '../../../../schema/connections/rows';
import { type CursorWindow, sliceOf } from '../../../../schema/connections/window';
import { conditionsOf, keyOf, type NestedList, type NestedRequest, readTogether } from './rows';

interface NestedWindow extends CursorWindow {
  status?: readonly string[];
  metadata?: Metadata;
}

/** A list, and how its rows are shown: in their order. */
export function nested<R extends object, T extends object>(
  list: NestedList,
  show: (rows: R[], db: Database) => T[] | Promise<T[]>,
) {
  const { order = NEWEST_FIRST as Order } = list;
  const read = nestedReader<R>(list);
  const count = nestedCounter(list);
  return {
    async connection(db: Database, id: string, { status = [], metadata, ...window }: NestedWindow) {
      const filters = { ...(status.length > 0 && { status: { in: status } }), ...metadataWhere({ metadata }) };
      const records = await show(await read(db, { id, slice: sliceOf(window, order), filters }), db);
      return toConnection(window, records, () => count(db, { id, filters }), { order });
    },
  };
}

/** Requests with the same direction and filters share a statement. */
const wayOf = ({ slice, filters }: NestedRequest): string => JSON.stringify([slice.isBackward, filters]);

/** Reads a slice of what an owner has, in the order of the slice. */
function nestedReader<R extends object>(list: NestedList) {
  const load = batched(
    async (db, wanted: readonly NestedRequest[]) => {
      const byWay = groupBy([...new Map(wanted.map(request => [keyOf(request), request])).values()], wayOf);
      const loaded = await Promise.all([...byWay.values()].map(requests => readTogether<R>(db, list, requests)));
      return loaded.flat();
    },
    keyOf,
    1000,
  );
  return async (db: Database, request: NestedRequest): Promise<R[]> => (await load(db, request))?.rows ?? [];
}

type NestedCount = Pick<NestedRequest, 'id' | 'filters'>;

const countKey = ({ id, filters }: NestedCount): string => JSON.stringify([id, filters]);

/** Counts what an owner has. */
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
