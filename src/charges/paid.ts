/** A voucher or a payment at a bank is decided by its payer, and the acquirer knows: it tells us, or is asked when the time has run out. */
import type { Acquirer, Outcome as Answer } from '../acquirer/port';
import { clockOf } from '../clock';
import type { Database } from '../database';
import { ApiError } from '../errors';
import { chargeEvent, failed, type Work } from './charge';
import { paid } from './pay';
import { type Outcome, settle } from './settle';
import type { TransactionRow } from './shown';

export const DECISIONS = ['approved', 'rejected'] as const;
export type Decision = (typeof DECISIONS)[number];

const statusAfter = { approved: 'completed', rejected: 'failed' } as const;

/** The same notification again changes nothing. */
export async function applyPayment(
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
    const outcome = decided(row, decision, authorization, now);
    if ((progress === 'pending' || progress === 'voiding') && (await settle(db, progress, outcome))) return;
  }
}

/** Nobody can pay it from now on. Where somebody had, at the last moment, it is paid; exactly one of the two. */
export async function withdraw({ acquirer }: Work, row: TransactionRow, at: Date): Promise<Outcome> {
  const answer = await acquirer.withdraw(row.id);
  return answer ? decided(row, answer.approved ? 'approved' : 'rejected', codeIn(answer), at) : expired(row, at);
}

export function expired(row: TransactionRow, at: Date): Outcome {
  const after: TransactionRow = { ...row, operation_date: at, status: 'cancelled', progress: 'settled' };
  return { row: after, event: chargeEvent('transaction.expired', after) };
}

/** It goes the way that it would go in earnest: the acquirer tells us. */
export async function rehearsePayment(
  acquirer: Acquirer,
  { id: key, page_key, method, progress, status }: TransactionRow,
  outcome: Decision | 'pending',
): Promise<void> {
  if (page_key === null || method === 'card' || progress !== 'pending')
    throw new ApiError('not_allowed', `A charge by ${method} that is ${status} waits for no store and no bank`);
  await acquirer.rehearse('pay', { key, outcome });
}

const decided = (row: TransactionRow, decision: Decision, authorization: string | null, at: Date): Outcome =>
  decision === 'approved'
    ? paid(row, authorization, at)
    : { ...failed({ ...row, operation_date: at }, 'transfer_refused'), tell: ['expiry'] };

const codeIn = (answer: Answer): string | null => (answer.approved ? answer.authorization : null);
