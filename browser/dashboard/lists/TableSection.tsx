import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { Section } from '../ui/Section';
import { type LinkedTableProps, Table } from './Table';
import { t } from './texts';

interface TableSectionProps<Row> extends LinkedTableProps<Row> {
  /** Response paths of the rows, for "Show query". */
  fields: readonly string[];
  /** The path of the full list. */
  all?: string;
  action?: ComponentChildren;
}

export const TableSection = <Row,>({ fields, all, action, ...table }: TableSectionProps<Row>) => (
  <Section
    title={table.label}
    fields={fields}
    action={
      <>
        {all && table.rows.length > 0 && <Link href={all}>{t.seeAll}</Link>}
        {action}
      </>
    }
  >
    <Table {...table} />
  </Section>
);
