/** API representation of payouts, also stored in events. */
import { type BankAccountRow, loadBankAccount } from '../../accounts/bankAccounts/rows';
import { type NewEvent, newEvent } from '../../events/newEvent';
import type { EventType } from '../../events/types';
import type { Database } from '../../platform/database/connection';
import { rendererOf } from '../../schema/render';
import type { TransactionRow } from '../charges/rows';
import { Payout } from './fields';

const render = rendererOf(Payout);

const toPayout = (row: TransactionRow, bank_account: BankAccountRow): Payout => ({
  ...row,
  currency: 'COP',
  bank_account,
});

export const payoutEvent = (type: EventType, row: TransactionRow, account: BankAccountRow): NewEvent =>
  newEvent(type, render, toPayout(row, account));

/** Bank accounts are never deleted, so every payout has its account. */
export async function accountOf(db: Database, { id, source_id }: TransactionRow): Promise<BankAccountRow> {
  const account = await loadBankAccount(db, source_id ?? '');
  if (!account) throw new Error(`payouts: bank account of ${id} not found`);
  return account;
}

export const loadPayout = async (db: Database, row: TransactionRow): Promise<Payout> =>
  toPayout(row, await accountOf(db, row));
