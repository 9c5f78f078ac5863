/**
 * Card payments on the payment page. One attempt runs at a time, and only from a page that was rendered after the previous
 * attempt; each attempt has its own idempotency key. After a decline the payment is pending again, so that the payer can
 * try another card.
 */
import { AcquirerOperation, type SealedCharge, sendCharge } from '../../../gateway/acquirer/operation';
import type { AcquirerAnswer, ChargeDetails, SealedCard } from '../../../gateway/acquirer/port';
import { acquirerError } from '../../../gateway/acquirer/unavailable';
import { beginAttempt } from '../../../gateway/gate';
import { isRetryable } from '../../../platform/errors';
import type { Context } from '../../../schema/operation/context';
import type { CardDetails } from '../../cardDetails/details';
import { sealCard } from '../../cardDetails/sealCard';
import { chargeKey } from '../card/acquirerKeys';
import { completedOutcome, outcomeTime } from '../card/charge';
import { factsOf } from '../facts';
import { type ChargeOutcome, settleOrReload } from '../outcome/rows';
import { reloadTransaction, type TransactionRow } from '../rows';
import { type PagePayer, startAttempt } from './rows';

/** More declines are treated as card testing, and the payment accepts no further card. */
const MAX_DECLINES = 10;

/** The attempts of a payment or a payment link. */
export type CardAttempts = Pick<TransactionRow, 'attempts' | 'declines' | 'error_code'>;

/** Includes the latest attempt, unless it failed because of an outage. */
export const countDeclines = ({ declines, error_code }: CardAttempts): number =>
  declines + (error_code !== null && !isRetryable(error_code) ? 1 : 0);

export const acceptsCards = (row: CardAttempts): boolean => countDeclines(row) < MAX_DECLINES;

/** The attempts of a page whose declines include that of the latest card. */
export const countedAttempts = ({ attempts, declines }: Omit<CardAttempts, 'error_code'>): CardAttempts => ({
  attempts,
  declines,
  error_code: null,
});

export const pageAttempt = new AcquirerOperation<TransactionRow, SealedCharge>({
  progress: 'paying',
  matches: () => true,
  recoveredBy: 'lease',
  whenUnknown: 'reverse',
  key: chargeKey,
  send: sendCharge,
  record({ db }, row, answer) {
    const outcome = answer?.approved ? paidOutcome(row, answer.authorization) : { row: declinedRow(row, answer) };
    return settleOrReload(db, 'paying', outcome);
  },
});

/**
 * `attemptsShown` is the number of attempts when the page was rendered. Throws if the decline limit is reached, and
 * NoAnswerError while the outcome is unknown.
 */
export async function payByCard(
  context: Pick<Context, 'db' | 'acquirer' | 'vault' | 'fraud' | 'declines'>,
  payment: TransactionRow,
  attemptsShown: number,
  enteredCard: CardDetails,
  payer: PagePayer,
): Promise<TransactionRow> {
  const { db } = context;
  const { id, merchant_id } = payment;
  const sealedCard = sealCard({ ...context, merchant_id }, id, enteredCard);
  const { number_sealed, cvv2_sealed, fingerprint, merchant_id: _, ...cardSummary } = sealedCard;
  if (!acceptsCards(payment)) return reloadTransaction(db, id);
  const { address, device_session_id: device } = payer;
  const { card_number } = cardSummary;
  const attempt = await beginAttempt(context, merchant_id, { from: 'page', address, device, card_number });
  try {
    const [started] = await startAttempt(
      context,
      { id, declines: countDeclines(payment) },
      attemptsShown,
      cardSummary,
      payer,
    );
    if (!started) return await reloadTransaction(db, id);
    return await sendAttempt(started);
  } finally {
    await attempt.end();
  }

  async function sendAttempt(started: TransactionRow): Promise<TransactionRow> {
    const { holder_name, expiration_month, expiration_year } = cardSummary;
    const card: SealedCard = {
      id,
      merchant_id,
      holder_name,
      expiration_month,
      expiration_year,
      number_sealed,
      cvv2_sealed,
    };
    const details: ChargeDetails = {
      at: started.operation_date,
      initiated_by: 'customer',
      stored_credential: false,
      installments: started.installments ?? 1,
    };
    return pageAttempt.run(context, started, { card, details }, send =>
      attempt.send(factsOf(started, { fingerprint }), send).catch(async error => {
        // Ends the lease, so that recovery can take over at once.
        await db.transaction.updateMany({
          where: { id, progress: 'paying', attempts: started.attempts },
          data: { lease_until: new Date() },
        });
        throw error;
      }),
    );
  }
}

/** The outbox row ends the workflow that waits for the payment to expire. */
export function paidOutcome(
  row: TransactionRow,
  authorization: string | null,
  at: Date = outcomeTime(row),
): ChargeOutcome {
  const withoutError = { error_code: null, error_message: null, fraud_rules: null };
  return { ...completedOutcome({ ...row, ...withoutError, authorization, operation_date: at }), outbox: ['expiry'] };
}

function declinedRow(row: TransactionRow, answer: AcquirerAnswer | undefined): TransactionRow {
  const { error_code, message } = acquirerError(answer && !answer.approved ? answer.kind : undefined);
  const fraud_rules = (answer && !answer.approved && answer.fraud_rules) || null;
  return { ...row, status: 'charge_pending', progress: 'pending', error_code, error_message: message, fraud_rules };
}
