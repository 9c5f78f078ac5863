/**
 * Optimistic updates of subscription rows: an update applies only to the version that the caller read, so that requests,
 * charges and clocks never overwrite each other. The losing writer reads the row again.
 */
import { Prisma } from '../../../../prisma/generated/client';
import { batchedWrites } from '../../../platform/database/batch';
import type { Database } from '../../../platform/database/connection';
import type { OutboxRecord } from '../../../platform/database/outbox';
import {
  assign,
  type Dependent,
  equalsViaIndex,
  idsOf,
  insertDependents,
  recordsOf,
  statement,
} from '../../../platform/database/rows';
import { isUnheld } from '../../holds/rows';
import type { RowChange } from './applyEvent';

const CHANGED_COLUMNS = Object.values(Prisma.SubscriptionScalarFieldEnum).filter(
  name =>
    !['id', 'merchant_id', 'customer_id', 'plan_id', 'creation_date', 'version', 'charge_date', 'ended_at'].includes(
      name,
    ),
);

/** SQL condition on a charging `change`: billing is not held. A hold does not stop charges requested by the merchant. */
export const IS_RELEASED = Prisma.raw(`((change.open ->> 'free')::boolean or ${isUnheld('change')})`);

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
    changes.map(({ before, after }) => ({ ...after, version: before.version })),
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
