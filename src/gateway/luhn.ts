/** Luhn's rule, for numbers of cards and references of vouchers. */
export function passesLuhn(digits: string): boolean {
  const doubled = (digit: number): number => (digit > 4 ? 2 * digit - 9 : 2 * digit);
  const sum = [...digits]
    .reverse()
    .map(Number)
    .reduce((total, digit, i) => total + (i % 2 === 1 ? doubled(digit) : digit), 0);
  return sum % 10 === 0;
}
