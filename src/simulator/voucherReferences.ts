/** Voucher references: fifteen random digits and the check digit that stores verify. */
import { randomInt } from 'node:crypto';

/** Marks the longer reference, which the Paybin store network reads. */
export const PAYBIN_PREFIX = '0101';

export function newReference(used: ReadonlySet<string>): string {
  const digits = `${randomInt(100, 1000)}${String(randomInt(10 ** 12)).padStart(12, '0')}`;
  const reference = `${digits}${checkDigit(digits)}`;
  return used.has(reference) ? newReference(used) : reference;
}

/** Luhn: every other digit from the right counts twice. */
export function checkDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((total, digit, position) => {
    const value = Number(digit) * (position % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
}
