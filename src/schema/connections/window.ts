/** Windows on a list by cursors, which keep their place when records are added. Read from either end. */
import { ArgsType } from 'type-graphql';
import { ApiError } from '../../platform/errors';
import { Count, Text } from '../shapes';
import { type CursorPlace, NEWEST_FIRST, type Order, readCursor } from './order';

export const MAX_RECORDS = 1000;
export const DEFAULT_RECORDS = 10;
/** A cursor may hold a name. */
const CURSOR = { optional: true, max: 1500 };
const RECORDS = { optional: true, min: 1, max: MAX_RECORDS };

// biome-ignore lint/suspicious/noExplicitAny: a mixin takes any constructor
type ArgsClass<T> = new (...args: any[]) => T;

/** A list's filters with cursors. */
export function cursorPaged<T extends ArgsClass<object>>(ListFilters: T) {
  @ArgsType()
  class CursorArgs extends ListFilters {
    @Count(`Records wanted, from the beginning of the list on; ${DEFAULT_RECORDS} where nothing is said`, RECORDS)
    first?: number;
    @Text('Only what comes after this cursor', CURSOR)
    after?: string;
    @Count('Records wanted, from the end of the list; they are answered in its order', RECORDS)
    last?: number;
    @Text('Only what comes before this cursor', CURSOR)
    before?: string;
    @Count('The same as first', RECORDS)
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

/** Throws where the window asks for two numbers of records. */
export function wantedRecords({ first, limit, last }: CursorWindow): number {
  const [wanted = DEFAULT_RECORDS, other] = [first, limit, last].filter(number => number !== undefined);
  if (other !== undefined)
    throw new ApiError('invalid_value', 'excludes_argument', {
      field: last === undefined ? 'limit' : 'last',
      other: first === undefined ? 'limit' : 'first',
    });
  return wanted;
}

/** The part of a list that is read. */
export interface Slice {
  skip?: number;
  take: number;
  after?: CursorPlace | undefined;
  before?: CursorPlace | undefined;
  /** Read from the end on. */
  isBackward?: boolean;
  /** Absent: newest first. */
  order?: Order;
}

/** One record more than wanted, which tells whether there are more. */
export const sliceOf = (window: CursorWindow, order: Order = NEWEST_FIRST): Slice => ({
  take: wantedRecords(window) + 1,
  after: window.after === undefined ? undefined : readCursor(order, 'after', window.after),
  before: window.before === undefined ? undefined : readCursor(order, 'before', window.before),
  isBackward: isBackward(window),
  order,
});

/** Two names for one number: the smaller holds, because a document of REST cannot say that they exclude each other. */
export const pageSlice = ({ offset, ...page }: { offset: number; first?: number; limit?: number }): Slice => ({
  skip: offset,
  take: Math.min(page.limit ?? page.first ?? DEFAULT_RECORDS, page.first ?? MAX_RECORDS),
});

/** What Prisma is asked for a slice of the records that a list is about, newest first. */
export function sliced<W extends object>(where: W, { skip = 0, take, after, before, isBackward }: Slice) {
  const direction: 'asc' | 'desc' = isBackward ? 'asc' : 'desc';
  // PostgreSQL uses the index for the date; the other condition is for records of the same moment.
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
