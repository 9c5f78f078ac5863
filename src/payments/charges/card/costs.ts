/** The merchant's cost of a charge: a rate, a fixed amount and tax on both, rounded half up to the centavo. */
import { ObjectType } from 'type-graphql';
import { divideHalfUp, type Money } from '../../../platform/money';
import { Amount, Currency } from '../../../schema/shapes';

const TAX_PERCENT = 19n;

@ObjectType({ description: 'Processing cost of a charge' })
export class Cost {
  @Amount('Cost before tax', { example: 3800 })
  amount!: Money;
  @Amount('Tax on the cost', { example: 722 })
  tax!: Money;
  @Currency.field('Currency, always COP')
  currency!: string;
}

export interface CostRates {
  /** Hundredths of a percent. */
  cost_rate: number;
  cost_fixed: Money;
}

/**
 * The share of a charge's cost that a refund returns. All refunds of a charge together return exactly its cost, even if
 * earlier refunds failed.
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
