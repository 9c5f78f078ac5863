/** Numbers of requests, read so that nothing of what was written is lost. */

/**
 * A number that was written with exactly three decimals, as 100.000. In Colombia that is a hundred thousand, in JSON a
 * hundred: where an amount is expected, it is refused.
 */
export class ThreeDecimals extends Number {}

/**
 * Integers that a double cannot hold exactly (card numbers of 19 digits) keep their digits. Undefined if it is too large
 * for any number.
 */
export function readNumber(text: string): number | bigint | ThreeDecimals | undefined {
  const number = Number(text);
  if (!Number.isFinite(number)) return undefined;
  if (/\.\d{3}$/.test(text)) return new ThreeDecimals(number);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? BigInt(text) : number;
}
