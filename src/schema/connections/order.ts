/** Sort order of a list. A cursor holds the values of its record, so it stays valid when records are added. */
import { ApiError } from '../../platform/errors';

type Value = Date | bigint | string;

interface ColumnKind {
  type: string;
  pattern: RegExp;
  read(text: string): Value;
  /** Bounds below and above every value. */
  bounds: readonly [string, string];
}

const asText = (text: string): Value => text;

export const KINDS = {
  moment: {
    type: 'timestamptz',
    // Enough until the year 5138.
    pattern: /^\d{1,14}$/,
    read: text => new Date(Number(text)),
    bounds: ['-infinity', 'infinity'],
  },
  number: { type: 'bigint', pattern: /^\d{1,18}$/, read: BigInt, bounds: ['-1', '9223372036854775807'] },
  xact: { type: 'xid8', pattern: /^\d{1,19}$/, read: BigInt, bounds: ['0', '18446744073709551615'] },
  id: { type: 'varchar', pattern: /^[a-z0-9]{20}$/, read: asText, bounds: ['', '~'] },
  day: { type: 'varchar', pattern: /^\d{4}-\d{2}-\d{2}$/, read: asText, bounds: ['', '~'] },
  name: { type: 'text', pattern: /^[^\0]{1,201}$/u, read: asText, bounds: ['', '~'] },
} as const satisfies Record<string, ColumnKind>;

/** The sort values of a record: its key and a unique tie-breaker. */
export type CursorPlace = readonly [Value, Value];

// biome-ignore lint/suspicious/noExplicitAny: readers of an order accept any record
export interface Order<R = any> {
  /** Part of the cursors, so that cursors of another order are rejected. */
  name: string;
  /** Columns or expressions to sort by. */
  by: readonly [string, string];
  kinds: readonly [keyof typeof KINDS, keyof typeof KINDS];
  placeOf(record: R): CursorPlace;
  isAscending?: boolean;
}

export interface Created {
  id: string;
  creation_date: Date;
}

const CREATION = 'creation';

export const NEWEST_FIRST: Order<Created> = {
  name: CREATION,
  by: ['creation_date', 'id'],
  kinds: ['moment', 'id'],
  placeOf: ({ creation_date, id }) => [creation_date, id],
};

export const ascending = <R>(order: Order<R>): Order<R> => ({ ...order, isAscending: true });

/** The operators of an order in SQL and Prisma. */
export const comparisons = ({ isAscending }: Order) =>
  isAscending
    ? ({ after: '>', before: '<', direction: 'asc', opposite: 'desc' } as const)
    : ({ after: '<', before: '>', direction: 'desc', opposite: 'asc' } as const);

export const toText = (value: Value): string => (value instanceof Date ? value.toISOString() : String(value));

/** Compares rows in this order, or in the opposite one. */
export function inOrder<R>(order: Order<R>, isBackward = false) {
  const comparePlaces = placesInOrder(order, isBackward);
  return (a: R, b: R): number => comparePlaces(order.placeOf(a), order.placeOf(b));
}

export function placesInOrder({ isAscending }: Order, isBackward = false) {
  const sign = Boolean(isAscending) === isBackward ? -1 : 1;
  return ([key, tie]: CursorPlace, [otherKey, otherTie]: CursorPlace): number =>
    sign * (compare(key, otherKey) || compare(tie, otherTie));
}

const compare = (a: Value, b: Value): number => (a < b ? -1 : a > b ? 1 : 0);

export function writeCursor<R>({ name, placeOf }: Order<R>, record: R): string {
  const [key, tie] = placeOf(record).map(value => (value instanceof Date ? String(value.getTime()) : String(value)));
  return Buffer.from(name === CREATION ? `${key}.${tie}` : `${name}.${tie}.${key}`).toString('base64url');
}

export function readCursor({ name, kinds }: Order, field: 'after' | 'before', cursor: string): CursorPlace {
  const parts = Buffer.from(cursor, 'base64url').toString().split('.');
  const [key = '', tie = '', tag] =
    name === CREATION ? [parts[0], parts[1], name] : [parts.slice(2).join('.'), parts[1], parts[0]];
  const [keyKind, tieKind] = [KINDS[kinds[0]], KINDS[kinds[1]]];
  if (tag !== name || !keyKind.pattern.test(key) || !tieKind.pattern.test(tie))
    throw new ApiError('invalid_value', 'not_cursor', { field });
  return [keyKind.read(key), tieKind.read(tie)];
}
