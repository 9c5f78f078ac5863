/** A reserved charge is taken, in whole or in part, or let go. Each is marked on the row before the acquirer is asked. */
import type { Outcome as Answer } from '../acquirer/port';
import type { Context } from '../context';
import { ApiError } from '../errors';
import type { Money } from '../money';
import { answerTo, truthOf } from './answers';
import { chargeEvent, completed, momentOf, type Work } from './charge';
import { withdraw } from './paid';
import { LEASE_SECONDS } from './prepare';
import { type Outcome, settle } from './settle';
import type { TransactionRow } from './shown';

export async function captureCharge(context: Context, charge: TransactionRow, amount?: Money): Promise<TransactionRow> {
  const work_id = context.newId('transaction');
  if (amount !== undefined && charge.progress === 'authorized' && amount > charge.amount)
    throw new ApiError('invalid_value', 'amount is more than was reserved');
  const { row, isNew } = await begin(context, charge, 'capturing', work_id, amount ?? charge.amount);
  if (row.progress !== 'capturing') return row;
  // One that was found may have been sent by who began it, so it is asked about and not sent.
  if (!isNew) return resolveCapture(context, row);
  const key = captureKey(row);
  const capture = () => context.acquirer.capture(key, row.id, row.capture_amount ?? row.amount);
  return recordCapture(context, row, await answerTo(context.acquirer, key, capture));
}

export async function voidCharge(context: Context, charge: TransactionRow): Promise<TransactionRow> {
  const { row } = await begin(context, charge, 'voiding', context.newId('transaction'), charge.amount);
  return row.progress === 'voiding' ? finishVoid(context, row) : row;
}

/** Undone at the acquirer as often as it takes: the same key is undone once. */
export async function finishVoid(work: Work, row: TransactionRow, at: Date = momentOf(row)): Promise<TransactionRow> {
  const outcome = row.page_key === null ? await letGo(work, row, at) : await withdraw(work, row, at);
  return (await settle(work.db, 'voiding', outcome)) ? outcome.row : current(work.db, row.id);
}

async function letGo({ acquirer }: Work, row: TransactionRow, at: Date): Promise<Outcome> {
  await acquirer.reverse(row.id);
  const after: TransactionRow = { ...row, operation_date: at, status: 'cancelled', progress: 'settled' };
  return { row: after, event: chargeEvent('charge.cancelled', after) };
}

export const resolveCapture = async (work: Work, row: TransactionRow): Promise<TransactionRow> =>
  recordCapture(work, row, await truthOf(work.acquirer, captureKey(row)));

/** Declined, or without an answer, it is still reserved. */
async function recordCapture({ db }: Work, row: TransactionRow, answer: Answer | undefined): Promise<TransactionRow> {
  const ended = { ...row, operation_date: momentOf(row) };
  const outcome = answer?.approved
    ? completed({ ...ended, amount: row.capture_amount ?? row.amount })
    : { row: { ...row, progress: 'authorized' } };
  const isFirst = await settle(db, 'capturing', outcome);
  if (isFirst && !answer?.approved) throw new ApiError(answer?.kind ?? 'unavailable');
  return isFirst ? outcome.row : current(db, row.id);
}

const captureKey = ({ id, attempts }: TransactionRow): string => `${id}-capture-${attempts}`;
const current = (db: Work['db'], id: string): Promise<TransactionRow> =>
  db.transaction.findUniqueOrThrow({ where: { id } });

/** The row under way, or as an earlier run of the same request left it. */
async function begin(
  { db }: Context,
  { id }: TransactionRow,
  progress: 'capturing' | 'voiding',
  work_id: string,
  capture_amount: Money,
): Promise<{ row: TransactionRow; isNew: boolean }> {
  const lease_until = new Date(Date.now() + LEASE_SECONDS * 1000);
  const attempts = { increment: progress === 'capturing' ? 1 : 0 };
  const [begun] = await db.transaction.updateManyAndReturn({
    where: { id, progress: 'authorized' },
    data: { progress, work_id, capture_amount, lease_until, attempts },
  });
  const found = begun ?? (await current(db, id));
  if (found.work_id !== work_id) throw new ApiError('not_allowed', 'The charge is not one that waits to be captured');
  return { row: found, isNew: begun !== undefined };
}
