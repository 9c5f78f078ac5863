/** The first charge of a subscription without a trial. Its outcome makes the subscription visible or deletes it. */
import {
  AcquirerOperation,
  type AcquirerServices,
  type SealedCharge,
  sendCharge,
} from '../../../gateway/acquirer/operation';
import type { AcquirerAnswer } from '../../../gateway/acquirer/port';
import { acquirerError } from '../../../gateway/acquirer/unavailable';
import { outcomeOf, outcomeTime, throwIfFailed } from '../../../payments/charges/card/charge';
import { type ChargeOutcome, chargeSettled, settleInTransaction } from '../../../payments/charges/outcome/rows';
import type { TransactionRow } from '../../../payments/charges/rows';
import type { Database } from '../../../platform/database/connection';
import { applyEvent, declineOf } from '../billing/applyEvent';
import { settlePeriod } from '../billing/settle';
import { type SubscriptionRow, subscriptionById } from '../rows';

/** The `work_id` of a charge that is being reversed. Its answer no longer counts. */
const REVERSING = 'undone';

interface NewSubscriptionCharge extends SealedCharge {
  /** The inserted row. */
  row: SubscriptionRow;
}

/** Without an answer, reverses the charge and throws error 1004 (unavailable). */
export const firstCharge = new AcquirerOperation<TransactionRow, NewSubscriptionCharge, SubscriptionRow>({
  progress: 'prepared',
  matches: ({ transaction_type, subscription_id, lease_until }) =>
    transaction_type === 'charge' && subscription_id !== null && lease_until !== null,
  recoveredBy: 'lease',
  whenUnknown: 'record',
  key: ({ id }) => id,
  send: sendCharge,
  record: (services, charge, answer, input) =>
    answer ? recordAnswer(services, charge, answer, input?.row) : reverseCharge(services, charge),
});

/** Continues the first charge for a repeated request. */
export const resumeFirstCharge = (services: AcquirerServices, charge: TransactionRow): Promise<SubscriptionRow> =>
  charge.work_id === REVERSING ? firstCharge.recover(services, charge) : firstCharge.resume(services, charge);

async function recordAnswer(
  { db }: AcquirerServices,
  charge: TransactionRow,
  answer: AcquirerAnswer,
  inserted: SubscriptionRow | undefined,
): Promise<SubscriptionRow> {
  const outcome = outcomeOf(charge, answer);
  const at = outcomeTime(charge).getTime();
  for (let row = inserted; ; row = undefined) {
    row ??= await subscriptionById(db, charge.subscription_id ?? '');
    // Another process took this one for dead and reversed the charge.
    if (!row || (row !== inserted && (await isBeingReversed(db, charge.id)))) throw acquirerError();
    if (row.status !== 'new') return row;
    const event = {
      type: 'answered',
      at,
      outcome: answer.approved ? 'paid' : 'declined',
      decline: declineOf(answer),
    } as const;
    const change = applyEvent(row, event, { error_code: outcome.row.error_code, outbox: ['subscription'] });
    if (await settlePeriod(db, outcome, change)) return { ...change.after, version: row.version + 1 };
  }
}

/** Marks the row, so that no other process finishes the charge, and then reverses the charge at the acquirer. */
async function reverseCharge({ db, acquirer }: AcquirerServices, charge: TransactionRow): Promise<never> {
  const isClaimed = await db.$transaction(async tx => {
    const isNew = { id: charge.subscription_id ?? '', status: 'new' };
    const found = await tx.subscription.updateMany({ where: isNew, data: { version: { increment: 1 } } });
    if (found.count === 0) return false;
    const where = { id: charge.id, progress: 'prepared' };
    return (await tx.transaction.updateMany({ where, data: { work_id: REVERSING } })).count > 0;
  });
  if (isClaimed) {
    await acquirer.reverse(charge.id);
    await deleteInvisible(db, outcomeOf({ ...charge, subscription_id: null }, undefined), charge.subscription_id ?? '');
  }
  throw acquirerError();
}

/** Keeps the charge as failed and deletes the subscription, whose retries would only be subject to rules for renewals. */
export async function refuseFirstCharge(
  { db }: AcquirerServices,
  charge: TransactionRow,
  refusal: AcquirerAnswer,
): Promise<never> {
  const outcome = outcomeOf({ ...charge, subscription_id: null }, refusal);
  await deleteInvisible(db, outcome, charge.subscription_id ?? '');
  throwIfFailed(outcome.row);
  throw acquirerError();
}

const isBeingReversed = async (db: Database, id: string): Promise<boolean> =>
  (await db.transaction.findUnique({ where: { id } }))?.work_id === REVERSING;

/** Settles the failed charge and deletes the subscription, which was never visible. */
async function deleteInvisible(db: Database, outcome: ChargeOutcome, id: string): Promise<void> {
  const isDeleted = await db.$transaction(async tx => {
    if (!(await settleInTransaction(tx, 'prepared', outcome))) return false;
    const where = { id, status: 'new' };
    const found = await tx.subscription.findFirst({ where, select: { card_id: true } });
    const { count } = await tx.subscription.deleteMany({ where });
    if (found && count > 0) await tx.card.deleteMany({ where: { id: found.card_id, status: 'held' } });
    return true;
  });
  if (isDeleted) chargeSettled.publish({ db, row: outcome.row });
}
