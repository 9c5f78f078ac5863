/** Interpretations of a search text. */
import { isId } from '../../platform/identifiers';
import { type Money, parseMoney } from '../../platform/money';
import { MAX_CENTAVOS } from '../../schema/scalars';

/** Removes case and accents, as the SQL function `search_text` does. */
export const fold = (text: string): string =>
  (NON_ASCII.test(text) ? text.normalize('NFD').replace(/\p{M}/gu, '') : text).toLowerCase();
const NON_ASCII = /[^ -~]/;

/** Trigram indexes need three letters or digits. */
const MIN_INDEXED = /[a-z0-9]{3}/;
const MAX_INDEXED_WORDS = 3;

export interface SearchedText {
  text: string;
  folded: string;
  /** Every word must match. */
  words: string[];
  /** Like `words`, with a phone number as one word. */
  customerWords: string[];
  id: string | undefined;
  amount: Money | undefined;
  lastFour: string | undefined;
}

export function parseSearchText(input: string): SearchedText {
  const text = input.normalize('NFC').trim().replace(/\s+/g, ' ');
  const folded = fold(text);
  const words = folded.split(' ');
  const phone = phoneNumberIn(text);
  return {
    text,
    folded,
    words,
    customerWords: phone ? [phone] : words,
    id: isId(text) ? text : undefined,
    amount: amountIn(text),
    lastFour: /^\d{4}$/.test(text) ? text : undefined,
  };
}

/** Digits without the country code of Colombia, which is rarely stored. */
function phoneNumberIn(text: string): string | undefined {
  const digits = text.replace(/^\+57/, '').replace(/[\s()+-]/g, '');
  return /^\d{7,15}$/.test(digits) ? digits : undefined;
}

/** Accepts 49900.50 and the Colombian 49.900,50. */
function amountIn(text: string): Money | undefined {
  const isColombian = /^\d{1,3}(\.\d{3})+(,\d{1,2})?$/.test(text);
  const plain = isColombian ? text.replaceAll('.', '').replace(',', '.') : text.replace(',', '.');
  const amount = /^\d{1,13}(\.\d{1,2})?$/.test(plain) ? parseMoney(plain)?.centavos : undefined;
  return amount !== undefined && amount > 0n && amount <= MAX_CENTAVOS ? amount : undefined;
}

/** A `like` pattern with escaped wildcards. */
const patternOf = (part: string): string => `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`;

/**
 * The three most selective patterns for the trigram index; undefined if no word is long enough. E-mail domains are
 * omitted because they are common.
 */
export function indexedPatterns(words: readonly string[]): [string, string, string] | undefined {
  const parts = words
    .map(word => [word.split('@')[0] ?? '', word].find(part => MIN_INDEXED.test(part)) ?? '')
    .filter(part => MIN_INDEXED.test(part))
    .sort((a, b) => b.length - a.length)
    .slice(0, MAX_INDEXED_WORDS)
    .map(patternOf);
  const [one, two = one, three = one] = parts;
  return one === undefined || two === undefined || three === undefined ? undefined : [one, two, three];
}

/** Lower is better. */
export const RANKS = { id: 0, whole: 1, amount: 2, card: 3, wholeWords: 4, beginning: 5, wordBeginnings: 6, parts: 7 };

export function rankOf(all: readonly string[], folded: string, words: readonly string[]): number | undefined {
  if (all.includes(folded)) return RANKS.whole;
  if (!words.every(word => all.some(value => value.includes(word)))) return undefined;
  const own = all.flatMap(value => [...value.split(/\s/), ...value.split(/[^\p{L}\p{N}]+/u)]);
  if (words.every(word => own.includes(word))) return RANKS.wholeWords;
  if (all.some(value => value.startsWith(folded))) return RANKS.beginning;
  return words.every(word => own.some(one => one.startsWith(word))) ? RANKS.wordBeginnings : RANKS.parts;
}
