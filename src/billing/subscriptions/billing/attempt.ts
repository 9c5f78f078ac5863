/**
 * One attempt to collect a period, exactly once even after crashes: it is recorded, sent under its own key, and its outcome
 * is written with all changes that follow from it.
 */
import { Prisma } from '../../../../prisma/generated/client';
import type { Attempt, NextAction } from '../../../../workflows/state';
import { AcquirerOperation, type AcquirerServices } from '../../../gateway/acquirer/operation';
import { type AcquirerAnswer, NoAnswerError, type SealedCard } from '../../../gateway/acquirer/port';
import { outcomeOf } from '../../../payments/charges/card/charge';
import { reloadTransaction, type TransactionRow } from '../../../payments/charges/rows';
import { batchedWrites } from '../../../platform/database/batch';
import type { Database } from '../../../platform/database/connection';
import { equalsViaIndex, idIn, idsOf, statement } from '../../../platform/database/rows';
import { realNow, reloadSubscription, type SubscriptionRow } from '../rows';
import { applyEvent, type HistoryLine, type RowChange } from './applyEvent';
import { insertPeriodCharges, nextChargeId, periodCharge } from './insertCharges';
import { type BillingServices, type PeriodCharge, screenRenewal, sendRenewal } from './sendAttempt';
import { renewalAnswered, settlePeriod } from './settle';
import { IS_RELEASED, updateParts, writeChange } from './updateRows';

export interface BillingStep {
  row: SubscriptionRow;
  lines: HistoryLine[];
}

export const renewal = new AcquirerOperation<TransactionRow, PeriodCharge, BillingStep>({
  progress: 'prepared',
  matches: ({ transaction_type, subscription_id, lease_until }) =>
    transaction_type === 'charge' && subscription_id !== null && lease_until === null,
  recoveredBy: 'subscription workflow',
  whenUnknown: 'resend',
  key: ({ id }) => id,
  send: sendRenewal,
  record: recordAnswer,
});

/** A renewal that must not be sent again: its subscription ended, is paused or has another card. */
const endedRenewal: typeof renewal = new AcquirerOperation({ ...renewal.definition, whenUnknown: 'reverse' });

type PreparedAttempt = TransactionRow & Required<Pick<SealedCard, 'number_sealed' | 'cvv2_sealed'>>;

/** Returns undefined if the row has changed, its customer or card is deleted, its merchant is suspended, or billing is held. */
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
  const prepared = await prepareBatch(services.db, { change, charge: periodCharge(change.after, at) });
  if (!prepared) return undefined;
  const { number_sealed, cvv2_sealed, ...transaction } = prepared;
  const card = { ...row.card, merchant_id: row.merchant_id, number_sealed, cvv2_sealed };
  const charge = { subscription: { ...change.after, version: row.version + 1 }, card, at };
  const screen = screenRenewal(services, transaction, charge);
  return renewal
    .run(services, transaction, charge, screen)
    .catch(error => recordUnanswered(services, transaction, charge, error));
}

/**
 * Looks up the outcome of an attempt at the acquirer. An attempt unknown there is sent again under the same key, or reversed
 * permanently.
 */
export async function resolveAttempt(
  services: BillingServices,
  row: SubscriptionRow,
  { send }: Extract<NextAction, { do: 'resolve' }>,
  at: number,
): Promise<BillingStep | undefined> {
  const { db } = services;
  const [transaction, { number_sealed, ...rest }] = await Promise.all([
    reloadTransaction(db, row.open?.transaction_id ?? ''),
    db.card.findUniqueOrThrow({ where: { id: row.open?.card_id ?? '' } }),
  ]);
  const card = number_sealed ? { ...rest, merchant_id: row.merchant_id, number_sealed, cvv2_sealed: null } : undefined;
  const charge = { subscription: row, card, at };
  const operation = send && card ? renewal : endedRenewal;
  const screen = screenRenewal(services, transaction, charge);
  return operation
    .resume(services, transaction, charge, screen)
    .catch(error => recordUnanswered(services, transaction, charge, error));
}

