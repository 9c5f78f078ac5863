/** What a charge costs the merchant: a rate and a fixed part, and tax on both, each rounded half up to the centavo. */
import type { Money } from '../../../platform/money';

const TAX_PERCENT = 19n;

export interface CostRates {
  /** In hundredths of a percent. */
  cost_rate: number;
  cost_fixed: Money;
}

const divideHalfUp = (numerator: Money, denominator: Money): Money =>
  (2n * numerator + denominator) / (2n * denominator);

/**
 * The part of a charge's cost that belongs to a refund. All refunds of a charge together return exactly its cost, also
 * where one that was counted has failed since: what the others have returned is what is left out.
 */
export function returnedCost(charge: RefundedCharge, earlier: readonly RefundedCharge[], amount: Money) {
  const refunded = earlier.reduce((sum, refund) => sum + refund.amount, 0n);
  const shareOf = (name: 'fee_amount' | 'fee_tax'): Money => {
    const returned = earlier.reduce((sum, refund) => sum + (refund[name] ?? 0n), 0n);
    const share = divideHalfUp((charge[name] ?? 0n) * (refunded + amount), charge.amount) - returned;
    return share > 0n ? share : 0n;
  };
  return { fee_amount: shareOf('fee_amount'), fee_tax: shareOf('fee_tax') };
}

interface RefundedCharge {
  amount: Money;
  fee_amount: Money | null;
  fee_tax: Money | null;
}

export function costOf(amount: Money, { cost_rate, cost_fixed }: CostRates): { fee_amount: Money; fee_tax: Money } {
  const fee_amount = divideHalfUp(amount * BigInt(cost_rate), 10_000n) + cost_fixed;
  return { fee_amount, fee_tax: divideHalfUp(fee_amount * TAX_PERCENT, 100n) };
}
