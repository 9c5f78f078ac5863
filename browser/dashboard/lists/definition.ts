import type { TableColumn } from '../../shared/ui/Table';
import type { LiveEvent } from '../api/live';

export interface Column<Row> extends TableColumn<Row> {
  /** The value in CSV files. */
  text: (row: Row) => string | number | null | undefined;
  /** Hidden by default. */
  isFurther?: boolean;
}

export interface Filter {
  /** The name in the address. */
  key: string;
  name: string;
  /** Spans contain both ends in one value; see `spanOf`. A `pair` is metadata as text. */
  kind: 'choice' | 'choices' | 'text' | 'day' | 'amount' | 'days' | 'amounts' | 'pair';
  /** Values with their names, for choices. */
  options?: readonly (readonly [value: string, name: string])[];
  /** Loads the name of an ID. */
  nameOf?: (id: string, stop: AbortSignal) => Promise<string | undefined>;
}

/** By key; several choices are joined by commas. */
export type Filters = Record<string, string>;

export interface PageRequest {
  size: number;
  after?: string | undefined;
  before?: string | undefined;
}

export interface Page<Row> {
  rows: Row[];
  /** The cursors of the previous and next page. */
  next?: string | undefined;
  previous?: string | undefined;
  total?: number;
  isTotalExact?: boolean;
}

export interface ListDefinition<Row> {
  path: string;
  title: string;
  /** A sentence for the empty list. */
  about: string;
  columns: readonly Column<Row>[];
  filters: readonly Filter[];
  keyOf: (row: Row) => string;
  href?: (row: Row) => string;
  load: (filters: Filters, page: PageRequest, stop: AbortSignal) => Promise<Page<Row>>;
  refreshOn?: (event: LiveEvent) => boolean;
  /** Response paths of the rows (default: the edges of a connection). */
  fields?: readonly string[];
}

interface Connection<Row> {
  edges: { node: Row }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
  totalCount?: number;
  totalCountIsExact?: boolean;
}

/** The connection arguments of a page. */
export const windowOf = ({ size, after, before }: PageRequest) =>
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

/** For lists that page only forward. */
export const forwardWindowOf = ({ size, after }: PageRequest) => ({ first: size, ...(after && { after }) });

export const forwardPageOf = <Row>(connection: Connection<Row>): Page<Row> => ({
  ...pageOfConnection(connection),
  previous: undefined,
});
