/** The part of a charge's cost that its refunds return, and the tax that its amount includes. */
import fc from 'fast-check';
import { returnedCost } from '../../../src/payments/charges/card/costs';
import { includedTax } from '../../../src/payments/charges/tax';
import { MAX_CENTAVOS } from '../../../src/schema/scalars';

it('all refunds together return the whole cost, even if one of them failed later', () => {
  const charge = { amount: 10_001n, fee_amount: 90_290n, fee_tax: 17_155n };
  const refund = (earlier: Parameters<typeof returnedCost>[1], amount: bigint) => ({
    amount,
    ...returnedCost(charge, earlier, amount),
  });
  const failed = refund([], 3333n);
  const second = refund([failed], 3333n);
  const last = refund([second], 6668n);
  expect(second.fee_amount + last.fee_amount).toBe(charge.fee_amount);
  expect(second.fee_tax + last.fee_tax).toBe(charge.fee_tax);
});

describe('the tax included in an amount', () => {
  it.each([
    ['19%', 100_000n, { base: 84_034n, rate: 1900, amount: 15_966n }],
    [' 5.25 % ', 100_000n, { base: 95_012n, rate: 525, amount: 4988n }],
    ['0%', 100_000n, { base: 100_000n, rate: 0, amount: 0n }],
    ['1900', 1_190_000n, { base: 1_000_000n, rate: null, amount: 190_000n }],
    ['19', 100_000n, { base: 98_100n, rate: null, amount: 1900n }],
    ['15.96', 1596n, { base: 0n, rate: null, amount: 1596n }],
    ['0', 1n, { base: 1n, rate: null, amount: 0n }],
  ])('is read from %j', (iva, total, tax) => expect(includedTax(iva, total)).toEqual(tax));

  it.each(['', 'exento', '19 por ciento', '1.900', '1900,50', '-19%', '%', '101%', '1000.01', '１９'])(
    'is unknown for %j',
    iva => expect(includedTax(iva, 100_000n)).toBeNull(),
  );

  it('adds up to the amount with its base, and is its share rounded half up', () => {
    const total = fc.bigInt({ min: 1n, max: MAX_CENTAVOS });
    fc.assert(
      fc.property(total, fc.bigInt({ min: 0n, max: 10_000n }), (total, rate) => {
        const tax = includedTax(`${rate / 100n}.${String(rate % 100n).padStart(2, '0')}%`, total);
        const { base, amount } = tax ?? { base: -1n, amount: -1n };
        const excess = 2n * (amount * (10_000n + rate) - total * rate);
        expect([base + amount, base >= 0n, tax?.rate]).toEqual([total, true, Number(rate)]);
        expect(excess > -(10_000n + rate) && excess <= 10_000n + rate).toBe(true);
      }),
    );
  });
});
