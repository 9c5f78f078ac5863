/** Merchants of both environments, as operators see them. */
import { type AuditOrigin, auditEntry, changedMembers } from '../../accounts/auditLog/entry';
import { lockMerchant } from '../../accounts/merchants/rows';
import { merchantBalances } from '../../ledger/rows';
import type { Database } from '../../platform/database/connection';
import { ApiError } from '../../platform/errors';
import { formatMoney } from '../../platform/money';
import type { MerchantCosts, MerchantDetails, MerchantReserve } from './fields';
import { countRecords, readAccount } from './rows';

export async function findMerchant(db: Database, id: string): Promise<MerchantDetails> {
  const [account, balances, counts] = await Promise.all([
    readAccount(db, id),
    merchantBalances(db, id),
    countRecords(db, id),
  ]);
  if (!account) throw new ApiError('not_found', 'unknown_merchant', { id });
  return { ...account, ...balances, counts };
}

/** Applies to later charges only. */
export async function changeCosts(
  db: Database,
  by: AuditOrigin,
  { id, rate, fixed, reason }: MerchantCosts,
): Promise<void> {
  if (fixed < 0n) throw new ApiError('invalid_value', 'is_negative', { field: 'fixed' });
  await db.$transaction(async tx => {
    if (!(await lockMerchant(tx, id))) throw new ApiError('not_found', 'unknown_merchant', { id });
    const row = await tx.merchant.findUniqueOrThrow({ where: { id } });
    const shown = (cost_rate: number, cost_fixed: bigint) => ({
      rate: cost_rate / 100,
      fixed: formatMoney(cost_fixed),
    });
    const changes = changedMembers(shown(row.cost_rate, row.cost_fixed), shown(rate, fixed));
    if (Object.keys(changes.after ?? {}).length === 0) return;
    await tx.merchant.update({ where: { id }, data: { cost_rate: rate, cost_fixed: fixed } });
    const after = { ...changes.after, ...(reason && { reason }) };
    const entry = auditEntry(by, 'merchant.costs_changed', { object_id: id, ...changes, after }, id);
    await tx.auditEntry.create({ data: entry });
  });
}

/** Applies to later payouts. */
export async function changeReserve(
  db: Database,
  by: AuditOrigin,
  { id, amount, reason }: MerchantReserve,
): Promise<void> {
  if (amount < 0n) throw new ApiError('invalid_value', 'is_negative', { field: 'amount' });
  await db.$transaction(async tx => {
    if (!(await lockMerchant(tx, id))) throw new ApiError('not_found', 'unknown_merchant', { id });
    const { reserve } = await tx.merchant.findUniqueOrThrow({ where: { id }, select: { reserve: true } });
    if (reserve === amount) return;
    await tx.merchant.update({ where: { id }, data: { reserve: amount } });
    const before = { reserve: formatMoney(reserve) };
    const after = { reserve: formatMoney(amount), reason };
    const entry = auditEntry(by, 'merchant.reserve_changed', { object_id: id, before, after }, id);
    await tx.auditEntry.create({ data: entry });
  });
}
