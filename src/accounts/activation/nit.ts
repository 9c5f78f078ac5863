/** The NIT, the tax number of a Colombian business: digits followed by a check digit. */

/** Weights by the distance from the check digit. */
const WEIGHTS = [3, 7, 13, 17, 19, 23, 29, 37, 41, 43];

/** Normalizes the usual spellings: 900123456-8, 900.123.456-8 or 9001234568. */
export const digitsOfNit = (text: string): string | undefined =>
  /^(\d{6,10}-?\d)$/.exec(text.replaceAll(/[.\s]/g, ''))?.[1]?.replace('-', '');

export function hasCheckDigit(digits: string): boolean {
  const sum = [...digits.slice(0, -1)].reverse().reduce((sum, digit, i) => sum + Number(digit) * (WEIGHTS[i] ?? 0), 0);
  const remainder = sum % 11;
  return Number(digits.at(-1)) === (remainder > 1 ? 11 - remainder : remainder);
}

/** Writes a dash before the check digit. */
export const displayNit = (digits: string): string => `${digits.slice(0, -1)}-${digits.slice(-1)}`;
