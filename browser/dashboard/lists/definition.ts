/** What a list is: its columns, its filters, and how a page of it is loaded. */
import type { ComponentChildren } from 'preact';
import type { LiveEvent } from '../api/live';

export interface Column<Row> {
  key: string;
  name: string;
  cell: (row: Row) => ComponentChildren;
  /** As it stands in a CSV file. */
  text: (row: Row) => string | number | null | undefined;
  isNumber?: boolean;
  /** Whether it is hidden until somebody chooses it. */
  isFurther?: boolean;
}

export interface Filter {
  /** Its name in the address. */
  key: string;
  name: string;
  /** Spans are two ends in one value; see spanOf. */
  kind: 'choice' | 'choices' | 'text' | 'day' | 'amount' | 'days' | 'amounts';
  /** Of a choice: each value with its name. */
  options?: readonly (readonly [value: string, name: string])[];
  /** Of an identifier: what it is called, where it names something. */
  nameOf?: (id: string, stop: AbortSignal) => Promise<string | undefined>;
}

/** By key; several choices are joined by commas. Empty ones are left out. */
export type Filters = Record<string, string>;

export interface PageAsked {
  size: number;
  after?: string | undefined;
  before?: string | undefined;
}

export interface Page<Row> {
  rows: Row[];
  /** The cursors of the pages beside it, where there are some. */
  next?: string | undefined;
  previous?: string | undefined;
  total?: number;
  isTotalExact?: boolean;
}

export interface ListDefinition<Row> {
  path: string;
  title: string;
  /** One sentence what it is, shown where there is nothing yet. */
  about: string;
  columns: readonly Column<Row>[];
  filters: readonly Filter[];
  keyOf: (row: Row) => string;
  /** The page of a row. */
  href?: (row: Row) => string;
  load: (filters: Filters, page: PageAsked, stop: AbortSignal) => Promise<Page<Row>>;
  refreshOn?: (event: LiveEvent) => boolean;
  /** What its rows are made of, as paths of the answer; without it, the edges of a connection. */
  fields?: readonly string[];
}

interface Connection<Row> {
  edges: { node: Row }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
  totalCount?: number;
  totalCountIsExact?: boolean;
}

/** The arguments by which a connection is asked for this page. */
export const windowOf = ({ size, after, before }: PageAsked) =>
  before ? { last: size, before } : { first: size, ...(after && { after }) };

export const pageOfConnection = <Row>({
  edges,
  pageInfo,
  totalCount,
  totalCountIsExact,
}: Connection<Row>): Page<Row> => ({
  rows: edges.map(({ node }) => node),
  next: (pageInfo.hasNextPage && pageInfo.endCursor) || undefined,
  previous: (pageInfo.hasPreviousPage && pageInfo.startCursor) || undefined,
  ...(totalCount !== undefined && { total: totalCount }),
  ...(totalCountIsExact !== undefined && { isTotalExact: totalCountIsExact }),
});

/** Of a list that goes on after the last one's id. */
export const afterOf = ({ size, after }: PageAsked) => ({ first: size, ...(after && { after }) });

/** A page with fewer than were asked for is the last one. */
export const pageByLastId = <Row extends { id: string }>(
  rows: readonly Row[] = [],
  { size }: PageAsked,
): Page<Row> => ({
  rows: [...rows],
  next: rows.length === size ? rows.at(-1)?.id : undefined,
});

/** Of a list without cursors: the cursor is how many come before. One row more than a page is asked for. */
export const offsetOf = ({ size, after = '0', before }: PageAsked) => ({
  limit: size + 1,
  offset: before === undefined ? Number(after) : Math.max(0, Number(before) - size),
});

export function pageOfRows<Row>(rows: readonly Row[], page: PageAsked): Page<Row> {
  const { offset } = offsetOf(page);
  return {
    rows: rows.slice(0, page.size),
    next: rows.length > page.size ? String(offset + page.size) : undefined,
    previous: offset > 0 ? String(offset) : undefined,
  };
}
