import type { Database } from '../../platform/database/connection';
import { type AuditOrigin, auditEntry } from '../auditLog/entry';
import { findBankAccounts } from '../bankAccounts/rows';
import { lockMerchant } from './rows';

/** Payouts stay with the previous account. False if the change is effective, or was stopped before. */
export async function stopBankAccount(db: Database, by: AuditOrigin, page_key: string): Promise<boolean> {
  return db.$transaction(async tx => {
    const { id, merchant_id, number } = await tx.bankAccount.findUniqueOrThrow({ where: { page_key } });
    await lockMerchant(tx, merchant_id);
    const { now, pending } = await findBankAccounts(tx, merchant_id);
    if (pending?.id !== id) return false;
    await tx.bankAccount.update({ where: { id }, data: { stopped_at: now } });
    const entry = auditEntry(by, 'merchant.bank_account_stopped', { object_id: id, before: { number } }, merchant_id);
    await tx.auditEntry.create({ data: entry });
    return true;
  });
}
