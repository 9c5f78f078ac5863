import type { ComponentChildren } from 'preact';

export interface TableColumn<Row> {
  key: string;
  name: string;
  cell: (row: Row) => ComponentChildren;
  isNumber?: boolean;
}

export interface TableProps<Row> {
  label: string;
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  isBusy?: boolean;
  /** Shown in place of an empty table. */
  empty?: string;
}

/** On phones every row is a card. */
export const Table = <Row,>({ label, columns, rows, keyOf, isBusy = false, empty }: TableProps<Row>) =>
  rows.length === 0 && empty !== undefined ? (
    <p class="hint">{empty}</p>
  ) : (
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
              {columns.map(({ key, name, cell, isNumber }) => (
                <td key={key} data-name={name} class={isNumber ? 'number' : ''}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
