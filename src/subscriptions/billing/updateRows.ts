/**
 * A change of a row is written by one statement and only by whoever has seen the row as it is: the version tells. So commands, charges
 * and clocks never undo one another; who comes second looks again.
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
  // A card that it held for itself goes with it.
  discard: after.card_id !== before.card_id || after.status === 'cancelled' ? before.card_id : null,
});

/** The beginning of a statement: `moved` are the rows that were changed, `steps` what was wanted of them. */
export const updateSubscriptionsCte = (
  changes: readonly RowChange[],
  also: Prisma.Sql = Prisma.empty,
): Prisma.Sql => Prisma.sql`
  steps as (
    select distinct on (id) * from jsonb_to_recordset(${JSON.stringify(changes.map(toRecord))}::jsonb) as i (id text, change_id integer, version integer, status text,
      cancel_at_period_end boolean, trial_end_date text, first_charge_day text, current_period_number integer, due_at timestamptz,
      attempts integer, retries_left integer, try_now boolean, card_id text, holds_card boolean, open jsonb, reason text, transaction_id text,
      clock_offset integer, clock_at timestamptz, clock_to timestamptz, lines jsonb, events jsonb, nudge boolean, discard text)
    order by id, change_id
  ), moved as (
    update subscriptions s set version = s.version + 1, status = i.status, cancel_at_period_end = i.cancel_at_period_end,
      trial_end_date = i.trial_end_date, first_charge_day = i.first_charge_day, current_period_number = i.current_period_number,
      due_at = i.due_at, attempts = i.attempts, retries_left = i.retries_left, try_now = i.try_now, card_id = i.card_id, holds_card = i.holds_card,
      open = nullif(i.open, 'null'), reason = i.reason, transaction_id = i.transaction_id, clock_offset = i.clock_offset,
      clock_at = i.clock_at, clock_to = i.clock_to
    from steps i where s.id = i.id and s.version = i.version ${also}
    returning s.id, i.change_id, s.merchant_id, s.customer_id, s.plan_id, s.card_id
  ), told_lines as (
    insert into subscription_lines (subscription_id, date, event, period, transaction_id, error_code, day)
    select moved.id, l.date, l.event, l.period, l.transaction_id, l.error_code, l.day from moved join steps using (id, change_id),
      jsonb_to_recordset(steps.lines) as l (date timestamptz, event text, period integer, transaction_id text, error_code integer, day text)
  ), told_events as (
    insert into events (id, merchant_id, type, object_id, object, creation_date)
    select e.id, moved.merchant_id, e.type, moved.id, e.object, coalesce((steps.lines -> -1 ->> 'date')::timestamptz, now())
    from moved join steps using (id, change_id), jsonb_to_recordset(steps.events) as e (id text, type text, object jsonb)
  ), nudged as (
    insert into outbox (kind, object_id) select 'nudge', moved.id from moved join steps using (id, change_id) where nudge
  ), discarded as (
    update cards set status = 'deleted', number_sealed = null, cvv2_sealed = null, cvv2_date = null, fingerprint = null
    from moved join steps using (id, change_id) where cards.id = steps.discard and cards.status = 'held'
  )`;

/** False where somebody else was first. Changes that come together share a statement. */
export const writeChange = async (db: Database, changed: RowChange): Promise<boolean> =>
  (await writeBatch(db, changed)) !== undefined;

const writeBatch = batched(
  (db, changes: readonly RowChange[]) => db.$queryRaw<{ id: string }[]>`
    with ${updateSubscriptionsCte(changes)} select change_id::text as id from moved`,
  ({ changeId }) => String(changeId),
);
