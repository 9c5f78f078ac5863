/** What a text that somebody typed into a search box may mean. */
import { isId } from '../../platform/identifiers';
import { type Money, parseMoney } from '../../platform/money';
import { MAX_CENTAVOS } from '../../schema/scalars';

/** As texts are compared, here and in the database: without letter case and accents. */
export const fold = (text: string): string =>
  (HAS_OTHERS.test(text) ? text.normalize('NFD').replace(/\p{M}/gu, '') : text).toLowerCase();
/** Most of what is compared has no other letters than these. */
const HAS_OTHERS = /[^ -~]/;

/** Indexes know parts of three letters or digits. */
const MIN_INDEXED = /[a-z0-9]{3}/;
const MAX_INDEXED_WORDS = 3;

export interface SearchedText {
  /** Without white space around it. */
  text: string;
  folded: string;
  /** All must be found. */
  words: string[];
  /** Those of a phone number are one word, however it is written. */
  customerWords: string[];
  id: string | undefined;
  amount: Money | undefined;
  lastFour: string | undefined;
}

export function readText(typed: string): SearchedText {
  const text = typed.normalize('NFC').trim().replace(/\s+/g, ' ');
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

/** Its digits, without Colombia's code, which few customers are stored with. */
function phoneNumberIn(text: string): string | undefined {
  const digits = text.replace(/^\+57/, '').replace(/[\s()+-]/g, '');
  return /^\d{7,15}$/.test(digits) ? digits : undefined;
}

/** As programs write it, 49900.50, or as Colombians do, 49.900,50. */
function amountIn(text: string): Money | undefined {
  const isColombian = /^\d{1,3}(\.\d{3})+(,\d{1,2})?$/.test(text);
  const plain = isColombian ? text.replaceAll('.', '').replace(',', '.') : text.replace(',', '.');
  const amount = /^\d{1,13}(\.\d{1,2})?$/.test(plain) ? parseMoney(plain)?.centavos : undefined;
  return amount !== undefined && amount > 0n && amount <= MAX_CENTAVOS ? amount : undefined;
}

/** What `like` compares with: nothing of it is a wildcard. */
const patternOf = (part: string): string => `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`;

/**
 * Three patterns for an index, which narrow the search most; undefined if there is none. Of an e-mail address only what
 * is before the @: the rest is common to many.
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

/** How well folded values fit, the smaller the better; undefined if they do not. */
export const RANKS = { id: 0, whole: 1, amount: 2, card: 3, wholeWords: 4, beginning: 5, wordBeginnings: 6, parts: 7 };

export function rankOf(all: readonly string[], folded: string, words: readonly string[]): number | undefined {
  if (all.includes(folded)) return RANKS.whole;
  if (!words.every(word => all.some(value => value.includes(word)))) return undefined;
  const own = all.flatMap(value => [...value.split(/\s/), ...value.split(/[^\p{L}\p{N}]+/u)]);
  if (words.every(word => own.includes(word))) return RANKS.wholeWords;
  if (all.some(value => value.startsWith(folded))) return RANKS.beginning;
  return words.every(word => own.some(one => one.startsWith(word))) ? RANKS.wordBeginnings : RANKS.parts;
}
