import { ObjectType } from 'type-graphql';
import { type Class, Count, Flag, ListOf, Nested, Text } from '../shapes';
import { inOrder, NEWEST_FIRST, type Order, placesInOrder, writeCursor } from './order';
import { MAX_EXACT_COUNT, type Total } from './rows';
import { type CursorWindow, isBackward, sliceOf, windowSize } from './window';

@ObjectType({ description: 'Pagination of a connection' })
class PageInfo {
  @Flag('Whether there are more records after endCursor')
  hasNextPage!: boolean;
  @Flag('Whether there are more records before startCursor')
  hasPreviousPage!: boolean;
  @Text('Cursor of the first record; null if the page is empty', { optional: true })
  startCursor!: string | null;
  @Text('Cursor of the last record; null if the page is empty', { optional: true })
  endCursor!: string | null;
}

/** Counted only if the request selects one of the two fields. */
type Counted<T> = T | (() => Promise<T>);

/** A Relay-style connection without a total count. */
export function uncountedConnectionOf<T extends object>(Node: new () => T) {
  @ObjectType(`${Node.name}Edge`, { description: `A record of the ${Node.name} list and its cursor` })
  class Edge {
    @Text('Cursor of this record')
    cursor!: string;
    @Nested('The record', () => Node as Class)
    node!: T;
  }
  @ObjectType(`${Node.name}Connection`, { description: `A page of ${Node.name} records` })
  class Connection {
    @ListOf('Records of this page with their cursors', () => Edge)
    edges!: Edge[];
    @ListOf('Records of this page', () => Node as Class)
    nodes!: T[];
    @Nested('Pagination cursors', () => PageInfo)
    pageInfo!: PageInfo;
  }
  return Connection;
}

export function connectionOf<T extends object>(Node: new () => T) {
  @ObjectType(`${Node.name}Connection`, { description: `A page of ${Node.name} records` })
  class Connection extends uncountedConnectionOf(Node) {
    @Count(`Number of records in the whole list; exact up to ${MAX_EXACT_COUNT}, estimated above`)
    totalCount!: Counted<number>;
    @Flag('Whether totalCount is exact')
    totalCountIsExact!: Counted<boolean>;
  }
  return Connection;
}

/** `records` are in the order in which the slice was read. `isCut`: the byte limit removed records, so there are more. */
export function toConnection<T extends object>(
  window: CursorWindow,
  records: T[],
  readTotal: () => Promise<Total>,
  { isCut = false, order = NEWEST_FIRST as Order }: { isCut?: boolean; order?: Order<NoInfer<T>> } = {},
) {
  const size = windowSize(window);
  const hasMore = isCut || records.length > size;
  const nodes = records.slice(0, size);
  if (isBackward(window)) nodes.reverse();
  const edges = nodes.map(node => ({ cursor: writeCursor(order, node), node }));
  let total: Promise<Total> | undefined;
  const countOnce = (): Promise<Total> => (total ??= readTotal());
  return {
    edges,
    nodes,
    pageInfo: {
      // The record of a cursor lies just outside the window.
      hasNextPage: window.before !== undefined || (hasMore && !isBackward(window)),
      hasPreviousPage: window.after !== undefined || (hasMore && isBackward(window)),
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    totalCount: async () => (await countOnce()).count,
    totalCountIsExact: async () => (await countOnce()).isExact,
  };
}

/** For a list that pages only forward. `records` has one more than the page, if there is one. */
export function toForwardConnection<T extends object>(
  { first, after }: { first: number; after?: string },
  records: T[],
  cursorOf: (record: T, index: number) => string = record => (record as { id: string }).id,
) {
  const nodes = records.slice(0, first);
  const edges = nodes.map((node, index) => ({ cursor: cursorOf(node, index), node }));
  return {
    edges,
    nodes,
    pageInfo: {
      hasNextPage: records.length > first,
      hasPreviousPage: after !== undefined,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

/** For a short list, which is read as a whole. */
export function toWholeConnection<T extends object>(window: CursorWindow, records: readonly T[], order: Order<T>) {
  const { after, before, take } = sliceOf(window, order);
  const compare = placesInOrder(order);
  const isWithin = (record: T): boolean =>
    (!after || compare(after, order.placeOf(record)) < 0) && (!before || compare(order.placeOf(record), before) < 0);
  const slice = records
    .filter(isWithin)
    .sort(inOrder(order, isBackward(window)))
    .slice(0, take);
  return toConnection(window, slice, async () => ({ count: records.length, isExact: true }), { order });
}
