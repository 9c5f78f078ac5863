/**
 * The payer's decision on a voucher, bank payment or Bre-B payment. The acquirer reports it by a notification, or in the
 * withdrawal of an expired payment.
 */
import type { AcquirerAnswer } from '../../../gateway/acquirer/port';
import { clockOf } from '../../../platform/database/clock';
import type { Database } from '../../../platform/database/connection';
import { ApiError } from '../../../platform/errors';
import { chargeEvent, failedOutcome, keepsOrderId } from '../card/charge';
import { type ChargeOutcome, settle } from '../outcome/rows';
import { reloadTransaction, type TransactionRow } from '../rows';
import { paidOutcome } from './payByCard';

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
      throw new ApiError('not_allowed', 'payment_status', { status: row.status });
    }
    const outcome = decidedOutcome(row, decision, authorization, now);
    if ((progress === 'pending' || progress === 'voiding') && (await settle(db, progress, outcome))) return;
  }
}

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
