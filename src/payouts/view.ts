/** A payout as REST and GraphQL show it and as events store it. */
import { type BankAccountRow, loadBankAccount } from '../bankAccounts/rows';
import type { TransactionRow } from '../charges/rows';
import type { Database } from '../database/connection';
import { type NewEvent, newEvent } from '../events/newEvent';
import { rendererOf } from '../schema/render';
import { Payout } from './fields';

const render = rendererOf(Payout);

const toPayout = (row: TransactionRow, bank_account: BankAccountRow): Payout => ({
  ...row,
  currency: 'COP',
  bank_account,
});

export const payoutEvent = (type: string, row: TransactionRow, account: BankAccountRow): NewEvent =>
  newEvent(type, render, toPayout(row, account));

/** Accounts are never deleted, so that each payout has its own. */
export async function accountOf(db: Database, { id, source_id }: TransactionRow): Promise<BankAccountRow> {
  const account = await loadBankAccount(db, source_id ?? '');
  if (!account) throw new Error(`the bank account of payout ${id} is not there`);
  return account;
}

export const loadPayout = async (db: Database, row: TransactionRow): Promise<Payout> =>
  toPayout(row, await accountOf(db, row));
