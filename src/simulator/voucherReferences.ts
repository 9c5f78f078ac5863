/** References of vouchers: fifteen digits at random and the check digit that stores verify. */
import { randomInt } from 'node:crypto';

/** What the network of stores that reads the longer reference is told by. */
export const PAYBIN = '0101';

/** None that is taken. */
export function newReference(taken: ReadonlySet<string>): string {
  const digits = `${randomInt(100, 1000)}${String(randomInt(10 ** 12)).padStart(12, '0')}`;
  const reference = `${digits}${checkDigit(digits)}`;
  return taken.has(reference) ? newReference(taken) : reference;
}

/** By Luhn: from the right every other digit counts twice. */
export function checkDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
}
