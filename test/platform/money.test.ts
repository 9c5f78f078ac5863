import fc from 'fast-check';
import { parseValue } from 'graphql';
import { formatMoney, parseMoney } from '../../src/platform/money';
import { readNumber } from '../../src/schema/numbers';
import { MoneyScalar } from '../../src/schema/scalars';

const MAX_CENTAVOS = 999_999_999_999_999n;
const centavos = fc.bigInt({ min: -MAX_CENTAVOS, max: MAX_CENTAVOS });
const errorCodeOf = (value: unknown): number | undefined => {
  try {
    MoneyScalar.parseValue(value);
    return undefined;
  } catch (error) {
    return (error as { error_code: number }).error_code;
  }
};

describe('money', () => {
  it('is unchanged after a round trip through JSON', () => {
    fc.assert(
      fc.property(centavos, amount => {
        const number = JSON.parse(JSON.stringify(formatMoney(amount)));
        expect(MoneyScalar.parseValue(number)).toBe(amount);
        if (amount >= 0n) expect(MoneyScalar.parseValue(String(number))).toBe(amount);
      }),
      { numRuns: 5000 },
    );
  });

  it('has at most two decimals', () => {
    fc.assert(fc.property(centavos, amount => expect(String(formatMoney(amount))).toMatch(/^-?\d+(\.\d{1,2})?$/)));
  });

  it('parses decimals exactly', () => {
    fc.assert(
      fc.property(fc.nat(9_999_999), fc.integer({ min: 0, max: 99 }), (pesos, cents) => {
        const text = `${pesos}.${String(cents).padStart(2, '0')}`;
        expect(parseMoney(text)).toEqual({ centavos: BigInt(pesos) * 100n + BigInt(cents), exact: true });
      }),
    );
  });

  it.each([
    1.0005,
    1e15,
    '10000000000000',
    1e21,
    '99999999999999999999',
    10_000_000_000_000n,
    1e31,
    1e-7,
    10n ** 40n,
    '9'.repeat(40),
  ])('refuses %s with 1003', value => {
    expect(errorCodeOf(value)).toBe(1003);
  });

  it.each([
    '100.000',
    '49.900',
    '1.001',
    '1.0000',
    '9999999999999.991',
    readNumber('100.000'),
    readNumber('9999999999999.991'),
  ])('refuses %s with 1003 as a possible thousands separator', value => expect(errorCodeOf(value)).toBe(1003));

  it.each(['', 'x', '1,000', '1e3', '1.', '.5', '$1', '٣', ' 1', '1 ', '-1', '+1', true, null, {}, [], Number.NaN])(
    'refuses %j with 1001',
    value => expect(errorCodeOf(value)).toBe(1001),
  );

  it.each([
    1000,
    1e3,
    '1000',
    '1000.0',
    '1000.00',
    1000n,
    readNumber('1000.0000'),
    readNumber('1.0E3'),
    readNumber('1000.00'),
  ])('accepts %s', value => expect(MoneyScalar.parseValue(value)).toBe(100_000n));

  it.each(['1000', '1000.00', '1000.0000', '1.0E3', '"1000"'])('accepts %s in a GraphQL document', literal => {
    expect(MoneyScalar.parseLiteral(parseValue(literal), {})).toBe(100_000n);
  });

  it.each(['100.000', '"100.000"', '"1e3"', '-0.005', '1e400'])('refuses %s in a GraphQL document', literal => {
    expect(() => MoneyScalar.parseLiteral(parseValue(literal), {})).toThrow();
  });
});
