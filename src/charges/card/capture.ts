/** A reserved charge is taken, in whole or in part, or let go. Each is marked on the row before the acquirer is asked. */
import type { AcquirerAnswer as Answer } from '../../acquirer/port';
import { findOrReverse, sendOrResolve } from '../../acquirer/resolveOutcome';
import type { Context } from '../../context';
import { ApiError } from '../../platform/errors';
import type { Money } from '../../platform/money';
import type { TransactionRow } from '../view';
import { captureKey } from './acquirerKeys';
import { chargeEvent, completedOutcome, outcomeTime, type PaymentServices } from './charge';
import { CHARGE_LEASE_SECONDS } from './prepare';
import { settle } from './settle';

export async function captureCharge(context: Context, charge: TransactionRow, amount?: Money): Promise<TransactionRow> {
  const work_id = context.newId('transaction');
  if (amount !== undefined && charge.progress === 'authorized' && amount > charge.amount)
    throw new ApiError('invalid_value', 'amount is more than was reserved');
  const { row, isNew } = await markStarted(context, charge, 'capturing', work_id, amount ?? charge.amount);
  if (row.progress !== 'capturing') return row;
  // One that was found may have been sent by who began it, so it is asked about and not sent.
  if (!isNew) return resolveCapture(context, row);
  const key = captureKey(row);
  const capture = () => context.acquirer.capture(key, row.id, row.capture_amount ?? row.amount);
  return recordCapture(context, row, await sendOrResolve(context.acquirer, key, capture));
}

export async function voidCharge(context: Context, charge: TransactionRow): Promise<TransactionRow> {
  const { row } = await markStarted(context, charge, 'voiding', context.newId('transaction'), charge.amount);
  return row.progress === 'voiding' ? finishVoid(context, row) : row;
}

/** Can be repeated as often as it takes: the acquirer reverses a key once. */
export async function finishVoid(
  work: PaymentServices,
  row: TransactionRow,
  at: Date = outcomeTime(row),
): Promise<TransactionRow> {
  await work.acquirer.reverse(row.id);
  const after: TransactionRow = { ...row, operation_date: at, status: 'cancelled', progress: 'settled' };
  const outcome = { row: after, event: chargeEvent('charge.cancelled', after) };
  return (await settle(work.db, 'voiding', outcome)) ? after : reload(work.db, row.id);
}

export const resolveCapture = async (work: PaymentServices, row: TransactionRow): Promise<TransactionRow> =>
  recordCapture(work, row, await findOrReverse(work.acquirer, captureKey(row)));

/** Declined, or without an answer, it is still reserved. */
async function recordCapture(
  { db }: PaymentServices,
  row: TransactionRow,
  answer: Answer | undefined,
): Promise<TransactionRow> {
  const ended = { ...row, operation_date: outcomeTime(row) };
  const outcome = answer?.approved
    ? completedOutcome({ ...ended, amount: row.capture_amount ?? row.amount })
    : { row: { ...row, progress: 'authorized' } };
  const isFirst = await settle(db, 'capturing', outcome);
  if (isFirst && !answer?.approved) throw new ApiError(answer?.kind ?? 'unavailable');
  return isFirst ? outcome.row : reload(db, row.id);
}

const reload = (db: PaymentServices['db'], id: string): Promise<TransactionRow> =>
  db.transaction.findUniqueOrThrow({ where: { id } });

/** The row under way, or as an earlier run of the same request left it. */
async function markStarted(
  { db }: Context,
  { id }: TransactionRow,
  progress: 'capturing' | 'voiding',
  work_id: string,
  capture_amount: Money,
): Promise<{ row: TransactionRow; isNew: boolean }> {
  const lease_until = new Date(Date.now() + CHARGE_LEASE_SECONDS * 1000);
  const attempts = { increment: progress === 'capturing' ? 1 : 0 };
  const [begun] = await db.transaction.updateManyAndReturn({
    where: { id, progress: 'authorized' },
    data: { progress, work_id, capture_amount, lease_until, attempts },
  });
  const found = begun ?? (await reload(db, id));
  if (found.work_id !== work_id) throw new ApiError('not_allowed', 'The charge is not one that waits to be captured');
  return { row: found, isNew: begun !== undefined };
}
