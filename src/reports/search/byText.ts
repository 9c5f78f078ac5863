/** Customers, plans and charges with a matching text field. */
import type { FoundRow, SearchScope } from './ranking';
import { readIndexed, readNewest, readSorted, type TextRow } from './rows';
import { fold, indexedPatterns, RANKS, rankOf, type SearchedText } from './text';

/** Number of newest rows scanned first: for a frequent text, scanning the index would take long. */
const MAX_NEWEST = 300;
const MAX_INDEXED = 300;
const NAME_PREFIX = /^\p{L}[^@]*$/u;
const PHONE_NUMBER_PREFIX = /^\d{4,}$/;
/** Rows read from a sorted index, beginning with the text. */
const MAX_SORTED = 50;
const PHONE_NUMBER = `translate(phone_number, '+-() ', '')`;

interface TextLookup {
  type: FoundRow['type'];
  table: 'customers' | 'plans' | 'transactions';
  /** The SQL function that finds IDs by the trigram index. */
  search: 'search_customers' | 'search_plans' | 'search_charges';
  condition: string;
  /** Expressions with a sorted index, which answers prefix searches quickly. */
  sorted?: readonly { by: string; prefix: RegExp }[];
  /** SQL expressions of the searched fields, by API field name. */
  fields: Record<string, string>;
  wordsOf(text: SearchedText): string[];
}

export const TEXT_LOOKUPS: readonly TextLookup[] = [
  {
    type: 'customer',
    table: 'customers',
    search: 'search_customers',
    condition: `status = 'active'`,
    sorted: [
      { by: `search_text(name || ' ' || coalesce(last_name, ''))`, prefix: NAME_PREFIX },
      { by: PHONE_NUMBER, prefix: PHONE_NUMBER_PREFIX },
    ],
    fields: {
      name: `name || coalesce(' ' || last_name, '')`,
      email: 'email',
      phone_number: PHONE_NUMBER,
      external_id: 'external_id',
    },
    wordsOf: ({ customerWords }) => customerWords,
  },
  {
    type: 'plan',
    table: 'plans',
    search: 'search_plans',
    condition: `status = 'active'`,
    fields: { name: 'name' },
    wordsOf: ({ words }) => words,
  },
  {
    type: 'charge',
    table: 'transactions',
    search: 'search_charges',
    condition: `transaction_type = 'charge'`,
    fields: { order_id: 'order_id' },
    wordsOf: ({ words }) => words,
  },
];

/** Stops after the first step that reaches `limit` rows. */
export async function findByText(
  { tx, merchant_id }: SearchScope,
  { type, table, search, condition, sorted = [], fields, wordsOf }: TextLookup,
  text: SearchedText,
  limit: number,
): Promise<FoundRow[]> {
  const words = wordsOf(text);
  const whole = words.join(' ');
  const names = Object.keys(fields);
  const toFound = (rows: TextRow[]): FoundRow[] =>
    rows.flatMap(row => {
      const match = bestMatch(row, names, whole, words);
      return match ? [{ type, id: row.id, creation_date: row.creation_date, ...match }] : [];
    });
  const source = { tx, merchant_id, table, condition, fields };
  const found = toFound(await readNewest(source, MAX_NEWEST));
  const patterns = indexedPatterns(words);
  if (found.length >= limit || !patterns) return found;
  for (const { by } of sorted.filter(({ prefix }) => prefix.test(whole))) {
    found.push(...toFound(await readSorted(source, by, whole, MAX_SORTED)));
    const isExact = found.some(({ matched, rank }) => matched === 'phone_number' && rank === RANKS.whole);
    if (isExact || new Set(found.map(({ id }) => id)).size >= limit) return found;
  }
  return [...found, ...toFound(await readIndexed(source, search, patterns, MAX_INDEXED))];
}

/** The best match within one field, or across all fields. */
function bestMatch(row: TextRow, names: readonly string[], whole: string, words: readonly string[]) {
  const values = names.map(name => (typeof row[name] === 'string' ? fold(row[name]) : ''));
  if (!words.every(word => values.some(value => value.includes(word)))) return undefined;
  const candidates = [
    ...names.map((name, i) => [name, values.slice(i, i + 1)] as const),
    [names[0] ?? '', values] as const,
  ];
  const matches = candidates.flatMap(([matched, fieldValues]) => {
    const rank = rankOf(fieldValues, whole, words);
    return rank === undefined ? [] : [{ matched, rank }];
  });
  return matches.sort((a, b) => a.rank - b.rank)[0];
}
