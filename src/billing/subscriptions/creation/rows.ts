import { Prisma } from '../../../../prisma/generated/client';
import { merchantIsActive } from '../../../accounts/merchants/rows';
import { NEW_LEASE, type TransactionRow } from '../../../payments/charges/rows';
import { insertOutbox } from '../../../platform/database/outbox';
import { idsOf, insertDependents, insertFrom, recordsOf, statement } from '../../../platform/database/rows';
import { ApiError } from '../../../platform/errors';
import type { Context } from '../../../schema/operation/context';
import { type RowChange, subscriptionEvent } from '../billing/applyEvent';
import { periodCharge } from '../billing/periodCharge';
import { insertPeriodCharges, updateParts } from '../billing/rows';
import type { SubscriptionRow } from '../rows';
import type { SubscriptionSource } from '../source';
import { storedRow } from '../storedAmounts';

type InsertedSubscription = TransactionRow & {
  number_sealed: Uint8Array<ArrayBuffer> | null;
  cvv2_sealed: Uint8Array<ArrayBuffer> | null;
};

/** The events of a subscription whose first period costs nothing. */
const COVERED_EVENTS = ['subscription.created', 'subscription.activated', 'subscription.period.covered'] as const;

/**
 * Checks customer, plan, card and payment link under locks that block their deletion or use. Returns undefined if the insert was refused or done
 * by an earlier run.
 */
export async function insertSubscription(
  { db }: Context,
  row: SubscriptionRow,
  source: SubscriptionSource,
  payment_link_id?: string,
): Promise<InsertedSubscription | undefined> {
  const { id, merchant_id, customer_id, plan_id, card_id, creation_date } = row;
  const isCharged = row.open !== null;
  const isCovered = row.status === 'active';
  const hasCard = row.holds_card
    ? Prisma.sql`${source.sealed !== undefined}`
    : Prisma.sql`exists (select from usable_card)`;
  const written = idsOf('new_subscription');
  const eventAndWorkflow = () => {
    const types = isCovered ? COVERED_EVENTS : ['subscription.created' as const];
    const events = types.map(type => ({ ...subscriptionEvent(type, row), merchant_id, object_id: id, creation_date }));
    return {
      new_event: insertDependents(
        'events',
        events.map(event => ({ cause: id, row: event })),
        written,
      ),
      new_workflow: insertOutbox('subscription', written, {
        environment: Prisma.sql`${row.environment}::"Environment"`,
      }),
    };
  };
  const lines = [{ event: 'created' }, ...(isCovered ? [{ event: 'covered', period: 1 }] : [])];
  const firstCharge = () => ({
    inserted_charge: insertPeriodCharges([periodCharge(row, creation_date.getTime())], written, NEW_LEASE),
    used_cvv2: Prisma.sql`
      update cards set cvv2_sealed = null, cvv2_date = null from new_subscription
      where cards.id = ${card_id} and cards.cvv2_sealed is not null`,
  });
  const unusedLink = {
    unused_link: Prisma.sql`
      select id from payment_links where id = ${payment_link_id} and status = 'active' and subscription_id is null
      for no key update`,
  };
  // After a first charge, a trigger completes the link.
  const usedLink = {
    used_link: Prisma.sql`
      update payment_links set subscription_id = ${id}, status = ${isCharged ? 'active' : 'completed'}
      where id = ${payment_link_id} and exists (${written})`,
  };
  const parts = {
    ...(payment_link_id && unusedLink),
    active_customer: Prisma.sql`
      select id from customers where id = ${customer_id} and merchant_id = ${merchant_id} and status = 'active' for share`,
    active_plan: Prisma.sql`
      select id from plans where id = ${plan_id} and merchant_id = ${merchant_id} and status = 'active' for share`,
    usable_card: Prisma.sql`
      select id, number_sealed, cvv2_sealed from cards where id = ${card_id} and status = 'active' for no key update`,
    new_subscription: insertFrom(
      'subscriptions',
      'subscription',
      Prisma.sql`from ${recordsOf('subscriptions', [storedRow(row)])} as subscription, active_customer, active_plan
        where ${hasCard} and ${merchantIsActive('subscription')} and not exists (select from transactions where id = ${row.transaction_id})
          ${payment_link_id ? Prisma.sql`and exists (select from unused_link)` : Prisma.empty}
        on conflict do nothing returning id`,
    ),
    ...(payment_link_id && usedLink),
    new_line: insertDependents(
      'subscription_lines',
      lines.map(line => ({ cause: id, row: { subscription_id: id, date: creation_date, ...line } })),
      written,
    ),
    ...holdCardParts(source, id, written, !isCharged),
    ...(isCharged ? firstCharge() : eventAndWorkflow()),
  };
  const result = Prisma.sql`
    select inserted_charge.*, usable_card.number_sealed, usable_card.cvv2_sealed
    from inserted_charge left join usable_card on true`;
  const [inserted] = await db.$queryRaw<InsertedSubscription[]>(statement(parts, isCharged ? result : written));
  return inserted;
}

/**
 * Parts of the SQL statement that insert the subscription's own card if the ID query `written` returns the subscription.
 * `emptiesToken` deletes the secrets of its token.
 */
function holdCardParts(
  { card, sealed, token }: SubscriptionSource,
  subscription_id: string,
  written: Prisma.Sql,
  emptiesToken = true,
): Record<string, Prisma.Sql> {
  if (!sealed) return {};
  const { number_sealed, fingerprint } = sealed;
  const held_card = insertDependents(
    'cards',
    [{ cause: subscription_id, row: { ...card, number_sealed, fingerprint } }],
    written,
  );
  if (!token || !emptiesToken) return { held_card };
  const emptied_token = Prisma.sql`
    update tokens set number_sealed = null, cvv2_sealed = null, fingerprint = null
    where id = ${token.id} and used_by = ${token.used_by} and exists (${written})`;
  return { held_card, emptied_token };
}

/** Locks a saved card, so that its deletion waits. */
export async function writeSourceChange(
  { db }: Pick<Context, 'db'>,
  change: RowChange,
  source: SubscriptionSource,
): Promise<boolean> {
  const { id } = source.card;
  const isHeld = source.holds_card;
  const parts = {
    usable_card: Prisma.sql`select id from cards where id = ${id} and status = 'active' for share`,
    ...updateParts([change], isHeld ? undefined : idsOf('usable_card')),
    ...holdCardParts(source, change.after.id, idsOf('updated_subscription')),
  };
  const result = Prisma.sql`
    select exists (select from usable_card) as is_usable, exists (select from updated_subscription) as is_written`;
  const rows = await db.$queryRaw<{ is_usable: boolean; is_written: boolean }[]>(statement(parts, result));
  if (!source.holds_card && !rows[0]?.is_usable)
    throw new ApiError('invalid_value', 'not_usable', { field: 'source_id' });
  return rows[0]?.is_written ?? false;
}
