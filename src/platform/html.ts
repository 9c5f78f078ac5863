/** HTML from templates in which every value is text, unless it is HTML of ours already. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = Html | Html[] | string | number | false | null | undefined;

export const html = (strings: TemplateStringsArray, ...values: Value[]): Html =>
  new Html(strings.map((part, i) => part + (i < values.length ? spell(values[i]) : '')).join(''));

function spell(value: Value): string {
  if (value === undefined || value === null || value === false) return '';
  if (value instanceof Html) return value.text;
  return Array.isArray(value) ? value.map(spell).join('') : asText(String(value));
}

const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const asText = (text: string): string => text.replace(/[&<>"']/g, char => named[char] ?? char);
