/** A voucher or a payment at a bank is decided by its payer, and the acquirer knows: it tells us, or is asked when the time has run out. */

import { clockOf } from '../../database/clock';
import type { Database } from '../../database/connection';
import { ApiError } from '../../platform/errors';
import { chargeEvent, failedOutcome, type PaymentServices } from '../card/charge';
import { type ChargeOutcome, settle } from '../card/settle';
import type { TransactionRow } from '../view';
import { paidOutcome } from './payByCard';

export const DECISIONS = ['approved', 'rejected'] as const;
export type Decision = (typeof DECISIONS)[number];

const statusAfter = { approved: 'completed', rejected: 'failed' } as const;

/** The same notification again changes nothing. */
export async function applyDecision(
  db: Database,
  { id, merchant_id, customer_id, method }: TransactionRow,
  decision: Decision,
  authorization: string | null,
): Promise<void> {
  const { now } = await clockOf(db, merchant_id, customer_id);
  for (;;) {
    const row = await db.transaction.findUniqueOrThrow({ where: { id } });
    const { progress } = row;
    if (row.page_key === null || method === 'card') throw new ApiError('not_allowed', 'Nobody pays this elsewhere');
    if (progress === 'settled') {
      if (row.status === statusAfter[decision]) return;
      throw new ApiError('not_allowed', `The payment is ${row.status}`);
    }
    const outcome = decidedOutcome(row, decision, authorization, now);
    if ((progress === 'pending' || progress === 'voiding') && (await settle(db, progress, outcome))) return;
  }
}

/** Nobody can pay it from now on. A payer who paid at the last moment has paid: it is one or the other, never both. */
export async function finishWithdrawal(
  { db, acquirer }: PaymentServices,
  row: TransactionRow,
  at: Date,
): Promise<TransactionRow> {
  const answer = await acquirer.withdraw(row.id);
  const outcome = answer
    ? decidedOutcome(row, answer.approved ? 'approved' : 'rejected', answer.approved ? answer.authorization : null, at)
    : expiredOutcome(row, at);
  if (await settle(db, 'voiding', outcome)) return outcome.row;
  return db.transaction.findUniqueOrThrow({ where: { id: row.id } });
}

export function expiredOutcome(row: TransactionRow, at: Date): ChargeOutcome {
  const after: TransactionRow = { ...row, operation_date: at, status: 'cancelled', progress: 'settled' };
  return { row: after, event: chargeEvent('transaction.expired', after) };
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
