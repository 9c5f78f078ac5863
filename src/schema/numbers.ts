/**
 * A number written with exactly three decimals, as 100.000: a hundred thousand in Colombia, a hundred in JSON. Amounts
 * reject it as ambiguous.
 */
export class ThreeDecimals extends Number {}

/** Keeps the digits of integers that a double cannot represent, as card numbers. Undefined for infinite numbers. */
export function readNumber(text: string): number | bigint | ThreeDecimals | undefined {
  const number = Number(text);
  if (!Number.isFinite(number)) return undefined;
  if (/\.\d{3}$/.test(text)) return new ThreeDecimals(number);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? BigInt(text) : number;
}
