/**
 * The payer's decision on a voucher, bank payment or Bre-B payment. The acquirer reports it by a notification, or in the
 * withdrawal of an expired payment.
 */
import type { AcquirerAnswer } from '../../../gateway/acquirer/port';
import { clockOf } from '../../../platform/database/clock';
import type { Database } from '../../../platform/database/connection';
import { ApiError } from '../../../platform/errors';
import { chargeEvent, failedOutcome, keepsOrderId } from '../card/charge';
import { type ChargeOutcome, settle, settleInTransaction } from '../outcome/rows';
import { reloadTransaction, type TransactionRow } from '../rows';
import { paidOutcome } from './payByCard';
import { lockUnpaidPeriod } from './rows';

export const DECISIONS = ['approved', 'rejected'] as const;
export type Decision = (typeof DECISIONS)[number];

const statusAfter = { approved: 'completed', rejected: 'failed' } as const;

/** Ignores a repeated notification. */
export async function applyDecision(
  db: Database,
  { id, merchant_id, customer_id, method }: TransactionRow,
  decision: Decision,
  authorization: string | null,
): Promise<void> {
  const { now } = await clockOf(db, merchant_id, customer_id);
  for (;;) {
    const row = await reloadTransaction(db, id);
    const { progress } = row;
    if (row.page_key === null || method === 'card') throw new ApiError('not_allowed', 'not_decidable');
    if (progress === 'settled') {
      if (row.status === statusAfter[decision]) return;
      const isUnpaid = row.status === 'cancelled' || row.status === 'failed';
      if (row.subscription_id !== null && decision === 'approved' && isUnpaid) {
        await settleLate(db, row, authorization, now);
        continue;
      }
      throw new ApiError('not_allowed', 'payment_status', { status: row.status });
    }
    const outcome = decidedOutcome(row, decision, authorization, now);
    if ((progress === 'pending' || progress === 'voiding') && (await settle(db, progress, outcome))) return;
  }
}

/**
 * The money has arrived, although its subscription does not wait for it any more. It pays the period if that is still
 * unpaid; otherwise it belongs to no period. The lock holds off a charge of the period.
 */
const settleLate = (db: Database, row: TransactionRow, authorization: string | null, at: Date): Promise<unknown> =>
  db.$transaction(async tx => {
    const isUnpaid = await lockUnpaidPeriod(tx, row);
    const period = isUnpaid ? row.period : null;
    const reopened = await tx.transaction.updateMany({
      where: { id: row.id, progress: 'settled', status: { in: ['cancelled', 'failed'] } },
      data: { progress: 'pending', period },
    });
    const late = { ...row, error_code: null, error_message: null, period };
    if (reopened.count > 0) await settleInTransaction(tx, 'pending', paidOutcome(late, authorization, at));
  });

/** A decision before the withdrawal wins: the payment is either paid or expired. */
export function withdrawnOutcome(row: TransactionRow, answer: AcquirerAnswer | undefined, at: Date): ChargeOutcome {
  if (!answer) return expiredOutcome(row, at);
  return decidedOutcome(
    row,
    answer.approved ? 'approved' : 'rejected',
    answer.approved ? answer.authorization : null,
    at,
  );
}

export function expiredOutcome(row: TransactionRow, at: Date): ChargeOutcome {
  const expiredRow: TransactionRow = {
    ...row,
    operation_date: at,
    status: 'cancelled',
    progress: 'settled',
    holds_order_id: keepsOrderId(row),
  };
  return { row: expiredRow, event: chargeEvent('transaction.expired', expiredRow) };
}

const decidedOutcome = (
  row: TransactionRow,
  decision: Decision,
  authorization: string | null,
  at: Date,
): ChargeOutcome =>
  decision === 'approved'
    ? paidOutcome(row, authorization, at)
    : { ...failedOutcome({ ...row, operation_date: at }, 'transfer_refused'), outbox: ['expiry'] };
