/** What moves, as sets of entries that sum to zero. The database refuses any other. */
import type { Money } from '../platform/money';
import { chargebacks, clearing, costs, merchantAccount, tax } from './accounts';

export interface LedgerEntry {
  movement: string;
  account: string;
  amount: Money;
}

interface LedgerCharge {
  id: string;
  merchant_id: string;
  /** The account that is credited. */
  account: string;
}

/** Entries of one account are one entry; one of nothing is none. */
export function movement(name: string, moves: [account: string, amount: Money][]): LedgerEntry[] {
  const sums = new Map<string, Money>();
  for (const [account, amount] of moves) sums.set(account, (sums.get(account) ?? 0n) + amount);
  return [...sums].flatMap(([account, amount]) => (amount === 0n ? [] : [{ movement: name, account, amount }]));
}

/** The payer's money comes in, the merchant pays for it. */
export const chargeEntries = (
  { id, merchant_id, account }: LedgerCharge,
  amount: Money,
  cost: Money,
  taxes: Money,
): LedgerEntry[] =>
  movement(`charge ${id}`, [
    [clearing(merchant_id), -amount],
    [account, amount],
    [merchantAccount(merchant_id), -cost - taxes],
    [costs(merchant_id), cost],
    [tax(merchant_id), taxes],
  ]);

/** The account is debited before the acquirer is asked, so that nobody spends the same money meanwhile. */
export const refundEntries = (
  { id, merchant_id, account }: LedgerCharge,
  amount: Money,
  cost: Money,
  taxes: Money,
): LedgerEntry[] =>
  movement(`refund ${id}`, [
    [account, -amount],
    [clearing(merchant_id), amount],
    [merchantAccount(merchant_id), cost + taxes],
    [costs(merchant_id), -cost],
    [tax(merchant_id), -taxes],
  ]);

/** A refund that the acquirer declined did not happen. */
export const reversedRefundEntries = (charge: LedgerCharge, amount: Money, cost: Money, taxes: Money): LedgerEntry[] =>
  refundEntries(charge, -amount, -cost, -taxes).map(entry => ({ ...entry, movement: `unrefund ${charge.id}` }));

/** Held while it is argued about; then the payer's, or the merchant's again. */
export const chargebackEntries = (
  step: 'open' | 'accepted' | 'rejected',
  { id, merchant_id, account }: LedgerCharge,
  amount: Money,
): LedgerEntry[] => {
  const held = chargebacks(merchant_id);
  const moves: Record<typeof step, [string, Money][]> = {
    open: [
      [account, -amount],
      [held, amount],
    ],
    accepted: [
      [held, -amount],
      [clearing(merchant_id), amount],
    ],
    rejected: [
      [held, -amount],
      [account, amount],
    ],
  };
  return movement(`chargeback ${step} ${id}`, moves[step]);
};

/** From the customer's account to the merchant. */
export const feeEntries = (id: string, merchant_id: string, customer: string, amount: Money): LedgerEntry[] =>
  movement(`fee ${id}`, [
    [customer, -amount],
    [merchantAccount(merchant_id), amount],
  ]);

/** A refund that was under way when a chargeback was opened, and failed, leaves more to be held. */
export const failedRefundChargebackEntries = (refund: LedgerCharge, amount: Money): LedgerEntry[] =>
  movement(`chargeback after ${refund.id}`, [
    [refund.account, -amount],
    [chargebacks(refund.merchant_id), amount],
  ]);
