/**
 * Optimistic updates of subscription rows: an update applies only to the version that the caller read, so that requests,
 * charges and clocks never overwrite each other. The losing writer reads the row again.
 */
import { Prisma } from '../../../../prisma/generated/client';
import type { SealedCard } from '../../../gateway/acquirer/port';
import { type ChargeOutcome, settlementParts } from '../../../payments/charges/outcome/rows';
import { TRANSACTION_COLUMNS, type TransactionRow } from '../../../payments/charges/rows';
import { batchedWrites } from '../../../platform/database/batch';
import type { Database } from '../../../platform/database/connection';
import type { OutboxRecord } from '../../../platform/database/outbox';
import {
  assign,
  type Dependent,
  dependentsOf,
  equalsViaIndex,
  idIn,
  idsOf,
  insertDependents,
  insertFrom,
  recordsOf,
  statement,
} from '../../../platform/database/rows';
import { whereNotHeld } from '../../holds/rows';
import { storedRow } from '../storedAmounts';
import type { RowChange } from './applyEvent';

const CHANGED_COLUMNS = Object.values(Prisma.SubscriptionScalarFieldEnum).filter(
  name =>
    ![
      ...['id', 'merchant_id', 'customer_id', 'creation_date', 'version'],
      ...['charge_date', 'ended_at', 'paused_from'],
    ].includes(name),
);

/** Condition on a charging `change`. A billing hold stops automatic charges, not retries that a merchant requests. */
const IS_RELEASED = Prisma.raw(`((change.open ->> 'free')::boolean or ${whereNotHeld('change')})`);

/**
 * Parts of the SQL statement; `updated_subscription` has the written rows. `usableCards`, an ID query, and `condition` on
 * `change` restrict the updated rows.
 */
export function updateParts(
  changes: readonly RowChange[],
  usableCards?: Prisma.Sql,
  condition = Prisma.sql`true`,
): Record<string, Prisma.Sql> {
  const written = idsOf('updated_subscription');
  const records = recordsOf(
    'subscriptions',
    changes.map(({ before, after }) => ({ ...storedRow(after), version: before.version })),
  );
  const audits = changes.flatMap(({ after: { id: cause }, audit: row }) => (row ? [{ cause, row }] : []));
  return {
    updated_subscription: Prisma.sql`
      update subscriptions set version = subscriptions.version + 1, ${assign(CHANGED_COLUMNS, 'change')}
      from ${records} as change where subscriptions.id ${equalsViaIndex('change.id')} and subscriptions.version = change.version
        ${usableCards ? Prisma.sql`and change.card_id in (${usableCards}) and ${condition}` : Prisma.empty}
      returning subscriptions.id, subscriptions.card_id`,
    subscription_history: insertDependents('subscription_lines', changes.flatMap(toLines), written),
    subscription_events: insertDependents('events', changes.flatMap(toEvents), written),
    subscription_outbox: insertDependents('outbox', changes.flatMap(toOutbox), written),
    discarded_card: discardCards(changes.flatMap(toDiscardedCard), written),
    ...(audits.length > 0 && { subscription_audit: insertDependents('audit_log', audits, written) }),
  };
}

const toLines = ({ after: { id }, lines }: RowChange) =>
  lines.map(line => ({ cause: id, row: { ...line, subscription_id: id } }));

const toEvents = ({ after: { id, merchant_id }, lines, events }: RowChange) =>
  events.map(event => ({
    cause: id,
    row: { ...event, merchant_id, object_id: id, creation_date: lines.at(-1)?.date ?? new Date() },
  }));

const toOutbox = ({ after: { id, environment }, outbox }: RowChange): Dependent<OutboxRecord>[] =>
  outbox.map(kind => ({ cause: id, row: { kind, object_id: id, environment } }));

/** A held card is deleted when its subscription ends or gets another card. */
const toDiscardedCard = ({ before, after }: RowChange) =>
  after.card_id !== before.card_id || after.status === 'cancelled' ? [{ cause: after.id, id: before.card_id }] : [];

const discardCards = (cards: { cause: string; id: string }[], written: Prisma.Sql): Prisma.Sql => Prisma.sql`
  update cards set status = 'deleted', number_sealed = null, cvv2_sealed = null, cvv2_date = null, fingerprint = null
  from unnest(${cards.map(({ id }) => id)}::varchar[], ${cards.map(({ cause }) => cause)}::varchar[]) as discarded (id, cause)
  where cards.id ${equalsViaIndex('discarded.id')} and cards.status = 'held' and discarded.cause in (${written})`;

/** Requires that the database transaction has locked the rows. */
export const writeChangesInTransaction = async (
  tx: Prisma.TransactionClient,
  changes: readonly RowChange[],
): Promise<void> => {
  if (changes.length > 0) await tx.$executeRaw(statement(updateParts(changes), idsOf('updated_subscription')));
};

/** Writes concurrent changes in one batch. Returns false if the row has changed since it was read. */
export const writeChange = async (db: Database, change: RowChange): Promise<boolean> =>
  (await writeBatch(db, change)) !== undefined;

const writeBatch = batchedWrites(
  (db, changes: readonly RowChange[]) =>
    db.$queryRaw<{ id: string }[]>(statement(updateParts(changes), idsOf('updated_subscription'))),
  ({ after }) => after.id,
  ({ id }) => id,
);

/**
 * Inserts the charges of the subscriptions that the ID query `written` returns, at the merchant's current costs. The
 * recovery finishes charges with a lease, the workflow those without one.
 */
export const insertPeriodCharges = (
  charges: readonly TransactionRow[],
  written: Prisma.Sql,
  lease_until = Prisma.sql`null::timestamptz`,
): Prisma.Sql => {
  const dependents = charges.map(row => ({ cause: row.subscription_id ?? '', row }));
  const insert = insertFrom(
    'transactions',
    'charge',
    Prisma.sql`from ${dependentsOf('transactions', dependents)} as charge
      join merchants on merchants.id = charge.merchant_id where charge.cause in (${written})`,
    { cost_rate: Prisma.sql`merchants.cost_rate`, cost_fixed: Prisma.sql`merchants.cost_fixed`, lease_until },
  );
  return Prisma.sql`${insert} returning ${TRANSACTION_COLUMNS}`;
};

interface PeriodSettlement {
  outcome: ChargeOutcome;
  change: RowChange;
}

export const settleBatch = batchedWrites(
  (db, settlements: readonly PeriodSettlement[]) => {
    const changes = settlements.map(({ change }) => change);
    const outcomes = settlements.map(({ outcome }) => ({ from: 'prepared', outcome }) as const);
    const parts = { ...updateParts(changes), ...settlementParts(outcomes, idsOf('updated_subscription')) };
    return db.$queryRaw<{ id: string }[]>(
      statement(parts, Prisma.sql`select subscription_id as id from settled_charge`),
    );
  },
  ({ change }: PeriodSettlement) => change.after.id,
  ({ id }) => id,
);

type PreparedAttempt = TransactionRow & Required<Pick<SealedCard, 'number_sealed' | 'cvv2_sealed'>>;

interface AttemptPreparation {
  change: RowChange;
  charge: TransactionRow;
}

/**
 * Checks customer and card under a lock that blocks their deletion, and suspension and billing holds without a lock, which
 * all charges of a merchant would share. Cards and customers are looked up one by one: if the planner expected few rows,
 * it would scan the whole table.
 */
export const prepareBatch = batchedWrites(
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
