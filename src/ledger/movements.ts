/** Ledger movements: sets of entries that sum to zero. The database rejects an unbalanced movement. */
import type { Money } from '../platform/money';
import {
  chargebacksAccount,
  clearingAccount,
  costsAccount,
  merchantAccount,
  payoutsAccount,
  taxAccount,
} from './accounts';

export interface LedgerEntry {
  movement: string;
  account: string;
  amount: Money;
}

interface LedgerTransaction {
  id: string;
  merchant_id: string;
  /** The credited account. */
  account: string;
}

/** Merges entries of the same account and omits zero amounts. */
export function movement(name: string, moves: [account: string, amount: Money][]): LedgerEntry[] {
  const sums = new Map<string, Money>();
  for (const [account, amount] of moves) sums.set(account, (sums.get(account) ?? 0n) + amount);
  return [...sums].flatMap(([account, amount]) => (amount === 0n ? [] : [{ movement: name, account, amount }]));
}

export const chargeEntries = (
  { id, merchant_id, account }: LedgerTransaction,
  amount: Money,
  cost: Money,
  taxes: Money,
): LedgerEntry[] =>
  movement(`charge ${id}`, [
    [clearingAccount(merchant_id), -amount],
    [account, amount],
    [merchantAccount(merchant_id), -cost - taxes],
    [costsAccount(merchant_id), cost],
    [taxAccount(merchant_id), taxes],
  ]);

/** Posted before the acquirer is called. The merchant gets its share of the cost back. */
export const refundEntries = (
  { id, merchant_id, account }: LedgerTransaction,
  amount: Money,
  cost: Money,
  taxes: Money,
): LedgerEntry[] =>
  movement(`refund ${id}`, [
    [account, -amount],
    [clearingAccount(merchant_id), amount],
    [merchantAccount(merchant_id), cost + taxes],
    [costsAccount(merchant_id), -cost],
    [taxAccount(merchant_id), -taxes],
  ]);

/** Reverses the entries of a refund that the acquirer declined. */
export const reversedRefundEntries = (
  charge: LedgerTransaction,
  amount: Money,
  cost: Money,
  taxes: Money,
): LedgerEntry[] =>
  refundEntries(charge, -amount, -cost, -taxes).map(entry => ({ ...entry, movement: `unrefund ${charge.id}` }));

/**
 * Debits the amount from the credited account while the chargeback is open. The part that exceeds a customer's
 * `balance` is debited from the merchant's account, because the merchant bears that loss.
 */
export function openChargebackEntries(
  { id, merchant_id, account }: LedgerTransaction,
  amount: Money,
  balance: Money,
): LedgerEntry[] {
  const available = balance > amount ? amount : balance;
  return movement(`chargeback open ${id}`, [
    [account, -available],
    [merchantAccount(merchant_id), available - amount],
    [chargebacksAccount(merchant_id), amount],
  ]);
}

/** Pays the disputed amounts to the payer, or returns them to the debited accounts. */
export const closeChargebackEntries = (
  step: 'accepted' | 'rejected',
  { id, merchant_id }: LedgerTransaction,
  disputed: readonly { account: string; amount: Money }[],
): LedgerEntry[] =>
  movement(
    `chargeback ${step} ${id}`,
    disputed.flatMap(({ account, amount }): [string, Money][] => [
      [chargebacksAccount(merchant_id), -amount],
      [step === 'accepted' ? clearingAccount(merchant_id) : account, amount],
    ]),
  );

export const feeEntries = (id: string, merchant_id: string, account: string, amount: Money): LedgerEntry[] =>
  movement(`fee ${id}`, [
    [account, -amount],
    [merchantAccount(merchant_id), amount],
  ]);

/** A chargeback excludes refunds in flight. When such a refund fails, its amount is disputed as well. */
export const failedRefundChargebackEntries = (refund: LedgerTransaction, amount: Money): LedgerEntry[] =>
  movement(`chargeback after ${refund.id}`, [
    [refund.account, -amount],
    [chargebacksAccount(refund.merchant_id), amount],
  ]);

/** Posted before the acquirer is called, so that the amount cannot be spent twice. */
export const payoutEntries = (id: string, merchant_id: string, amount: Money): LedgerEntry[] =>
  movement(`payout ${id}`, [
    [merchantAccount(merchant_id), -amount],
    [payoutsAccount(merchant_id), amount],
  ]);

export const closePayoutEntries = (
  step: 'paid' | 'returned',
  id: string,
  merchant_id: string,
  amount: Money,
): LedgerEntry[] =>
  movement(`payout ${step} ${id}`, [
    [payoutsAccount(merchant_id), -amount],
    [step === 'paid' ? clearingAccount(merchant_id) : merchantAccount(merchant_id), amount],
  ]);
