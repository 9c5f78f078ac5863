/** Shared filters of lists, and pagination by offset, newest first. */
import { ArgsType } from 'type-graphql';
import { DEFAULT_RECORDS, MAX_RECORDS } from './connections/window';
import { Count, Day } from './shapes';
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

/** The filters of a list with offset and limit; connections call the limit `first`. */
export function paged<T extends FiltersClass>(ListFilters: T) {
  @ArgsType()
  class Page extends ListFilters {
    @Count('Number of records to skip', { optional: true, min: 0 })
    offset: number = 0;
    @Count(`Return at most n records (default ${DEFAULT_RECORDS})`, { optional: true, min: 1, max: MAX_RECORDS })
    limit?: number;
    @Count('Alias of limit', { optional: true, min: 1, max: MAX_RECORDS })
    first?: number;
  }
  return Page;
}

export function listWhere(filters: Filters) {
  const within = createdWithin(filters);
  return within ? { creation_date: within } : {};
}

export function createdWithin({
  creation,
  creation_gte,
  creation_lte,
}: Filters): { gte?: Date; lt?: Date } | undefined {
  const from = [creation, creation_gte].flatMap(day => (day ? (dayBounds(day)?.from ?? []) : []));
  const until = [creation, creation_lte].flatMap(day => (day ? (dayBounds(day)?.until ?? []) : []));
  if (from.length + until.length === 0) return undefined;
  const latestStart = from.sort((a, b) => b.getTime() - a.getTime())[0];
  const earliestEnd = until.sort((a, b) => a.getTime() - b.getTime())[0];
  return { ...(latestStart ? { gte: latestStart } : {}), ...(earliestEnd ? { lt: earliestEnd } : {}) };
}

export const newestFirst = [{ creation_date: 'desc' }, { id: 'desc' }] as const;
