/** The IVA in an amount, compared with an independent computation in fractions. */
import fc from 'fast-check';
import { includedTax, scaledIva, storedIva } from '../../../src/payments/charges/tax';

const amounts = fc.bigInt({ min: 1n, max: 999_999_999_999_999n });
/** In hundredths: of a percent, or centavos. */
const hundredths = (max: bigint) => fc.bigInt({ min: 0n, max });
const textOf = (value: bigint, decimals: number): string => {
  const digits = String(value).padStart(3, '0');
  const [whole, rest] = [digits.slice(0, -2), digits.slice(-2)];
  return decimals === 0 ? whole : `${whole}.${rest.slice(0, decimals)}`;
};

/** The integer next to a fraction, found by search: the higher one of two that are equally near. */
function nearest(numerator: bigint, denominator: bigint): bigint {
  let [low, high] = [0n, numerator + 1n];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    // middle - 1/2 <= numerator / denominator
    if ((2n * middle - 1n) * denominator <= 2n * numerator) low = middle;
    else high = middle;
  }
  return low;
}

it('a rate is the part amount × rate ÷ (100 + rate), rounded half up', () => {
  fc.assert(
    fc.property(amounts, hundredths(10_000n), (amount, rate) => {
      const tax = includedTax(`${textOf(rate, 2)}%`, amount);
      expect(tax).toEqual({
        base: amount - nearest(amount * rate, 10_000n + rate),
        rate: Number(rate),
        amount: nearest(amount * rate, 10_000n + rate),
      });
    }),
  );
});

it('pesos change in proportion to the amount, rounded half up, and are never more than it', () => {
  fc.assert(
    fc.property(amounts, amounts, fc.bigInt({ min: 0n, max: 999_999_999_999_999n }), (whole, amount, part) => {
      const iva = part % (whole + 1n);
      const tax = includedTax(scaledIva(textOf(iva, 2), amount, whole), amount);
      expect(tax?.amount).toBe(nearest(iva * amount, whole));
      expect((tax?.base ?? -1n) + (tax?.amount ?? 0n)).toBe(amount);
      expect(tax?.base).toBeGreaterThanOrEqual(0n);
    }),
  );
});

it('an unchanged amount keeps the text, and so do rates and texts that are neither', () => {
  fc.assert(
    fc.property(
      amounts,
      amounts,
      fc.oneof(fc.string(), fc.constantFrom('19%', ' 5 %', '0', '1900', '1900.5')),
      (a, b, iva) => {
        expect(scaledIva(iva, a, a)).toBe(iva);
        if (!/^\s*\d+(\.\d{1,2})?\s*$/.test(iva)) expect(scaledIva(iva, a, b)).toBe(iva);
      },
    ),
  );
  expect(scaledIva(null, 1n, 2n)).toBeNull();
});

it.each([
  ['7966.39', 2_495_000n, 4_990_000n, '3983.20'],
  ['1900', 1n, 2n, '950.00'],
  ['0', 1n, 3n, '0.00'],
])('%s for %d of %d is %s', (iva, amount, whole, expected) => {
  expect(scaledIva(iva, amount, whole)).toBe(expected);
});

it.each([
  [undefined, undefined],
  [null, null],
  [' ', null],
  ['19%', '19%'],
])('%s is stored as %s', (iva, stored) => {
  expect(storedIva(iva)).toBe(stored);
});
