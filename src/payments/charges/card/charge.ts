/**
 * A card charge happens exactly once, even if a process crashes: it is written first, sent to the acquirer under its ID,
 * and its outcome is written with its ledger entries and event. An unfinished charge is looked up at the acquirer; a
 * charge unknown there is reversed, so that a delayed request cannot take effect later.
 */

import { newEvent } from '../../../events/newEvent';
import type { EventType } from '../../../events/types';
import {
  AcquirerOperation,
  type AcquirerServices,
  type SealedCharge,
  sendCharge,
} from '../../../gateway/acquirer/operation';
import type { AcquirerAnswer, ChargeDetails, SealedCard } from '../../../gateway/acquirer/port';
import { acquirerError } from '../../../gateway/acquirer/unavailable';
import type { CardAttempt } from '../../../gateway/gate';
import { chargeEntries } from '../../../ledger/movements';
import { findOwnWork } from '../../../platform/database/findOwnWork';
import { ApiError, type ErrorKind, errorKindOf, isRetryable } from '../../../platform/errors';
import { seal } from '../../../platform/vault/seal';
import type { Context } from '../../../schema/operation/context';
import { rendererOf } from '../../../schema/render';
import type { CustomerRow } from '../../customers/rows';
import { factsOf } from '../facts';
import { Transaction } from '../fields';
import { type ChargeOutcome, settleOrReload } from '../outcome/rows';
import type { CreateCharge } from '../requests';
import { findTransaction, type TransactionRow } from '../rows';
import { toTransaction } from '../view';
import { beginCharge, chargeOrigin } from './attempt';
import { costOf } from './costs';
import { prepareCharge, throwRefusalReason } from './prepare';

interface ChargeResult {
  row: TransactionRow;
  /** False if the charge was created by an earlier run of the request. */
  isNew: boolean;
}

export const cardCharge = new AcquirerOperation<TransactionRow, SealedCharge>({
  progress: 'prepared',
  matches: ({ transaction_type, subscription_id }) => transaction_type === 'charge' && subscription_id === null,
  recoveredBy: 'lease',
  whenUnknown: 'reverse',
  key: ({ id }) => id,
  send: sendCharge,
  record: ({ db }, row, answer) => settleOrReload(db, 'prepared', outcomeOf(row, answer)),
});

const render = rendererOf(Transaction);
/** Includes one refund at most, because including all would make the total event size quadratic. */
export const chargeEvent = (type: EventType, row: TransactionRow, refund?: TransactionRow) =>
  newEvent(type, render, toTransaction(row, refund ? [refund] : []));

/** The current time by the charge's clock. */
export const outcomeTime = ({ clock_offset }: TransactionRow): Date => new Date(Date.now() + clock_offset * 1000);

/** A repeated request finishes the charge of its earlier run, or starts a new one if that ended without an answer. */
export async function createCardCharge(
  context: Context,
  input: CreateCharge,
  customer: CustomerRow | null,
  cvv2: string | undefined,
): Promise<ChargeResult> {
  for (;;) {
    const id = context.newId('transaction');
    const attempt = await beginCharge(context, id, await chargeOrigin(context, input));
    try {
      const result = await chargeCard(context, attempt, id, input, customer, cvv2);
      if (result) return result;
    } finally {
      await attempt.end();
    }
  }
}

/** Undefined if the charge of an earlier run ended without an answer. */
async function chargeCard(
  context: Context,
  attempt: CardAttempt,
  id: string,
  input: CreateCharge,
  customer: CustomerRow | null,
  cvv2: string | undefined,
): Promise<ChargeResult | undefined> {
  const prepared = await prepareCharge(context, id, input, customer);
  if (!prepared) return resumeCharge(context, id, input, customer);
  const { source, number_sealed, cvv2_sealed, fingerprint, ...row } = prepared;
  const sourceId = row.source_id ?? '';
  const { merchant_id } = row;
  const sealedCvv2 =
    cvv2 === undefined ? cvv2_sealed : seal(context.vault, cvv2, { what: 'cvv2', merchant_id, id: sourceId });
  const card: SealedCard = { ...source, id: sourceId, merchant_id, number_sealed, cvv2_sealed: sealedCvv2 };
  const details: ChargeDetails = {
    at: row.creation_date,
    initiated_by: 'customer',
    stored_credential: row.card?.id !== undefined,
    installments: row.installments ?? 1,
  };
  const facts = factsOf(row, { fingerprint, email: customer?.email });
  const recorded = await cardCharge.run(context, row, { card, details }, send => attempt.send(facts, send));
  return { row: recorded, isNew: true };
}

