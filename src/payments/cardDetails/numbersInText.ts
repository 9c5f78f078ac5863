/** Finds what may be a card number in a text that should hold none. */
import { passesLuhn } from '../../gateway/luhn';
import { brandOf } from './brands';

const MIN_DIGITS = 13;
const MAX_DIGITS = 19;
/** Stored texts are not longer. */
const MAX_SEARCHED_CHARACTERS = 2500;

/** Numbers are written in groups of at least three digits, or without separators. */
const SEPARATOR = /[\s\p{Pd}]{1,3}/u;
const DIGIT_GROUPS = new RegExp(`\\d{3,}(?:${SEPARATOR.source}\\d{3,})*`, 'gu');
const MAY_HOLD_NUMBER = new RegExp(`(?:\\d(?:${SEPARATOR.source})?){${MIN_DIGITS}}`, 'u');

/** Returns all numbers with a valid check digit, which one in ten random numbers has too. */
export function numbersIn(text: string): string[] {
  const searched = text.slice(0, MAX_SEARCHED_CHARACTERS);
  if (!MAY_HOLD_NUMBER.test(searched)) return [];
  return (searched.match(DIGIT_GROUPS) ?? []).flatMap(run => {
    const groups = run.split(SEPARATOR);
    return groups.flatMap((_, start) => numbersFrom(groups.slice(start)));
  });
}

/** Returns the numbers that begin with the first group. */
function numbersFrom(groups: readonly string[]): string[] {
  const numbers: string[] = [];
  let digits = '';
  for (const group of groups) {
    digits += group;
    if (digits.length > MAX_DIGITS) break;
    if (digits.length >= MIN_DIGITS && passesLuhn(digits)) numbers.push(digits);
  }
  return numbers;
}

/** Whether the number is in the range of a known brand. */
export const looksLikeCard = (number: string): boolean => brandOf(number).name !== 'unknown';
