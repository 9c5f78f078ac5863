/**
 * One attempt to collect a period, exactly once even after crashes: it is recorded, sent under its own key, and its outcome
 * is written with all changes that follow from it.
 */
import {
  AcquirerOperation,
  type AcquirerServices,
  type SealedCharge,
  sendCharge,
} from '../../../gateway/acquirer/operation';
import { type AcquirerAnswer, NoAnswerError } from '../../../gateway/acquirer/port';
import type { FraudScreening } from '../../../gateway/fraud/screening';
import { chargeEvent, outcomeOf } from '../../../payments/charges/card/charge';
import { reloadTransaction, type TransactionRow } from '../../../payments/charges/rows';
import type { Database } from '../../../platform/database/connection';
import type { HistoryLine } from '../lines/events';
import { realNow, reloadSubscription, type SubscriptionRow } from '../rows';
import type { Attempt, BillingEvent, NextAction } from '../rules/state';
import { applyEvent, declineOf, type RowChange } from './applyEvent';
import { nextChargeId, prepareAttempt, renewalFacts, sealedCharge } from './periodCharge';
import { writeChange } from './rows';
import { renewalAnswered, settlePeriod } from './settle';

export interface BillingServices extends AcquirerServices {
  fraud: FraudScreening;
}

export interface BillingStep {
  row: SubscriptionRow;
  lines: HistoryLine[];
}

export interface PeriodAttempt {
  subscription: SubscriptionRow;
  /** Time by the subscription's clock. */
  at: number;
}

/** Also the charge of a replacement, whose workflow only finishes what its request began. */
export const renewal = new AcquirerOperation<TransactionRow, PeriodAttempt & SealedCharge, BillingStep>({
  progress: 'prepared',
  matches: ({ transaction_type, subscription_id, lease_until }) =>
    transaction_type === 'charge' && subscription_id !== null && lease_until === null,
  recoveredBy: 'subscription workflow',
  whenUnknown: 'resend',
  key: ({ id }) => id,
  send: sendCharge,
  record: recordAnswer,
});

/** A renewal that must not be sent again: its subscription ended, is paused or has another card, or it is a replacement. */
const endedRenewal = new AcquirerOperation<TransactionRow, PeriodAttempt, BillingStep>({
  ...renewal.definition,
  whenUnknown: 'reverse',
});

/** Undefined if another process changed the row first. */
export async function applyAndWrite(
  db: Database,
  row: SubscriptionRow,
  event: BillingEvent,
): Promise<BillingStep | undefined> {
  const change = applyEvent(row, event);
  return (await writeChange(db, change))
    ? { row: { ...change.after, version: row.version + 1 }, lines: change.lines }
    : undefined;
}

/** Opens a period that costs nothing. */
export const coverPeriod = (db: Database, row: SubscriptionRow, at: number): Promise<BillingStep | undefined> =>
  applyAndWrite(db, { ...row, ...clockColumns(row, at) }, { type: 'covered', at });

/** Undefined if the row has changed since it was read, customer or card deleted, the merchant suspended, or billing held. */
export async function chargePeriod(
  services: BillingServices,
  row: SubscriptionRow,
  attempt: Attempt,
  at: number,
): Promise<BillingStep | undefined> {
  const transaction_id = nextChargeId(row, attempt);
  const change = applyEvent(
    row,
    { type: 'prepared', realTime: realNow(row), attempt, transaction_id },
    { row: { transaction_id, ...clockColumns(row, at) } },
  );
  const prepared = await prepareAttempt(services.db, change, at);
  if (!prepared) return undefined;
  const { transaction, card } = prepared;
  const attempted = { subscription: { ...change.after, version: row.version + 1 }, at };
  const series = row.transaction_id === null || attempt.period === 1 ? 'first' : 'later';
  const charge = { ...attempted, ...sealedCharge(card, at, series) };
  const facts = renewalFacts(transaction, card, at);
  return renewal
    .run(services, transaction, charge, send => services.fraud.screen(facts, send))
    .catch(error => recordUnanswered(services, transaction, attempted, error));
}

/**
 * Looks up the outcome of an attempt at the acquirer. An attempt unknown there is sent again under the same key, or reversed
 * permanently.
 */
