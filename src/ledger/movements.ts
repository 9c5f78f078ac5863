/** Movements of money as sets of ledger entries that sum to zero. The database refuses any other. */
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
  /** The account that is credited. */
  account: string;
}

/** Merges entries of the same account and leaves out those of zero. */
export function movement(name: string, moves: [account: string, amount: Money][]): LedgerEntry[] {
  const sums = new Map<string, Money>();
  for (const [account, amount] of moves) sums.set(account, (sums.get(account) ?? 0n) + amount);
  return [...sums].flatMap(([account, amount]) => (amount === 0n ? [] : [{ movement: name, account, amount }]));
}

/** The payer's money is credited, and the merchant is debited the cost. */
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

/** Posted before the acquirer is called: the payer gets the amount, and the merchant its share of the cost. */
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

/** Takes back the entries of a refund that the acquirer declined. */
export const reversedRefundEntries = (
  charge: LedgerTransaction,
  amount: Money,
  cost: Money,
  taxes: Money,
): LedgerEntry[] =>
  refundEntries(charge, -amount, -cost, -taxes).map(entry => ({ ...entry, movement: `unrefund ${charge.id}` }));

/**
 * The amount is held while the chargeback is open. It is taken from the account that was credited, and what a customer's
 * does not hold any more (`balance`) from the merchant's: a loss must show where somebody bears it.
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

/** What was `held` goes to the payer, or back to the accounts that it was taken from. */
export const closeChargebackEntries = (
  step: 'accepted' | 'rejected',
  { id, merchant_id }: LedgerTransaction,
  held: readonly { account: string; amount: Money }[],
): LedgerEntry[] =>
  movement(
    `chargeback ${step} ${id}`,
    held.flatMap(({ account, amount }): [string, Money][] => [
      [chargebacksAccount(merchant_id), -amount],
      [step === 'accepted' ? clearingAccount(merchant_id) : account, amount],
    ]),
  );

export const feeEntries = (id: string, merchant_id: string, account: string, amount: Money): LedgerEntry[] =>
  movement(`fee ${id}`, [
    [account, -amount],
    [merchantAccount(merchant_id), amount],
  ]);

/** A refund that was in flight when a chargeback was opened was not held; after it failed, its amount is held too. */
export const failedRefundChargebackEntries = (refund: LedgerTransaction, amount: Money): LedgerEntry[] =>
  movement(`chargeback after ${refund.id}`, [
    [refund.account, -amount],
    [chargebacksAccount(refund.merchant_id), amount],
  ]);

/** Set aside before the acquirer is asked, so that nobody else can have it. */
export const payoutEntries = (id: string, merchant_id: string, amount: Money): LedgerEntry[] =>
  movement(`payout ${id}`, [
    [merchantAccount(merchant_id), -amount],
    [payoutsAccount(merchant_id), amount],
  ]);

/** What was set aside has left, out of what the acquirer had collected; or it goes back to the merchant. */
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
