/** The chosen columns of all pages of the filtered list as CSV. */
import type { Column, Filters, ListDefinition } from './definition';

const MAX_ROWS = 10_000;
const PAGE_ROWS = 100;

/** Prevents formula injection in spreadsheets, as the API does. Colombian ones separate cells by semicolons. */
function field(value: string | number | null | undefined): string {
  const text = String(value ?? '');
  const safe = typeof value === 'string' ? text.replace(/(^|;)(?=[=+\-@\t\r])/g, "$1'") : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const line = (values: (string | number | null | undefined)[]): string => `${values.map(field).join(',')}\r\n`;

interface CsvFile {
  text: string;
  rows: number;
  /** True if rows were omitted. */
  isCut: boolean;
}

export async function csvOf<Row>(
  { load }: ListDefinition<Row>,
  columns: readonly Column<Row>[],
  filters: Filters,
  progress: (rows: number) => void,
): Promise<CsvFile> {
  const { signal } = new AbortController();
  let text = line(columns.map(({ name }) => name));
  let rows = 0;
  for (let after: string | undefined; ; ) {
    const page = await load(filters, { size: PAGE_ROWS, after }, signal);
    for (const row of page.rows) text += line(columns.map(column => column.text(row)));
    rows += page.rows.length;
    progress(rows);
    if (!page.next) return { text, rows, isCut: false };
    if (rows >= MAX_ROWS) return { text, rows, isCut: true };
    after = page.next;
  }
}

export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([`\uFEFF${text}`], { type: 'text/csv' }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
