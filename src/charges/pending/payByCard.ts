/**
 * The payer's card, on our page. One attempt at a time, by whoever has seen how many there were; each has a key of its own at the
 * acquirer. A decline leaves the payment as it was, so that the payer may try another card.
 */
import type { AcquirerAnswer as Answer, SealedCard } from '../../acquirer/port';
import { findOrReverse, sendOrResolve } from '../../acquirer/resolveOutcome';
import type { CardDetails } from '../../cardDetails/details';
import { sealCard } from '../../cardDetails/sealCard';
import type { Context } from '../../context';
import { ApiError, errorCodeOf } from '../../platform/errors';
import { chargeKey } from '../card/acquirerKeys';
import { completedOutcome, outcomeTime, type PaymentServices } from '../card/charge';
import { CHARGE_LEASE_SECONDS, TRANSACTION_COLUMNS } from '../card/prepare';
import { type ChargeOutcome, settle } from '../card/settle';
import type { TransactionRow } from '../view';

/** Who has more cards declined than this is trying out cards. */
const MAX_DECLINES = 10;
const NO_ANSWER = errorCodeOf('unavailable');

/** The latest one included, unless it was an outage, which is no decline. */
const declinesOf = ({ declines, error_code }: TransactionRow): number =>
  declines + (error_code !== null && error_code !== NO_ANSWER ? 1 : 0);

export const acceptsCards = (row: TransactionRow): boolean => declinesOf(row) < MAX_DECLINES;

/** `seen` is how many attempts there were when the payer was shown the page. Throws Unanswered while the outcome is not known. */
export async function payByCard(
  context: Pick<Context, 'db' | 'acquirer' | 'vault'>,
  payment: TransactionRow,
  seen: number,
  details: CardDetails,
): Promise<TransactionRow> {
  const { db, acquirer } = context;
  const { id, amount } = payment;
  const { number_sealed, cvv2_sealed, fingerprint: _, ...printed } = sealCard(context, id, details);
  const [begun] = acceptsCards(payment) ? await startAttempt(context, payment, seen, printed) : [];
  if (!begun) return db.transaction.findUniqueOrThrow({ where: { id } });
  const { holder_name, expiration_month, expiration_year } = printed;
  const card: SealedCard = { id, holder_name, expiration_month, expiration_year, number_sealed, cvv2_sealed };
  const key = chargeKey(begun);
  const answer = await sendOrResolve(acquirer, key, () => acquirer.charge(key, card, amount)).catch(async error => {
    // Nobody here goes on with it: the recovery need not wait.
    await db.transaction.updateMany({
      where: { id, progress: 'paying', attempts: begun.attempts },
      data: { lease_until: new Date() },
    });
    throw error;
  });
  return recordAttempt(context, begun, answer);
}

export const resolvePageAttempt = async (work: PaymentServices, row: TransactionRow): Promise<TransactionRow> =>
  recordAttempt(work, row, await findOrReverse(work.acquirer, chargeKey(row)));

/** Only while it can be paid, and only where nobody else is paying. */
function startAttempt(
  { db }: Pick<Context, 'db'>,
  payment: TransactionRow,
  seen: number,
  printed: object,
): Promise<TransactionRow[]> {
  const { id } = payment;
  const card = JSON.stringify({ ...printed, id: undefined, address: null, allows_charges: true });
  return db.$queryRaw<TransactionRow[]>`
    with clock as (
      select secs, now() + make_interval(secs => secs) as at from transactions, clock_offset_of(merchant_id, customer_id) as secs where id = ${id}
    )
    update transactions set status = 'in_progress', progress = 'paying', attempts = attempts + 1, operation_date = at, clock_offset = secs, declines = ${declinesOf(payment)},
      lease_until = now() + make_interval(secs => ${CHARGE_LEASE_SECONDS}),
      card = ${card}::jsonb || jsonb_build_object('creation_date', at, 'allows_payouts', ${card}::jsonb ->> 'type' = 'debit')
    from clock where id = ${id} and method = 'card' and progress = 'pending' and attempts = ${seen} and expires_at > at
    returning ${TRANSACTION_COLUMNS}`;
}

/** Without an answer nothing was taken, and nothing ever will be. */
async function recordAttempt(
  { db }: PaymentServices,
  row: TransactionRow,
  answer: Answer | undefined,
): Promise<TransactionRow> {
  const outcome = answer?.approved ? paidOutcome(row, answer.authorization) : { row: declinedRow(row, answer) };
  if (await settle(db, 'paying', outcome)) return outcome.row;
  return db.transaction.findUniqueOrThrow({ where: { id: row.id } });
}

/** Whoever waits for it to run out is told that it will not. */
export function paidOutcome(
  row: TransactionRow,
  authorization: string | null,
  at: Date = outcomeTime(row),
): ChargeOutcome {
  const ended = { error_code: null, error_message: null, fraud_rules: null };
  return { ...completedOutcome({ ...row, ...ended, authorization, operation_date: at }), outbox: ['expiry'] };
}

function declinedRow(row: TransactionRow, answer: Answer | undefined): TransactionRow {
  const { error_code, message } = new ApiError(answer && !answer.approved ? answer.kind : 'unavailable');
  const fraud_rules = (answer && !answer.approved && answer.fraud_rules) || null;
  return { ...row, status: 'charge_pending', progress: 'pending', error_code, error_message: message, fraud_rules };
}
