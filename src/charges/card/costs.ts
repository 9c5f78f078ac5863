/** What a charge costs the merchant: a rate and a fixed part, and tax on both, each rounded half up to the centavo. */
import type { Money } from '../../platform/money';

const TAX_PERCENT = 19n;

export interface CostRates {
  /** In hundredths of a percent. */
  cost_rate: number;
  cost_fixed: Money;
}

const divideHalfUp = (numerator: Money, denominator: Money): Money =>
  (2n * numerator + denominator) / (2n * denominator);

/** The part of a charge's cost that belongs to a refund. All refunds of a charge together return exactly its cost. */
export function returnedCost(charge: RefundedCharge, refunded: Money, amount: Money) {
  const shareOf = (total: Money): Money =>
    divideHalfUp(total * (refunded + amount), charge.amount) - divideHalfUp(total * refunded, charge.amount);
  return { fee_amount: shareOf(charge.fee_amount ?? 0n), fee_tax: shareOf(charge.fee_tax ?? 0n) };
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
