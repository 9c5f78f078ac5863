/** Cursor pagination, forward or backward. */
import { ArgsType } from 'type-graphql';
import { ApiError } from '../../platform/errors';
import { Count, Text } from '../shapes';
import { type CursorPlace, NEWEST_FIRST, type Order, readCursor } from './order';

export const MAX_RECORDS = 1000;
export const DEFAULT_RECORDS = 10;
/** A cursor may contain a name. */
const CURSOR = { optional: true, max: 1500 };
const RECORDS = { optional: true, min: 1, max: MAX_RECORDS };

// biome-ignore lint/suspicious/noExplicitAny: a mixin takes any constructor
export type ArgsClass<T> = new (...args: any[]) => T;

export function cursorPaged<T extends ArgsClass<object>>(ListFilters: T) {
  @ArgsType()
  class CursorArgs extends ListFilters {
    @Count(`Return the first n records (default ${DEFAULT_RECORDS})`, RECORDS)
    first?: number;
    @Text('Return records after this cursor', CURSOR)
    after?: string;
    @Count('Return the last n records, in list order', RECORDS)
    last?: number;
    @Text('Return records before this cursor', CURSOR)
    before?: string;
    @Count('Alias of first', RECORDS)
    limit?: number;
  }
  return CursorArgs;
}

export interface CursorWindow {
  first?: number;
  after?: string;
  last?: number;
  before?: string;
  limit?: number;
}

export const isBackward = ({ last }: CursorWindow): boolean => last !== undefined;

/** Throws if the window has two sizes. */
export function windowSize({ first, limit, last }: CursorWindow): number {
  const [size = DEFAULT_RECORDS, other] = [first, limit, last].filter(number => number !== undefined);
  if (other !== undefined)
    throw new ApiError('invalid_value', 'excludes_argument', {
      field: last === undefined ? 'limit' : 'last',
      other: first === undefined ? 'limit' : 'first',
    });
  return size;
}

export interface Slice {
  skip?: number;
  take: number;
  after?: CursorPlace | undefined;
  before?: CursorPlace | undefined;
  /** Reads from the end of the list. */
  isBackward?: boolean;
  /** Defaults to newest first. */
  order?: Order;
}

/** Reads one extra record, which shows whether there are more. */
export const sliceOf = (window: CursorWindow, order: Order = NEWEST_FIRST): Slice => ({
  take: windowSize(window) + 1,
  after: window.after === undefined ? undefined : readCursor(order, 'after', window.after),
  before: window.before === undefined ? undefined : readCursor(order, 'before', window.before),
  isBackward: isBackward(window),
  order,
});

/** limit and first are aliases; the smaller one applies, because OpenAPI cannot make them exclusive. */
export const pageSlice = ({ offset, ...page }: { offset: number; first?: number; limit?: number }): Slice => ({
  skip: offset,
  take: Math.min(page.limit ?? page.first ?? DEFAULT_RECORDS, page.first ?? MAX_RECORDS),
});

/** Prisma arguments for a slice, newest first. */
export function sliced<W extends object>(where: W, { skip = 0, take, after, before, isBackward }: Slice) {
  const direction: 'asc' | 'desc' = isBackward ? 'asc' : 'desc';
  // The date condition uses the index; the other one is for records of the same moment.
  const older = ([date, id]: [Date, string]) => [
    { creation_date: { lte: date } },
    { OR: [{ creation_date: { lt: date } }, { id: { lt: id } }] },
  ];
  const newer = ([date, id]: [Date, string]) => [
    { creation_date: { gte: date } },
    { OR: [{ creation_date: { gt: date } }, { id: { gt: id } }] },
  ];
  return {
    where: {
      AND: [
        where,
        ...(after ? older(after as [Date, string]) : []),
        ...(before ? newer(before as [Date, string]) : []),
      ],
    },
    orderBy: [{ creation_date: direction }, { id: direction }],
    skip,
    take,
  };
}
