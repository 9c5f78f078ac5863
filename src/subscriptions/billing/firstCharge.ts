/** The outcome of a first charge without a trial: it makes the subscription visible, or leaves none. */
import type { AcquirerAnswer as Answer } from '../../acquirer/port';
import { outcomeOf, outcomeTime, type PaymentServices } from '../../charges/card/charge';
import { type ChargeOutcome, settleAll } from '../../charges/card/settle';
import type { TransactionRow } from '../../charges/view';
import type { Database } from '../../database/connection';
import { ApiError } from '../../platform/errors';
import { type SubscriptionRow, subscriptionById } from '../rows';
import { applyEvent } from './applyEvent';
import { settlePeriod } from './settle';

/** Marks a charge that is being undone: from then on nobody takes its answer any more. */
const UNDONE = 'undone';

/** For a repeat. Nothing is assumed: the acquirer is asked, and what it does not know is undone. */
export async function resumeFirstCharge(work: PaymentServices, charge: TransactionRow): Promise<SubscriptionRow> {
  if (charge.work_id === UNDONE) return undoFirstCharge(work, charge);
  const found = await work.acquirer.find(charge.id);
  if (!found.known || found.reversed) return undoFirstCharge(work, charge);
  return recordFirstCharge(work, charge, found.outcome);
}

/** `known` is the row as who has just written it knows it. */
export async function recordFirstCharge(
  { db }: PaymentServices,
  charge: TransactionRow,
  answer: Answer,
  known?: SubscriptionRow,
): Promise<SubscriptionRow> {
  const outcome = outcomeOf(charge, answer);
  const at = outcomeTime(charge).getTime();
  for (let row = known; ; row = undefined) {
    row ??= await subscriptionById(db, charge.subscription_id ?? '');
    // Undone by who took this one for dead.
    if (!row || (row !== known && (await isUndone(db, charge.id)))) throw new ApiError('unavailable');
    if (row.status !== 'new') return row;
    const happening = { type: 'answered', at, outcome: answer.approved ? 'paid' : 'declined' } as const;
    const changed = applyEvent(row, happening, { error_code: outcome.row.error_code });
    if (await settlePeriod(db, outcome, changed, true)) return { ...changed.after, version: row.version + 1 };
  }
}

/** Without an answer nothing was taken and nothing ever will be: 1004. First nobody else can finish it any more, then it is reversed. */
export async function undoFirstCharge({ db, acquirer }: PaymentServices, charge: TransactionRow): Promise<never> {
  const claimed = await db.$executeRaw`
    with mine as (
      update subscriptions set version = version + 1 where id = ${charge.subscription_id} and status = 'new' returning id
    )
    update transactions set work_id = ${UNDONE} from mine where transactions.id = ${charge.id} and progress = 'prepared'`;
  if (claimed > 0) {
    await acquirer.reverse(charge.id);
    await deleteUnbegun(db, outcomeOf({ ...charge, subscription_id: null }, undefined), charge.subscription_id ?? '');
  }
  throw new ApiError('unavailable', 'The acquirer gave no answer');
}

const isUndone = async (db: Database, id: string): Promise<boolean> =>
  (await db.transaction.findUnique({ where: { id } }))?.work_id === UNDONE;

/** The charge has failed for want of an answer, and what was begun with it goes. */
const deleteUnbegun = (db: Database, outcome: ChargeOutcome, id: string): Promise<void> =>
  db.$transaction(async tx => {
    const settled = await settleAll(tx, [{ changeId: 1, from: 'prepared', outcome }]);
    if (settled.length === 0) return;
    await tx.$executeRaw`
      with gone as (delete from subscriptions where id = ${id} and status = 'new' returning card_id)
      delete from cards using gone where cards.id = gone.card_id and cards.status = 'held'`;
  });
