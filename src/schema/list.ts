/** Lists: the filters that all of them share, and pagination by offset or by cursor. Newest first. */
import { ArgsType, ObjectType } from 'type-graphql';
import { Prisma } from '../../prisma/generated/client';
import { ApiError } from '../platform/errors';
import { type Class, Count, Day, Flag, ListOf, Nested, Text } from './shapes';
import { dayBounds } from './time';

@ArgsType()
export class Filters {
  @Day('Created on this day', { optional: true })
  creation?: string;
  @Day('Created on this day or later', { optional: true })
  creation_gte?: string;
  @Day('Created on this day or earlier', { optional: true })
  creation_lte?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: a mixin takes any constructor
type FiltersClass = new (...args: any[]) => Filters;

/** A list's filters with offset and limit. */
export function paged<T extends FiltersClass>(ListFilters: T) {
  @ArgsType()
  class Page extends ListFilters {
    @Count('Records to skip', { optional: true, min: 0 })
    offset: number = 0;
    @Count('Records wanted', { optional: true, min: 1, max: 1000 })
    limit: number = 10;
  }
  return Page;
}

/** A list's filters with a cursor, which keeps its position when records are added. */
export function cursorPaged<T extends FiltersClass>(ListFilters: T) {
  @ArgsType()
  class Window extends ListFilters {
    @Count('Records wanted', { optional: true, min: 1, max: 1000 })
    first: number = 10;
    @Text('The cursor after which to go on', { optional: true, max: 100 })
    after?: string;
  }
  return Window;
}

@ObjectType({ description: 'Where a connection stands' })
class PageInfo {
  @Flag('Whether there is more after endCursor')
  hasNextPage!: boolean;
  @Text('The cursor of the last record; null when there is none', { optional: true })
  endCursor!: string | null;
}

/** The class of a Relay-style connection over this kind of record. */
export function connectionOf<T extends object>(Node: new () => T) {
  @ObjectType(`${Node.name}Edge`, { description: `A ${Node.name} and its cursor` })
  class Edge {
    @Text('Where this record stands')
    cursor!: string;
    @Nested('The record', () => Node as Class)
    node!: T;
  }
  @ObjectType(`${Node.name}Connection`, { description: `A window on a list of ${Node.name}s, newest first` })
  class Connection {
    @ListOf('The records of this window', () => Edge)
    edges!: Edge[];
    @Nested('Where it stands', () => PageInfo)
    pageInfo!: PageInfo;
  }
  return Connection;
}

interface ListedRecord {
  id: string;
  creation_date: Date;
}

/**
 * Takes one record more than requested, which tells whether there is a next page. There is one too where the records
 * were cut because they were too large.
 */
export function toConnection<T extends ListedRecord>(records: T[], first: number, isCut = false) {
  const edges = records.slice(0, first).map(node => ({ cursor: cursorOf(node), node }));
  return { edges, pageInfo: { hasNextPage: isCut || records.length > first, endCursor: edges.at(-1)?.cursor ?? null } };
}

const cursorOf = ({ creation_date, id }: ListedRecord): string =>
  Buffer.from(`${creation_date.getTime()}.${id}`).toString('base64url');

/** The Prisma conditions of the shared filters and, if there is one, of the cursor. */
export function listWhere(filters: Filters, after?: string) {
  const cursor = after === undefined ? undefined : readCursor(after);
  const within = createdWithin(filters);
  return {
    AND: [
      within ? { creation_date: within } : {},
      // PostgreSQL uses the index for the first condition; the second excludes records of the same moment up to the
      // cursor.
      cursor ? { creation_date: { lte: cursor.creation_date } } : {},
      cursor ? { OR: [{ creation_date: { lt: cursor.creation_date } }, { id: { lt: cursor.id } }] } : {},
    ],
  };
}

/** The shared filters as SQL conditions. */
export function createdConditions(filters: Filters): Prisma.Sql[] {
  const { gte, lt } = createdWithin(filters) ?? {};
  return [...(gte ? [Prisma.sql`creation_date >= ${gte}`] : []), ...(lt ? [Prisma.sql`creation_date < ${lt}`] : [])];
}

/** The position of a cursor as an SQL condition. */
export function cursorConditions(after?: string): Prisma.Sql[] {
  if (after === undefined) return [];
  const { creation_date, id } = readCursor(after);
  return [Prisma.sql`(creation_date, id) < (${creation_date}, ${id})`];
}

function createdWithin({ creation, creation_gte, creation_lte }: Filters): { gte?: Date; lt?: Date } | undefined {
  const from = [creation, creation_gte].flatMap(day => (day ? (dayBounds(day)?.from ?? []) : []));
  const until = [creation, creation_lte].flatMap(day => (day ? (dayBounds(day)?.until ?? []) : []));
  if (from.length + until.length === 0) return undefined;
  const latestStart = from.sort((a, b) => b.getTime() - a.getTime())[0];
  const earliestEnd = until.sort((a, b) => a.getTime() - b.getTime())[0];
  return { ...(latestStart ? { gte: latestStart } : {}), ...(earliestEnd ? { lt: earliestEnd } : {}) };
}

/** The position of a cursor. After it come older records, and those of the same moment with a smaller id. */
function readCursor(cursor: string): { creation_date: Date; id: string } {
  const [time = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split('.');
  if (!/^\d{1,15}$/.test(time) || !/^[a-z0-9]{20}$/.test(id))
    throw new ApiError('invalid_value', { field: 'after', problem: 'is not a cursor of this list' });
  return { creation_date: new Date(Number(time)), id };
}

export const newestFirst = [{ creation_date: 'desc' }, { id: 'desc' }] as const;
