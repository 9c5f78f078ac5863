import { Link } from 'wouter-preact';
import type { Column } from './definition';

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  href?: ((row: Row) => string) | undefined;
  isBusy?: boolean;
}

/** On phones every row is a card. The first column links to the page of the row. */
export const Table = <Row,>({ label, columns, rows, keyOf, href, isBusy = false }: TableProps<Row>) => (
  <div class="table-box">
    <table class="table" aria-label={label} aria-busy={isBusy}>
      <thead>
        <tr>
          {columns.map(({ key, name, isNumber }) => (
            <th key={key} scope="col" class={isNumber ? 'number' : ''}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr key={keyOf(row)}>
            {columns.map(({ key, name, cell, isNumber }, i) => (
              <td key={key} data-name={name} class={isNumber ? 'number' : ''}>
                {i === 0 && href ? <Link href={href(row)}>{cell(row)}</Link> : cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
