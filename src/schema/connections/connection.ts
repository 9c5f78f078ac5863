import { ObjectType } from 'type-graphql';
import { type Class, Count, Flag, ListOf, Nested, Text } from '../shapes';
import { NEWEST_FIRST, type Order, writeCursor } from './order';
import { MAX_EXACT_COUNT, type Total } from './rows';
import { type CursorWindow, isBackward, wantedRecords } from './window';

@ObjectType({ description: 'Where a connection stands' })
class PageInfo {
  @Flag('Whether there is more after endCursor')
  hasNextPage!: boolean;
  @Flag('Whether there is more before startCursor')
  hasPreviousPage!: boolean;
  @Text('The cursor of the first record; null when there is none', { optional: true })
  startCursor!: string | null;
  @Text('The cursor of the last record; null when there is none', { optional: true })
  endCursor!: string | null;
}

/** Read once one of the two fields is asked for. */
type Counted<T> = T | (() => Promise<T>);

/** The class of a Relay-style connection over this kind of record. */
export function connectionOf<T extends object>(Node: new () => T) {
  @ObjectType(`${Node.name}Edge`, { description: `A ${Node.name} and its cursor` })
  class Edge {
    @Text('Where this record stands')
    cursor!: string;
    @Nested('The record', () => Node as Class)
    node!: T;
  }
  @ObjectType(`${Node.name}Connection`, { description: `A window on a list of ${Node.name}s` })
  class Connection {
    @ListOf('The records of this window', () => Edge)
    edges!: Edge[];
    @Nested('Where it stands', () => PageInfo)
    pageInfo!: PageInfo;
    @Count(`How many records the whole list has; exact up to ${MAX_EXACT_COUNT}, estimated beyond`)
    totalCount!: Counted<number>;
    @Flag('Whether totalCount is exact')
    totalCountIsExact!: Counted<boolean>;
  }
  return Connection;
}

/**
 * Of the records in the order in which the slice of the window was read. Where they were cut because they were too large,
 * there are more of them too.
 */
export function toConnection<T extends object>(
  window: CursorWindow,
  records: T[],
  readTotal: () => Promise<Total>,
  { isCut = false, order = NEWEST_FIRST as Order }: { isCut?: boolean; order?: Order<NoInfer<T>> } = {},
) {
  const wanted = wantedRecords(window);
  const hasMore = isCut || records.length > wanted;
  const nodes = records.slice(0, wanted);
  if (isBackward(window)) nodes.reverse();
  const edges = nodes.map(node => ({ cursor: writeCursor(order, node), node }));
  let total: Promise<Total> | undefined;
  const countOnce = (): Promise<Total> => (total ??= readTotal());
  return {
    edges,
    pageInfo: {
      // The record of a cursor stands beside the window.
      hasNextPage: window.before !== undefined || (hasMore && !isBackward(window)),
      hasPreviousPage: window.after !== undefined || (hasMore && isBackward(window)),
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    totalCount: async () => (await countOnce()).count,
    totalCountIsExact: async () => (await countOnce()).isExact,
  };
}
