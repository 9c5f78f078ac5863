/** The outcome of a first charge without a trial: it makes the subscription visible, or leaves none. */
import type { Outcome as Answer } from '../acquirer/port';
import { truthOf } from '../charges/answers';
import { momentOf, outcomeOf, type Work } from '../charges/charge';
import { type Outcome, settleAll } from '../charges/settle';
import type { TransactionRow } from '../charges/shown';
import type { Database } from '../database';
import { ApiError } from '../errors';
import { changedBy } from './changes';
import { reload, type SubscriptionRow, subscriptionById } from './rows';
import { settleCharge } from './settle';

/** Nothing is assumed: the acquirer is asked, and what it does not know is reversed. */
export async function finishFirst(work: Work, transaction_id: string): Promise<SubscriptionRow> {
  const charge = await work.db.transaction.findUniqueOrThrow({ where: { id: transaction_id } });
  if (charge.progress !== 'prepared') return visible(work.db, charge.subscription_id);
  return recordFirst(work, charge, await truthOf(work.acquirer, transaction_id));
}

/** Nobody waits for it any more: who asked was told of no subscription, or of nothing. */
export async function undoFirst(work: Work, charge: TransactionRow): Promise<void> {
  await work.acquirer.reverse(charge.id);
  await recordFirst(work, charge, undefined);
}

/** 1004 where no answer came: then nothing was taken and nothing ever will be. */
export async function recordFirst(
  { db }: Work,
  charge: TransactionRow,
  answer: Answer | undefined,
): Promise<SubscriptionRow> {
  const row = charge.subscription_id ? await subscriptionById(db, charge.subscription_id) : undefined;
  if (row?.status !== 'new') return visible(db, charge.subscription_id);
  if (!answer) {
    await abandon(db, outcomeOf({ ...charge, subscription_id: null }, undefined), row);
    throw new ApiError('unavailable');
  }
  const outcome = outcomeOf(charge, answer);
  const at = momentOf(charge).getTime();
  const changed = changedBy(
    row,
    { type: 'answered', at, outcome: answer.approved ? 'paid' : 'declined' },
    { error_code: outcome.row.error_code },
  );
  await settleCharge(db, outcome, changed, true);
  return visible(db, row.id);
}

async function visible(db: Database, id: string | null): Promise<SubscriptionRow> {
  if (id === null) throw new ApiError('unavailable');
  return reload(db, id);
}

/** The charge has failed for want of an answer, and what was begun with it goes. */
const abandon = (db: Database, outcome: Outcome, { id, card_id }: SubscriptionRow): Promise<void> =>
  db.$transaction(async tx => {
    const settled = await settleAll(tx, [{ ticket: 1, from: 'prepared', outcome }]);
    if (settled.length === 0) return;
    await tx.$executeRaw`delete from subscriptions where id = ${id} and status = 'new'`;
    await tx.$executeRaw`delete from cards where id = ${card_id} and status = 'held'`;
  });
