/** The NIT, the number by which Colombia's tax office knows a business: digits, and a check digit after them. */

/** By the distance from the end, the check digit aside. */
const WEIGHTS = [3, 7, 13, 17, 19, 23, 29, 37, 41, 43];

/** Its digits with the check digit, from any usual spelling: 900123456-8, 900.123.456-8 or 9001234568. */
export const digitsOfNit = (text: string): string | undefined =>
  /^(\d{6,10}-?\d)$/.exec(text.replaceAll(/[.\s]/g, ''))?.[1]?.replace('-', '');

/** Whether the last of its digits is the one that the others give. */
export function hasCheckDigit(digits: string): boolean {
  const sum = [...digits.slice(0, -1)].reverse().reduce((sum, digit, i) => sum + Number(digit) * (WEIGHTS[i] ?? 0), 0);
  const remainder = sum % 11;
  return Number(digits.at(-1)) === (remainder > 1 ? 11 - remainder : remainder);
}

/** With a dash before the check digit, as it is written. */
export const displayNit = (digits: string): string => `${digits.slice(0, -1)}-${digits.slice(-1)}`;