async function resumeCharge(
  context: Context,
  id: string,
  input: CreateCharge,
  customer: CustomerRow | null,
): Promise<ChargeResult | undefined> {
  const { db, merchant_id } = context;
  const existing = await findOwnWork(findTransaction(db, { id, merchant_id }), () =>
    throwRefusalReason(context, input, customer),
  );
  const finished = existing.progress === 'prepared' ? await resolveCharge(context, existing) : existing;
  return endedWithoutAnswer(finished) ? undefined : { row: finished, isNew: false };
}

export const endedWithoutAnswer = ({ status, error_code }: TransactionRow): boolean =>
  status === 'failed' && isRetryable(error_code);

/** Looks up the outcome at the acquirer. Throws NoAnswerError and keeps the charge unchanged if there is no answer. */
export const resolveCharge = (services: AcquirerServices, row: TransactionRow): Promise<TransactionRow> =>
  cardCharge.resume(services, row);

export function outcomeOf(
  row: TransactionRow,
  answer: AcquirerAnswer | undefined,
  at: Date = outcomeTime(row),
): ChargeOutcome {
  const datedRow = { ...row, operation_date: at };
  if (!answer) return failedOutcome(datedRow, 'unavailable');
  if (!answer.approved) return failedOutcome(datedRow, answer.kind, answer.fraud_rules);
  const approvedRow = { ...datedRow, authorization: answer.authorization };
  return row.capture ? completedOutcome(approvedRow) : authorizedOutcome(approvedRow);
}

/** The next payment of a payment link has the same order_id. */
export const keepsOrderId = ({ payment_link_id, holds_order_id }: TransactionRow): boolean =>
  holds_order_id && payment_link_id === null;

export function failedOutcome(row: TransactionRow, kind: ErrorKind, fraud_rules?: string[]): ChargeOutcome {
  const { error_code, message, retryable } = acquirerError(kind);
  const failedRow: TransactionRow = {
    ...row,
    status: 'failed',
    progress: 'settled',
    error_code,
    error_message: message,
    fraud_rules: fraud_rules ?? null,
    holds_order_id: !retryable && keepsOrderId(row),
  };
  const isSubscriptionDecline = row.subscription_id !== null && row.page_key === null && !retryable;
  const eventType = isSubscriptionDecline ? 'subscription.charge.failed' : 'charge.failed';
  return { row: failedRow, event: chargeEvent(eventType, failedRow) };
}

export function completedOutcome(row: TransactionRow): ChargeOutcome {
  const cost = costOf(row.amount, row);
  const completedRow: TransactionRow = { ...row, ...cost, status: 'completed', progress: 'settled' };
  const entries = chargeEntries(row, row.amount, cost.fee_amount, cost.fee_tax);
  return { row: completedRow, entries, event: chargeEvent('charge.succeeded', completedRow) };
}

function authorizedOutcome(row: TransactionRow): ChargeOutcome {
  const authorizedRow: TransactionRow = { ...row, progress: 'authorized' };
  return { row: authorizedRow, event: chargeEvent('charge.created', authorizedRow), outbox: ['expiry'] };
}

/** Throws the decline of a failed charge as the response of the request. */
export function throwIfFailed(row: TransactionRow): void {
  if (row.status !== 'failed' || row.error_code === null) return;
  const kind = errorKindOf(row.error_code);
  if (kind === 'unavailable') throw acquirerError();
  throw new ApiError(kind, kind, { fraud_rules: row.fraud_rules ?? undefined });
}
