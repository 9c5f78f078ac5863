/** Customers, plans and charges that have a text in one of their fields. */
import type { FoundRow, SearchScope } from './found';
import { readIndexed, readNewest, readSorted, type TextRow } from './rows';
import { fold, indexedPatterns, RANKS, rankOf, type SearchedText } from './text';

/**
 * So many of the newest are looked at first: a text that is frequent among them is frequent everywhere, and to read its
 * list in the index would take long.
 */
const MAX_NEWEST = 300;
/** So many of those that the index finds are ranked. */
const MAX_INDEXED = 300;
/** Not an e-mail address, a phone number, an amount or the digits of a card. */
const MAY_BEGIN_NAME = /^\p{L}[^@]*$/u;
const MAY_BEGIN_PHONE_NUMBER = /^\d{4,}$/;
/** So many are read of those that begin with the text, or follow it in the order of the index. */
const MAX_SORTED = 50;
const PHONE_NUMBER = `translate(phone_number, '+-() ', '')`;

interface Searched {
  type: FoundRow['type'];
  table: 'customers' | 'plans' | 'transactions';
  /** Of the database: finds ids by the index. */
  search: 'search_customers' | 'search_plans' | 'search_charges';
  isFindable: string;
  /** What an index has in its order: who types it from its beginning is answered by that, in no time. */
  sorted?: readonly { by: string; mayBegin: RegExp }[];
  /** The fields that are looked into, each under the name that is told. */
  fields: Record<string, string>;
  wordsOf(text: SearchedText): string[];
}

export const SEARCHED: readonly Searched[] = [
  {
    type: 'customer',
    table: 'customers',
    search: 'search_customers',
    isFindable: `status = 'active'`,
    sorted: [
      { by: `search_text(name || ' ' || coalesce(last_name, ''))`, mayBegin: MAY_BEGIN_NAME },
      { by: PHONE_NUMBER, mayBegin: MAY_BEGIN_PHONE_NUMBER },
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
    isFindable: `status = 'active'`,
    fields: { name: 'name' },
    wordsOf: ({ words }) => words,
  },
  {
    type: 'charge',
    table: 'transactions',
    search: 'search_charges',
    isFindable: `transaction_type = 'charge'`,
    fields: { order_id: 'order_id' },
    wordsOf: ({ words }) => words,
  },
];

/** At least `wanted`, if there are as many. */
export async function findByText(
  { tx, merchant_id }: SearchScope,
  { type, table, search, isFindable, sorted = [], fields, wordsOf }: Searched,
  text: SearchedText,
  wanted: number,
): Promise<FoundRow[]> {
  const words = wordsOf(text);
  const whole = words.join(' ');
  const names = Object.keys(fields);
  const toFound = (rows: TextRow[]): FoundRow[] =>
    rows.flatMap(row => {
      const match = bestMatch(row, names, whole, words);
      return match ? [{ type, id: row.id, creation_date: row.creation_date, ...match }] : [];
    });
  const source = { tx, merchant_id, table, isFindable, fields };
  const found = toFound(await readNewest(source, MAX_NEWEST));
  const patterns = indexedPatterns(words);
  if (found.length >= wanted || !patterns) return found;
  for (const { by } of sorted.filter(({ mayBegin }) => mayBegin.test(whole))) {
    found.push(...toFound(await readSorted(source, by, whole, MAX_SORTED)));
    const isNamed = found.some(({ matched, rank }) => matched === 'phone_number' && rank === RANKS.whole);
    if (isNamed || new Set(found.map(({ id }) => id)).size >= wanted) return found;
  }
  return [...found, ...toFound(await readIndexed(source, search, patterns, MAX_INDEXED))];
}

/** In one field, or else in several: some words in the name and others in the e-mail address. */
function bestMatch(row: TextRow, names: readonly string[], whole: string, words: readonly string[]) {
  const values = names.map(name => (typeof row[name] === 'string' ? fold(row[name]) : ''));
  // Most rows do not match, so that is found out first.
  if (!words.every(word => values.some(value => value.includes(word)))) return undefined;
  const inFields = [
    ...names.map((name, i) => [name, values.slice(i, i + 1)] as const),
    [names[0] ?? '', values] as const,
  ];
  const matches = inFields.flatMap(([matched, ofField]) => {
    const rank = rankOf(ofField, whole, words);
    return rank === undefined ? [] : [{ matched, rank }];
  });
  return matches.sort((a, b) => a.rank - b.rank)[0];
}
