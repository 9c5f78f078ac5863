/**
 * A subscription's row is changed by one statement, and only from the version that the caller has read. So commands,
 * charges and clocks never undo one another: whoever comes second reads the row again.
 */
import { Prisma } from '../../../prisma/generated/client';
import { batched } from '../../database/batch';
import type { Database } from '../../database/connection';
import type { RowChange } from './applyEvent';

const toRecord = ({ changeId, before, after, lines, events, nudge }: RowChange): object => ({
  change_id: changeId,
  id: after.id,
  version: before.version,
  status: after.status,
  cancel_at_period_end: after.cancel_at_period_end,
  trial_end_date: after.trial_end_date,
  first_charge_day: after.first_charge_day,
  current_period_number: after.current_period_number,
  due_at: after.due_at,
  attempts: after.attempts,
  retries_left: after.retries_left,
  try_now: after.try_now,
  card_id: after.card_id,
  holds_card: after.holds_card,
  open: after.open,
  reason: after.reason,
  transaction_id: after.transaction_id,
  clock_offset: after.clock_offset,
  clock_at: after.clock_at,
  clock_to: after.clock_to,
  lines,
  events,
  nudge,
  // A card that only this subscription had is deleted with it, or when another card replaces it.
  discarded_card_id: after.card_id !== before.card_id || after.status === 'cancelled' ? before.card_id : null,
});

/**
 * The first CTEs of a statement: `change` are the requested changes, at most one per subscription, and
 * `updated_subscription` the rows that were written. `condition` is what else must hold of a `change`.
 */
export const updateSubscriptionsCte = (
  changes: readonly RowChange[],
  condition: Prisma.Sql = Prisma.empty,
): Prisma.Sql => Prisma.sql`
  change as (
    select distinct on (id) * from jsonb_to_recordset(${JSON.stringify(changes.map(toRecord))}::jsonb) as input (id text,
      change_id integer, version integer, status text, cancel_at_period_end boolean, trial_end_date text, first_charge_day text,
      current_period_number integer, due_at timestamptz, attempts integer, retries_left integer, try_now boolean, card_id text,
      holds_card boolean, open jsonb, reason text, transaction_id text, clock_offset integer, clock_at timestamptz,
      clock_to timestamptz, lines jsonb, events jsonb, nudge boolean, discarded_card_id text)
    order by id, change_id
  ), updated_subscription as (
    update subscriptions s set version = s.version + 1, status = change.status, cancel_at_period_end = change.cancel_at_period_end,
      trial_end_date = change.trial_end_date, first_charge_day = change.first_charge_day,
      current_period_number = change.current_period_number, due_at = change.due_at, attempts = change.attempts,
      retries_left = change.retries_left, try_now = change.try_now, card_id = change.card_id, holds_card = change.holds_card,
      open = nullif(change.open, 'null'), reason = change.reason, transaction_id = change.transaction_id,
      clock_offset = change.clock_offset, clock_at = change.clock_at, clock_to = change.clock_to
    from change where s.id = change.id and s.version = change.version ${condition}
    returning s.id, change.change_id, s.merchant_id, s.customer_id, s.plan_id, s.card_id
  ), new_line as (
    insert into subscription_lines (subscription_id, date, event, period, transaction_id, error_code, day)
    select updated_subscription.id, line.date, line.event, line.period, line.transaction_id, line.error_code, line.day
    from updated_subscription join change using (id, change_id), jsonb_to_recordset(change.lines)
      as line (date timestamptz, event text, period integer, transaction_id text, error_code integer, day text)
  ), new_event as (
    insert into events (id, merchant_id, type, object_id, object, creation_date)
    select event.id, updated_subscription.merchant_id, event.type, updated_subscription.id, event.object,
      coalesce((change.lines -> -1 ->> 'date')::timestamptz, now())
    from updated_subscription join change using (id, change_id),
      jsonb_to_recordset(change.events) as event (id text, type text, object jsonb)
  ), new_nudge as (
    insert into outbox (kind, object_id)
    select 'nudge', updated_subscription.id from updated_subscription join change using (id, change_id) where nudge
  ), discarded_card as (
    update cards set status = 'deleted', number_sealed = null, cvv2_sealed = null, cvv2_date = null, fingerprint = null
    from updated_subscription join change using (id, change_id)
    where cards.id = change.discarded_card_id and cards.status = 'held'
  )`;

/** False if the row has changed since it was read. Changes that arrive together share a statement. */
export const writeChange = async (db: Database, change: RowChange): Promise<boolean> =>
  (await writeBatch(db, change)) !== undefined;

const writeBatch = batched(
  (db, changes: readonly RowChange[]) => db.$queryRaw<{ id: string }[]>`
    with ${updateSubscriptionsCte(changes)} select change_id::text as id from updated_subscription`,
  ({ changeId }) => String(changeId),
);
