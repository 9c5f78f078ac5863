/** Writes the outcome of a refund and the new status of its charge. */

import type { Prisma } from '../../../../prisma/generated/client';
import type { AcquirerServices } from '../../../gateway/acquirer/operation';
import type { AcquirerAnswer } from '../../../gateway/acquirer/port';
import { acquirerError } from '../../../gateway/acquirer/unavailable';
import { failedRefundChargebackEntries, reversedRefundEntries } from '../../../ledger/movements';
import type { ErrorKind } from '../../../platform/errors';
import { newestFirst } from '../../../schema/list';
import { settleInTransaction } from '../outcome/rows';
import { findTransactions, reloadTransaction, type TransactionRow } from '../rows';
import { chargeEvent, outcomeTime } from './charge';
import { lockCharge } from './rows';

/** `chargeback_adjustment`: the chargeback was rejected. */
export const REFUNDABLE = ['completed', 'chargeback_adjustment'];

/** Locks the charge, whose status depends on all of its refunds. */
export async function recordRefund(
  { db }: Pick<AcquirerServices, 'db'>,
  refund: TransactionRow,
  answer: AcquirerAnswer | undefined,
): Promise<TransactionRow> {
  const datedRefund = { ...refund, operation_date: outcomeTime(refund) };
  return db.$transaction(async tx => {
    const parent = await lockCharge(tx, refund.parent_id ?? '');
    const outcome = answer?.approved
      ? await completedRefund(tx, parent, { ...datedRefund, authorization: answer.authorization })
      : failedRefund(datedRefund, answer?.kind ?? 'unavailable', parent.status === 'chargeback_pending');
    if (await settleInTransaction(tx, 'prepared', outcome)) return outcome.row;
    return reloadTransaction(tx, refund.id);
  });
}

async function completedRefund(tx: Prisma.TransactionClient, charge: TransactionRow, refund: TransactionRow) {
  const row: TransactionRow = { ...refund, status: 'completed', progress: 'settled' };
  const earlierRefunds = (await refundsOf(tx, charge.id)).filter(
    ({ id, status }) => id !== row.id && status === 'completed',
  );
  const refunded = earlierRefunds.reduce((sum, { amount }) => sum + amount, row.amount);
  const status = REFUNDABLE.includes(charge.status) && refunded === charge.amount ? 'refunded' : charge.status;
  const updatedCharge = { ...charge, status, operation_date: row.operation_date };
  return { row, parent: { id: charge.id, status }, event: chargeEvent('charge.refunded', updatedCharge, row) };
}

function failedRefund(refund: TransactionRow, kind: ErrorKind, isChargebackOpen: boolean) {
  const { error_code, message } = acquirerError(kind);
  const row: TransactionRow = { ...refund, status: 'failed', progress: 'settled', error_code, error_message: message };
  const reversal = reversedRefundEntries(refund, refund.amount, refund.fee_amount ?? 0n, refund.fee_tax ?? 0n);
  const disputed = isChargebackOpen ? failedRefundChargebackEntries(refund, refund.amount) : [];
  return { row, entries: [...reversal, ...disputed] };
}

/** Newest first. */
export const refundsOf = (db: Prisma.TransactionClient, parent_id: string): Promise<TransactionRow[]> =>
  findTransactions(db, { where: { parent_id }, orderBy: [...newestFirst] });
