import fc from 'fast-check';
import { formatMoney, parseMoney } from '../../src/platform/money';
import { MoneyScalar } from '../../src/schema/scalars';

const LARGEST = 999_999_999_999_999n;
const centavos = fc.bigInt({ min: -LARGEST, max: LARGEST });
const error_code = (value: unknown): number | undefined => {
  try {
    MoneyScalar.parseValue(value);
  } catch (error) {
    return (error as { error_code: number }).error_code;
  }
};

describe('money', () => {
  it('comes back exactly: centavos to a JSON number, through JSON, and in again', () => {
    fc.assert(
      fc.property(centavos, amount => {
        const number = JSON.parse(JSON.stringify(formatMoney(amount)));
        expect(MoneyScalar.parseValue(number)).toBe(amount);
        expect(MoneyScalar.parseValue(String(number))).toBe(amount);
      }),
      { numRuns: 5000 },
    );
  });

  it('shows at most two decimals', () => {
    fc.assert(fc.property(centavos, amount => expect(String(formatMoney(amount))).toMatch(/^-?\d+(\.\d{1,2})?$/)));
  });

  it('reads decimals as they are written', () => {
    fc.assert(
      fc.property(fc.nat(9_999_999), fc.integer({ min: 0, max: 99 }), (pesos, cents) => {
        const text = `${pesos}.${String(cents).padStart(2, '0')}`;
        expect(parseMoney(text)).toEqual({ centavos: BigInt(pesos) * 100n + BigInt(cents), exact: true });
      }),
    );
  });

  it.each([1.005, '1.001', 1e15, '10000000000000', 1e21, '99999999999999999999', 10_000_000_000_000n])(
    '1003 for %s',
    value => {
      expect(error_code(value)).toBe(1003);
    },
  );

  it.each(['', 'x', '1,000', '1e3', '1.', '.5', '$1', '٣', true, null, {}, [], Number.NaN])('1001 for %j', value => {
    expect(error_code(value)).toBe(1001);
  });

  it('takes 1e3 as the number it is, and numbers as texts', () => {
    expect([1e3, '1000', ' 1000.00 ', 1000n].map(value => MoneyScalar.parseValue(value))).toEqual(
      Array(4).fill(100_000n),
    );
  });
});
