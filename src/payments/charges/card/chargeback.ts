/**
 * Chargebacks. The disputed amount is debited while the chargeback is open, and then lost or returned to the merchant.
 * The acquirer reports each step by a notification.
 */
import type { Prisma } from '../../../../prisma/generated/client';
import { chargebacksAccount } from '../../../ledger/accounts';
import { closeChargebackEntries, openChargebackEntries } from '../../../ledger/movements';
import { readBalance } from '../../../ledger/rows';
import type { Database } from '../../../platform/database/connection';
import { lockName } from '../../../platform/database/locks';
import { ApiError } from '../../../platform/errors';
import type { Money } from '../../../platform/money';
import { settleInTransaction } from '../outcome/rows';
import type { TransactionRow } from '../rows';
import { chargeEvent, outcomeTime } from './charge';
import { refundsOf } from './recordRefund';
import { lockCharge } from './rows';

export const CHARGEBACK_STEPS = {
  open: { from: 'completed', to: 'chargeback_pending', event: 'chargeback.created' },
  accepted: { from: 'chargeback_pending', to: 'chargeback_accepted', event: 'chargeback.accepted' },
  rejected: { from: 'chargeback_pending', to: 'chargeback_adjustment', event: 'chargeback.rejected' },
} as const;
export type ChargebackAction = keyof typeof CHARGEBACK_STEPS;

/** Throws unless the charge has the status required by the step, so that each step happens once. */
export function requireChargebackAllowed({ status, method }: TransactionRow, step: ChargebackAction): void {
  if (status !== CHARGEBACK_STEPS[step].from || method !== 'card')
    throw new ApiError('not_allowed', 'chargeback_refused', { step: step === 'open' ? 'opened' : step, status });
}

/** Ignores a repeated notification. Locks the account against concurrent refunds. */
export async function applyChargeback(
  { db }: { db: Database },
  { id, account }: TransactionRow,
  step: ChargebackAction,
): Promise<void> {
  const { to, event } = CHARGEBACK_STEPS[step];
  await db.$transaction(async tx => {
    await lockName(tx, account);
    const charge = await lockCharge(tx, id);
    if (charge.status === to) return;
    requireChargebackAllowed(charge, step);
    const allRefunds = await refundsOf(tx, id);
    const refunds = allRefunds.filter(({ status }) => status !== 'failed');
    const remaining = refunds.reduce((rest, { amount }) => rest - amount, charge.amount);
    if (step === 'open' && remaining <= 0n) throw new ApiError('not_allowed', 'nothing_left');
    const entries =
      step === 'open'
        ? openChargebackEntries(charge, remaining, await readBalance(tx, account))
        : closeChargebackEntries(step, charge, await heldAmounts(tx, charge, allRefunds));
    const row: TransactionRow = { ...charge, status: to, operation_date: outcomeTime(charge) };
    const latest = refunds.find(({ status }) => status === 'completed');
    await settleInTransaction(tx, 'settled', { row, entries, event: chargeEvent(event, row, latest) });
  });
}

/**
 * The amount held from each account: when the chargeback was opened, and since then for refunds that were in flight at
 * that time and failed.
 */
async function heldAmounts(
  tx: Prisma.TransactionClient,
  { id, merchant_id }: TransactionRow,
  refunds: readonly TransactionRow[],
): Promise<{ account: string; amount: Money }[]> {
  const sums = await tx.entry.groupBy({
    by: 'account',
    where: {
      movement: { startsWith: 'chargeback ' },
      account: { not: chargebacksAccount(merchant_id) },
      transaction_id: { in: [id, ...refunds.map(refund => refund.id)] },
    },
    _sum: { amount: true },
    orderBy: { account: 'asc' },
  });
  return sums.flatMap(({ account, _sum: { amount } }) => (amount ? [{ account, amount: -amount }] : []));
}
