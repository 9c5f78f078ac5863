import { Link } from 'wouter-preact';
import { Table as PlainTable, type TableProps } from '../../shared/ui/Table';

export interface LinkedTableProps<Row> extends TableProps<Row> {
  /** The page of the row, to which its first column links. */
  href?: ((row: Row) => string) | undefined;
}

export const Table = <Row,>({ href, columns: [first, ...others], ...rest }: LinkedTableProps<Row>) => {
  if (!first) return null;
  const { cell } = first;
  const linked = href ? { ...first, cell: (row: Row) => <Link href={href(row)}>{cell(row)}</Link> } : first;
  return <PlainTable {...rest} columns={[linked, ...others]} />;
};
