/** Filters and cursors are in the address, so that a view can be shared. */
import { useLocation, useSearch } from 'wouter-preact';
import type { Filters, ListDefinition } from './definition';

export interface ListAddress {
  filters: Filters;
  after?: string | undefined;
  before?: string | undefined;
  /** The filters in the address. */
  query: string;
  setFilters: (filters: Filters) => void;
  turnTo: (cursor: { after?: string | undefined; before?: string | undefined }) => void;
}

const queryOf = (values: Record<string, string | undefined>): string =>
  new URLSearchParams(Object.entries(values).filter((entry): entry is [string, string] => !!entry[1])).toString();

export function useListAddress<Row>({ path, filters: known }: ListDefinition<Row>): ListAddress {
  const [, navigate] = useLocation();
  const search = new URLSearchParams(useSearch());
  const filters = Object.fromEntries(
    known.flatMap(({ key }) => (search.get(key) ? [[key, search.get(key) ?? '']] : [])),
  );
  const go = (values: Record<string, string | undefined>): void => {
    const query = queryOf(values);
    navigate(query ? `${path}?${query}` : path);
  };
  return {
    filters,
    after: search.get('after') ?? undefined,
    before: search.get('before') ?? undefined,
    query: queryOf(filters),
    setFilters: go,
    turnTo: cursor => go({ ...filters, ...cursor }),
  };
}