/** Records a missing answer, which keeps the subscription's status. */
async function recordUnanswered(
  { db }: AcquirerServices,
  { id }: TransactionRow,
  { subscription }: PeriodCharge,
  error: unknown,
): Promise<BillingStep> {
  if (!(error instanceof NoAnswerError)) throw error;
  renewalAnswered.publish({ subscription, outcome: 'unanswered' });
  return writeUntilCurrent(db, subscription, id, current => {
    const change = applyEvent(current, { type: 'unanswered', realTime: realNow(current) });
    return [change, writeChange(db, change)];
  });
}

async function recordAnswer(
  { db }: AcquirerServices,
  transaction: TransactionRow,
  answer: AcquirerAnswer | undefined,
  charge: PeriodCharge | undefined,
): Promise<BillingStep> {
  if (!charge) throw new Error(`billing: ${transaction.id} is resolved by its subscription workflow`);
  const { subscription: row, at } = charge;
  // A moving test clock stands still between two due moments.
  const answeredAt = row.clock_at ? at : realNow(row) + row.offset * 1000;
  const chargeOutcome = outcomeOf(transaction, answer, new Date(answeredAt));
  const outcome = !answer ? 'not_made' : answer.approved ? 'paid' : 'declined';
  return writeUntilCurrent(db, row, transaction.id, current => {
    const change = applyEvent(
      current,
      { type: 'answered', at: answeredAt, outcome },
      { error_code: chargeOutcome.row.error_code },
    );
    return [change, settlePeriod(db, chargeOutcome, change)];
  });
}

/** Applies the outcome to the changed row if another request changed it meanwhile. */
async function writeUntilCurrent(
  db: Database,
  first: SubscriptionRow,
  transaction_id: string,
  write: (row: SubscriptionRow) => [RowChange, Promise<boolean>],
): Promise<BillingStep> {
  for (let row = first; ; row = await reloadSubscription(db, first.id)) {
    // Another process wrote the outcome of this attempt.
    if (row.open?.transaction_id !== transaction_id) return { row, lines: [] };
    const [change, written] = write(row);
    if (await written) return { row: { ...change.after, version: row.version + 1 }, lines: change.lines };
  }
}

/** A moving test clock stops at every due moment. */
export const clockColumns = ({ clock_at }: SubscriptionRow, at: number): Partial<SubscriptionRow> =>
  clock_at ? { clock_at: new Date(Math.max(at, clock_at.getTime())) } : {};

interface AttemptPreparation {
  change: RowChange;
  charge: TransactionRow;
}

/**
 * Checks customer and card again under locks that block their deletion, and the merchant's suspension and holds without
 * locks, which all charges of a merchant would share. Cards and customers are looked up one by one, because a planner that
 * assumes empty tables would scan them.
 */
const prepareBatch = batchedWrites(
  (db, preparations: readonly AttemptPreparation[]) => {
    const changes = preparations.map(({ change }) => change);
    const charges = preparations.map(({ charge }) => charge);
    const parts = {
      usable_card: Prisma.sql`
        select card.id, number_sealed, cvv2_sealed
        from (select * from cards where id ${idIn(changes.map(({ after }) => after.card_id))}) as card
          join merchants on merchants.id = card.merchant_id and merchants.status = 'active'
          cross join lateral (select status from customers where id = card.customer_id limit 1 for share) as customer
        where card.status <> 'deleted' and customer.status = 'active'`,
      ...updateParts(changes, idsOf('usable_card'), IS_RELEASED),
      inserted_charge: insertPeriodCharges(charges, idsOf('updated_subscription')),
      used_cvv2: Prisma.sql`
        update cards set cvv2_sealed = null, cvv2_date = null from updated_subscription
        where cards.id ${equalsViaIndex('updated_subscription.card_id')} and cards.cvv2_sealed is not null`,
    };
    const result = Prisma.sql`
      select inserted_charge.*, usable_card.number_sealed, usable_card.cvv2_sealed
      from inserted_charge join usable_card on usable_card.id = inserted_charge.source_id`;
    return db.$queryRaw<PreparedAttempt[]>(statement(parts, result));
  },
  ({ change }) => change.after.id,
  ({ subscription_id }) => subscription_id ?? '',
);
