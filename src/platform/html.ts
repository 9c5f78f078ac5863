/** HTML from tagged templates, in which every value is escaped unless it is itself `Html`. */
export class Html {
  constructor(readonly text: string) {}
}

export type HtmlValue = Html | Html[] | string | number | false | null | undefined;

export const html = (strings: readonly string[], ...values: HtmlValue[]): Html =>
  new Html(strings.map((part, i) => part + (i < values.length ? renderValue(values[i]) : '')).join(''));

function renderValue(value: HtmlValue): string {
  if (value === undefined || value === null || value === false) return '';
  if (value instanceof Html) return value.text;
  return Array.isArray(value) ? value.map(renderValue).join('') : escapeText(String(value));
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeText = (text: string): string => text.replace(/[&<>"']/g, char => entities[char] ?? char);
