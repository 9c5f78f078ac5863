import fc from 'fast-check';
import { caretAfter, formatTyped, formatWhole, fromApiAmount, toApiAmount } from '../../browser/shared/amounts';

it.each([
  ['', ''],
  ['4', '4'],
  ['4990', '4.990'],
  ['49.9000', '499.000'],
  ['1234567,8', '1.234.567,8'],
  ['12,345', '12,34'],
  ['12,3,', '12,3'],
  [',5', '0,5'],
  ['007', '7'],
  ['$ 4a9', '49'],
])('%j is formatted as %j while it is typed', (text, formatted) => expect(formatTyped(text)).toBe(formatted));

it.each([
  ['$ 49.900', '49.900'],
  ['49900', '49.900'],
  ['49.900,5 COP', '49.900,5'],
  ['49900.50', '49.900,50'],
  ['49,900', '49.900'],
  ['1,049,900.50', '1.049.900,50'],
  ['1.049.900', '1.049.900'],
])('a pasted %j is %j', (text, formatted) => expect(formatWhole(text)).toBe(formatted));

it.each([
  // A digit typed in the middle, one deleted, a deleted separator, and one typed at the end.
  ['1.2534', 4, '12.534', 4],
  ['1.34', 2, '134', 1],
  ['1234', 1, '1.234', 1],
  ['12345', 5, '12.345', 6],
])('the caret of %j at %i is in %j at %i', (before, caret, after, place) =>
  expect(caretAfter(before, caret, after)).toBe(place),
);

it('an amount is the same after it was shown in a field', () => {
  fc.assert(
    fc.property(fc.nat(999_999_999), fc.nat(99), (pesos, centavos) => {
      const amount = centavos === 0 ? String(pesos) : `${pesos}.${String(centavos).padStart(2, '0')}`;
      const shown = fromApiAmount(amount);
      expect([toApiAmount(shown), formatTyped(shown), formatWhole(shown)]).toEqual([amount, shown, shown]);
    }),
  );
});
