/** The part of a charge's cost that its refunds return. */
import { returnedCost } from '../../../src/payments/charges/card/costs';

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
