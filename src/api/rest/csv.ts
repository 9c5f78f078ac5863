/** Records as CSV (RFC 4180), with a column per field of their shape. */
import { rendererOf } from '../../schema/render';
import { type Class, shapeOf } from '../../schema/shapes';

export const CSV_TYPE = { 'content-type': 'text/csv; charset=utf-8; header=present' };

/**
 * Spreadsheets take these characters for the start of a formula; an apostrophe turns the cell into text. In Colombia they
 * separate cells by semicolons.
 */
const FORMULA = /(^|;)(?=[=+\-@\t\r])/g;

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const asText = (text: string): string => quoted(text.replace(FORMULA, "$1'"));

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return asText(value);
  return typeof value === 'object' ? asText(JSON.stringify(value)) : String(value);
}

const line = (values: unknown[]): string => `${values.map(cell).join(',')}\r\n`;

export const csvHeader = (type: Class): string => line([...shapeOf(type).keys()]);

export const csvLines = (type: Class, records: readonly object[]): string =>
  linesOf(type, records.map(rendererOf(type)));

/** For records that are already JSON. */
function linesOf(type: Class, records: readonly unknown[]): string {
  const names = [...shapeOf(type).keys()];
  return records.map(json => line(names.map(name => (json as Record<string, unknown>)[name]))).join('');
}

/** For a page of a list with records that are already JSON. */
export const toCsv = (type: Class, records: readonly unknown[]): string => csvHeader(type) + linesOf(type, records);

/** Whether the Accept header prefers CSV to JSON. */
export function prefersCsv(accept = ''): boolean {
  const preferences = accept.split(',').map(each => {
    const [type = '', ...parameters] = each.split(';').map(part => part.trim().toLowerCase());
    const quality = parameters.find(parameter => parameter.startsWith('q='));
    return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 };
  });
  const qualityOf = (type: string): number => preferences.find(each => each.type === type)?.quality ?? 0;
  const csv = qualityOf('text/csv');
  return csv > 0 && csv >= qualityOf('application/json');
}
