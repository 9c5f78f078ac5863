/**
 * A card charge, exactly once whatever dies: prepared, asked of the acquirer under its id, and its outcome written with entries and event.
 * Found unfinished, the acquirer is asked what became of it; what it does not know is reversed, so that it can never happen later.
 */
import type { Acquirer, AcquirerAnswer as Answer, SealedCard } from '../../acquirer/port';
import { findOrReverse, sendOrResolve } from '../../acquirer/resolveOutcome';
import type { Context } from '../../context';
import type { CustomerRow } from '../../customers/rows';
import type { Database } from '../../database/connection';
import { newEvent } from '../../events/newEvent';
import { chargeEntries } from '../../ledger/movements';
import { ApiError, type ErrorName, errorCodeOf, errorNameOf } from '../../platform/errors';
import { rendererOf } from '../../schema/render';
import { seal } from '../../vault/seal';
import { Transaction } from '../fields';
import type { CreateCharge } from '../requests';
import { type TransactionRow, toTransaction } from '../view';
import { costOf } from './costs';
import { prepareCharge, throwWhyNotPrepared } from './prepare';
import { type ChargeOutcome, settle } from './settle';

interface MadeCharge {
  row: TransactionRow;
  isNew: boolean;
}

export interface PaymentServices {
  db: Database;
  acquirer: Acquirer;
}

const render = rendererOf(Transaction);
export const chargeEvent = (type: string, row: TransactionRow, refunds: TransactionRow[] = []) =>
  newEvent(type, render, toTransaction(row, refunds));

/** The moment of an outcome, by the clock that the charge was created under. */
export const outcomeTime = ({ clock_offset }: TransactionRow): Date => new Date(Date.now() + clock_offset * 1000);

/** Also whether it was made now, or found by a repeat. */
export async function createCardCharge(
  context: Context,
  input: CreateCharge,
  customer: CustomerRow | null,
  cvv2: string | undefined,
): Promise<MadeCharge> {
  const id = context.newId('transaction');
  const prepared = await prepareCharge(context, id, input, customer);
  if (!prepared) return resumeCharge(context, id, input, customer, cvv2);
  const { source, number_sealed, cvv2_sealed, ...row } = prepared;
  const bound = row.source_id ?? '';
  const given = cvv2 === undefined ? cvv2_sealed : seal(context.vault, cvv2, `cvv2 ${bound}`);
  const card: SealedCard = { ...source, id: bound, number_sealed, cvv2_sealed: given };
  const ask = row.capture ? context.acquirer.charge : context.acquirer.authorize;
  const answer = await sendOrResolve(context.acquirer, id, () => ask.call(context.acquirer, id, card, row.amount));
  return { row: await recordAnswer(context, row, answer), isNew: true };
}

/** A repeat finds its own charge and finishes it; where that ended without an answer it starts anew. */
async function resumeCharge(
  context: Context,
  id: string,
  input: CreateCharge,
  customer: CustomerRow | null,
  cvv2: string | undefined,
): Promise<MadeCharge> {
  const { db, merchant_id } = context;
  const own = await db.transaction.findUnique({ where: { id, merchant_id } });
  if (!own) return throwWhyNotPrepared(context, input);
  const finished = own.progress === 'prepared' ? await resolveCharge(context, own) : own;
  return endedWithoutAnswer(finished)
    ? createCardCharge(context, input, customer, cvv2)
    : { row: finished, isNew: false };
}

export const endedWithoutAnswer = ({ status, error_code }: TransactionRow): boolean =>
  status === 'failed' && error_code === errorCodeOf('unavailable');

/** Asks what became of it. Throws Unanswered while the acquirer cannot be asked: then it stays as it is. */
export const resolveCharge = async (work: PaymentServices, row: TransactionRow): Promise<TransactionRow> =>
  recordAnswer(work, row, await findOrReverse(work.acquirer, row.id));

/** Without an answer nothing was taken, and nothing ever will be. */
export async function recordAnswer(
  { db }: PaymentServices,
  row: TransactionRow,
  answer: Answer | undefined,
): Promise<TransactionRow> {
  const outcome = outcomeOf(row, answer);
  if (await settle(db, 'prepared', outcome)) return outcome.row;
  return db.transaction.findUniqueOrThrow({ where: { id: row.id } });
}

export function outcomeOf(row: TransactionRow, answer: Answer | undefined, at: Date = outcomeTime(row)): ChargeOutcome {
  const ended = { ...row, operation_date: at };
  if (!answer) return failedOutcome(ended, 'unavailable');
  if (!answer.approved) return failedOutcome(ended, answer.kind, answer.fraud_rules);
  const taken = { ...ended, authorization: answer.authorization };
  return row.capture ? completedOutcome(taken) : authorizedOutcome(taken);
}

export function failedOutcome(row: TransactionRow, kind: ErrorName, fraud_rules?: string[]): ChargeOutcome {
  const { error_code, message } = new ApiError(kind);
  const after: TransactionRow = {
    ...row,
    status: 'failed',
    progress: 'settled',
    error_code,
    error_message: message,
    fraud_rules: fraud_rules ?? null,
    holds_order_id: kind !== 'unavailable',
  };
  const isPeriod = row.subscription_id !== null && kind !== 'unavailable';
  return { row: after, event: chargeEvent(isPeriod ? 'subscription.charge.failed' : 'charge.failed', after) };
}

export function completedOutcome(row: TransactionRow): ChargeOutcome {
  const cost = costOf(row.amount, row);
  const after: TransactionRow = { ...row, ...cost, status: 'completed', progress: 'settled' };
  const entries = chargeEntries(row, row.amount, cost.fee_amount, cost.fee_tax);
  return { row: after, entries, event: chargeEvent('charge.succeeded', after) };
}

function authorizedOutcome(row: TransactionRow): ChargeOutcome {
  const after: TransactionRow = { ...row, progress: 'authorized' };
  return { row: after, event: chargeEvent('charge.created', after), outbox: ['expiry'] };
}

/** A declined charge is answered with its error. */
export function throwIfFailed(row: TransactionRow): void {
  if (row.status !== 'failed' || row.error_code === null) return;
  throw new ApiError(errorNameOf(row.error_code), undefined, (row.fraud_rules as string[] | null) ?? undefined);
}