export async function resolveAttempt(
  services: BillingServices,
  row: SubscriptionRow,
  { send: maySend }: Extract<NextAction, { do: 'resolve' }>,
  at: number,
): Promise<BillingStep | undefined> {
  const { db } = services;
  const [transaction, { number_sealed, ...rest }] = await Promise.all([
    reloadTransaction(db, row.open?.transaction_id ?? ''),
    db.card.findUniqueOrThrow({ where: { id: row.open?.card_id ?? '' } }),
  ]);
  const attempted = { subscription: row, at };
  const resume = async (): Promise<BillingStep> => {
    if (row.open?.is_reversed) {
      await services.acquirer.reverse(transaction.id);
      return recordAnswer(services, transaction, undefined, attempted);
    }
    if (!maySend || !number_sealed) return endedRenewal.resume(services, transaction, attempted);
    const card = { ...rest, merchant_id: row.merchant_id, number_sealed, cvv2_sealed: null };
    const charge = { ...attempted, ...sealedCharge(card, at, await seriesOf(db, transaction)) };
    const facts = renewalFacts(transaction, card, at);
    return renewal.resume(services, transaction, charge, send => services.fraud.screen(facts, send));
  };
  return resume().catch(error => recordUnanswered(services, transaction, attempted, error));
}

/** Periods that cost nothing may have come before the first charge. */
async function seriesOf(db: Database, { id, subscription_id, period }: TransactionRow): Promise<'first' | 'later'> {
  const earlier = { subscription_id, id: { not: id }, status: { not: 'failed' } };
  return period === 1 || (await db.transaction.count({ where: earlier })) === 0 ? 'first' : 'later';
}

/** Records a missing answer, which keeps the subscription's status. */
export async function recordUnanswered(
  { db }: AcquirerServices,
  { id }: TransactionRow,
  { subscription }: PeriodAttempt,
  error: unknown,
): Promise<BillingStep> {
  if (!(error instanceof NoAnswerError)) throw error;
  renewalAnswered.publish({ subscription, outcome: 'unanswered' });
  return writeUntilCurrent(db, subscription, id, current => {
    const change = applyEvent(current, { type: 'unanswered', realTime: realNow(current) });
    return [change, writeChange(db, change)];
  });
}

export async function recordAnswer(
  { db }: AcquirerServices,
  transaction: TransactionRow,
  answer: AcquirerAnswer | undefined,
  attempted: PeriodAttempt | undefined,
): Promise<BillingStep> {
  if (!attempted) throw new Error(`billing: ${transaction.id} is resolved by its subscription workflow`);
  const { subscription: row, at } = attempted;
  // A moving test clock stands still between two due moments.
  const answeredAt = row.clock_at ? at : realNow(row) + row.offset * 1000;
  const chargeOutcome = outcomeOf(transaction, answer, new Date(answeredAt));
  const outcome = !answer ? 'not_made' : answer.approved ? 'paid' : 'declined';
  return writeUntilCurrent(db, row, transaction.id, current => {
    // Another process reverses the charge and records that.
    if (current.open?.is_reversed && answer?.approved) return undefined;
    const isReplacement = current.open?.replacement !== undefined;
    const change = applyEvent(
      current,
      { type: 'answered', at: answeredAt, outcome, decline: declineOf(answer) },
      {
        error_code: chargeOutcome.row.error_code,
        ...(isReplacement && outcome === 'paid' && { row: { transaction_id: transaction.id } }),
        ...(isReplacement && { outbox: ['nudge'] }),
      },
    );
    // The decline of a change leaves the current period as it is.
    const event =
      isReplacement && outcome === 'declined' ? chargeEvent('charge.failed', chargeOutcome.row) : chargeOutcome.event;
    return [change, settlePeriod(db, event ? { ...chargeOutcome, event } : chargeOutcome, change)];
  });
}

/** Applies the outcome to the changed row if another request changed it meanwhile. */
async function writeUntilCurrent(
  db: Database,
  first: SubscriptionRow,
  transaction_id: string,
  write: (row: SubscriptionRow) => [RowChange, Promise<boolean>] | undefined,
): Promise<BillingStep> {
  for (let row = first; ; row = await reloadSubscription(db, first.id)) {
    // Another process wrote the outcome of this attempt.
    if (row.open?.transaction_id !== transaction_id) return { row, lines: [] };
    const writing = write(row);
    if (!writing) return { row, lines: [] };
    const [change, written] = writing;
    if (await written) return { row: { ...change.after, version: row.version + 1 }, lines: change.lines };
  }
}

/** A moving test clock stops at every due moment. */
export const clockColumns = ({ clock_at }: SubscriptionRow, at: number): Partial<SubscriptionRow> =>
  clock_at ? { clock_at: new Date(Math.max(at, clock_at.getTime())) } : {};
