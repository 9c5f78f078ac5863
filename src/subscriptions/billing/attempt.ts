/** One try to collect a period, exactly once whatever dies: written down, sent under its own key, and its outcome written with all it changes. */
import { Prisma } from '../../../prisma/generated/client';
import type { Attempt, NextAction } from '../../../workflows/state';
import { type Acquirer, type AcquirerAnswer as Answer, NoAnswerError, type SealedCard } from '../../acquirer/port';
import { findOrReverse } from '../../acquirer/resolveOutcome';
import { outcomeOf, type PaymentServices } from '../../charges/card/charge';
import { TRANSACTION_COLUMNS } from '../../charges/card/prepare';
import type { TransactionRow } from '../../charges/view';
import { batched } from '../../database/batch';
import type { Database } from '../../database/connection';
import { newId } from '../../platform/identifiers';
import type { Money } from '../../platform/money';
import { reloadSubscription, type SubscriptionRow } from '../rows';
import { applyEvent, type HistoryLine, type RowChange } from './applyEvent';
import { insertChargesCte, type PeriodCharge } from './insertCharges';
import { settlePeriod } from './settle';
import { updateSubscriptionsCte, writeChange } from './updateRows';

export interface BillingStep {
  row: SubscriptionRow;
  lines: HistoryLine[];
}

type PreparedAttempt = TransactionRow & Pick<SealedCard, 'number_sealed' | 'cvv2_sealed'>;

/** Undefined where somebody else has changed the subscription, or where customer or card are no more. */
export async function chargePeriod(
  work: PaymentServices,
  row: SubscriptionRow,
  attempt: Attempt,
  at: number,
): Promise<BillingStep | undefined> {
  const transaction_id = newId('transaction');
  const changed = applyEvent(
    row,
    { type: 'prepared', real: Date.now(), attempt, transaction_id },
    { row: { transaction_id, ...clockColumns(row, at) } },
  );
  const prepared = await prepareBatch(work.db, {
    changed,
    charge: { changeId: changed.changeId, row: changed.after, at },
  });
  if (!prepared) return undefined;
  const { number_sealed, cvv2_sealed, ...transaction } = prepared;
  const card = { ...row.card, number_sealed, cvv2_sealed };
  const after = { ...changed.after, version: row.version + 1 };
  return recordOutcome(work, after, transaction, () => sendCharge(work.acquirer, transaction_id, card, row.amount), at);
}

/** Asks what became of an attempt. What the acquirer does not know is sent again under the same key, or undone for good. */
export async function resolveAttempt(
  work: PaymentServices,
  row: SubscriptionRow,
  { send }: Extract<NextAction, { do: 'resolve' }>,
  at: number,
): Promise<BillingStep | undefined> {
  const { db, acquirer } = work;
  const id = row.open?.transaction_id ?? '';
  const [transaction, card] = await Promise.all([
    db.transaction.findUniqueOrThrow({ where: { id } }),
    db.card.findUniqueOrThrow({ where: { id: row.open?.card_id ?? '' } }),
  ]);
  const { number_sealed } = card;
  const ask = async (): Promise<Answer | undefined> => {
    if (!send || !number_sealed) return findOrReverse(acquirer, id);
    const found = await acquirer.find(id);
    if (found.known) return found.reversed ? undefined : found.outcome;
    return sendCharge(acquirer, id, { ...card, number_sealed, cvv2_sealed: null }, row.amount);
  };
  return recordOutcome(work, row, transaction, ask, at);
}

/** A refusal may come from our own reversal: then it is no answer of the bank, and nothing was made. */
async function sendCharge(
  acquirer: Acquirer,
  key: string,
  card: SealedCard,
  amount: Money,
): Promise<Answer | undefined> {
  const answer = await acquirer.charge(key, card, amount);
  return answer.approved || answer.kind !== 'not_allowed' ? answer : findOrReverse(acquirer, key);
}

/** Where no answer comes that is written too, and the subscription stays as it is. */
async function recordOutcome(
  { db }: PaymentServices,
  row: SubscriptionRow,
  transaction: TransactionRow,
  ask: () => Promise<Answer | undefined>,
  at: number,
): Promise<BillingStep> {
  let answer: Answer | undefined;
  try {
    answer = await ask();
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    return writeUntilCurrent(db, row, transaction.id, current => {
      const changed = applyEvent(current, { type: 'unanswered', real: Date.now() });
      return [changed, writeChange(db, changed)];
    });
  }
  // A clock that is being moved stands still meanwhile.
  const moment = row.clock_at ? at : Date.now() + row.offset * 1000;
  const settlement = outcomeOf(transaction, answer, new Date(moment));
  const word = !answer ? 'not_made' : answer.approved ? 'paid' : 'declined';
  return writeUntilCurrent(db, row, transaction.id, current => {
    const changed = applyEvent(
      current,
      { type: 'answered', at: moment, outcome: word },
      { error_code: settlement.row.error_code },
    );
    return [changed, settlePeriod(db, settlement, changed)];
  });
}

/** A command may come in between: then the outcome is written onto what it left. */
async function writeUntilCurrent(
  db: Database,
  first: SubscriptionRow,
  transaction_id: string,
  attempt: (row: SubscriptionRow) => [RowChange, Promise<boolean>],
): Promise<BillingStep> {
  for (let row = first; ; row = await reloadSubscription(db, first.id)) {
    // Somebody else was at it too, and has written it.
    if (row.open?.transaction_id !== transaction_id) return { row, lines: [] };
    const [changed, written] = attempt(row);
    if (await written) return { row: { ...changed.after, version: row.version + 1 }, lines: changed.lines };
  }
}

/** A clock that is being moved goes from one due moment to the next. */
export const clockColumns = ({ clock_at }: SubscriptionRow, at: number): Partial<SubscriptionRow> =>
  clock_at ? { clock_at: new Date(Math.max(at, clock_at.getTime())) } : {};

interface AttemptPreparation {
  changed: RowChange;
  charge: PeriodCharge;
}

/** Customer and card are looked at once more; the deletion of either waits for this. */
const prepareBatch = batched(
  (db, preparations: readonly AttemptPreparation[]) => db.$queryRaw<PreparedAttempt[]>`
    with able as (
      select k.id, k.number_sealed, k.cvv2_sealed from cards k join customers c on c.id = k.customer_id
      where k.id = any(${preparations.map(({ changed }) => changed.after.card_id)}::varchar[]) and k.status <> 'deleted' and c.status = 'active'
      for share of c
    ), ${updateSubscriptionsCte(
      preparations.map(({ changed }) => changed),
      Prisma.sql`and i.card_id in (select id from able)`,
    )} ${insertChargesCte(
      preparations.map(({ charge }) => charge),
      'moved',
      TRANSACTION_COLUMNS,
    )}, taken as (
      update cards set cvv2_sealed = null, cvv2_date = null from moved where cards.id = moved.card_id and cards.cvv2_sealed is not null
    )
    select charge.*, able.number_sealed, able.cvv2_sealed from charge join able on able.id = charge.source_id`,
  ({ changed }) => changed.after.open?.transaction_id ?? '',
);
