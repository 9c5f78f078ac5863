/** What a list goes by. A cursor holds the values of its record, so that it keeps its place when others are added. */
import { ApiError } from '../../platform/errors';

type Value = Date | bigint | string;

interface ColumnKind {
  type: string;
  pattern: RegExp;
  read(text: string): Value;
  /** Before and after every value. */
  bounds: readonly [string, string];
}

const asText = (text: string): Value => text;

export const KINDS = {
  moment: {
    type: 'timestamptz',
    // Up to the year 5138.
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

/** The values of a record: what it is sorted by, and what tells it from others of the same. */
export type CursorPlace = readonly [Value, Value];

// biome-ignore lint/suspicious/noExplicitAny: whoever only reads does not care which records it sorts
export interface Order<R = any> {
  /** In its cursors, so that those of another order are refused. */
  name: string;
  /** By which columns or expressions. */
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

/** What comes after a record, in SQL and in Prisma's words. */
export const comparisons = ({ isAscending }: Order) =>
  isAscending
    ? ({ after: '>', before: '<', direction: 'asc', opposite: 'desc' } as const)
    : ({ after: '<', before: '>', direction: 'desc', opposite: 'asc' } as const);

export const toText = (value: Value): string => (value instanceof Date ? value.toISOString() : String(value));

/** Sorts rows that were read in this order, or from its end on. */
export function inOrder<R>(order: Order<R>, isBackward = false) {
  const sign = Boolean(order.isAscending) === isBackward ? -1 : 1;
  return (a: R, b: R): number => {
    const [[key, tie], [otherKey, otherTie]] = [order.placeOf(a), order.placeOf(b)];
    return sign * (compare(key, otherKey) || compare(tie, otherTie));
  };
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
