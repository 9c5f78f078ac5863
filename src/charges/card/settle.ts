/** Writing an outcome: the row, the entries, the events and what is to be told, in one statement, and only by whoever comes first. */
import { Prisma } from '../../../prisma/generated/client';
import { batched } from '../../database/batch';
import { nextChangeId } from '../../database/changeId';
import type { Database } from '../../database/connection';
import type { NewEvent } from '../../events/newEvent';
import type { LedgerEntry } from '../../ledger/movements';
import { errorCodeOf } from '../../platform/errors';
import type { TransactionRow } from '../view';

export type TransactionProgress =
  | 'prepared'
  | 'authorized'
  | 'capturing'
  | 'voiding'
  | 'pending'
  | 'paying'
  | 'settled';

export interface ChargeOutcome {
  /** The row as it will be. */
  row: TransactionRow;
  entries?: LedgerEntry[];
  event?: NewEvent;
  /** What the outbox tells about it. */
  outbox?: string[];
  /** The charge of a refund, where its own status changes with it. */
  parent?: { id: string; status: string };
}

interface ChargeSettlement {
  changeId: number;
  from: TransactionProgress;
  outcome: ChargeOutcome;
}

/** A token of a charge that ended so can be used again. */
const NO_ANSWER = errorCodeOf('unavailable');

/** Outcomes of requests that come together share a statement. False where somebody else has written an outcome meanwhile. */
export async function settle(db: Database, from: TransactionProgress, outcome: ChargeOutcome): Promise<boolean> {
  return (await settleBatch(db, { changeId: nextChangeId(), from, outcome })) !== undefined;
}

/** The same within a transaction that is open already. */
export async function settleInTransaction(
  tx: Prisma.TransactionClient,
  from: TransactionProgress,
  outcome: ChargeOutcome,
): Promise<boolean> {
  return (await settleAll(tx, [{ changeId: nextChangeId(), from, outcome }])).length > 0;
}

const settleBatch = batched(
  (db, settlements: readonly ChargeSettlement[]) => settleAll(db, settlements),
  ({ changeId }: ChargeSettlement) => String(changeId),
);

/** What else is to happen with it stands in `before`, and `only` says on what condition it is written. */
export function settleAll(
  db: Prisma.TransactionClient,
  settlements: readonly ChargeSettlement[],
  before: Prisma.Sql = Prisma.empty,
  only: Prisma.Sql = Prisma.empty,
): Promise<{ id: string }[]> {
  return db.$queryRaw<{ id: string }[]>`
    with ${before} input as (
      select distinct on (id) * from jsonb_to_recordset(${JSON.stringify(settlements.map(toRecord))}::jsonb) as i (id text, change_id integer, before text, attempts integer, status text,
        progress text, amount bigint, authorized_by text, error_code integer, error_message text, fraud_rules jsonb,
        operation_date timestamptz, holds_order_id boolean, fee_amount bigint, fee_tax bigint, event_id text, event_type text,
        object jsonb, outbox jsonb, parent_id text, parent_status text, entries jsonb, issued jsonb)
      order by id, change_id
    ), done as (
      update transactions t set status = i.status, progress = i.progress, amount = i.amount, "authorization" = i.authorized_by,
        error_code = i.error_code, error_message = i.error_message, fraud_rules = i.fraud_rules, operation_date = i.operation_date,
        holds_order_id = i.holds_order_id, fee_amount = i.fee_amount, fee_tax = i.fee_tax, issued = i.issued, lease_until = null
      from input i where t.id = i.id and t.progress = i.before and t.attempts = i.attempts ${only} returning t.id, t.merchant_id, t.source_id
    ), posted as (
      insert into entries (movement, account, amount, transaction_id)
      select e.movement, e.account, e.amount, done.id from done join input using (id),
        jsonb_to_recordset(input.entries) as e (movement text, account text, amount bigint)
    ), told as (
      insert into events (id, merchant_id, type, object_id, object, creation_date)
      select event_id, merchant_id, event_type, coalesce(parent_id, id), object, operation_date
      from done join input using (id) where event_id is not null
    ), queued as (
      insert into outbox (kind, object_id) select kind, id from done join input using (id), jsonb_array_elements_text(outbox) as kind
    ), followed as (
      update transactions p set status = i.parent_status, operation_date = i.operation_date
      from done join input i using (id) where p.id = i.parent_id
    ), emptied as (
      update tokens set number_sealed = null, cvv2_sealed = null, fingerprint = null
      from done join input using (id) where tokens.id = done.source_id and tokens.used_by = done.id and input.error_code is distinct from ${NO_ANSWER}
    ), freed as (
      update tokens set used_at = null, used_by = null
      from done join input using (id) where tokens.id = done.source_id and tokens.used_by = done.id and input.error_code = ${NO_ANSWER}
    )
    select change_id::text as id from done join input using (id)`;
}

const toRecord = ({
  changeId,
  from,
  outcome: { row, entries = [], event, outbox = [], parent },
}: ChargeSettlement): object => ({
  id: row.id,
  change_id: changeId,
  before: from,
  // A later attempt of somebody else is not this one's to end.
  attempts: row.attempts,
  status: row.status,
  progress: row.progress,
  amount: `${row.amount}`,
  authorized_by: row.authorization,
  error_code: row.error_code,
  error_message: row.error_message,
  fraud_rules: row.fraud_rules,
  operation_date: row.operation_date,
  holds_order_id: row.holds_order_id,
  fee_amount: row.fee_amount === null ? null : `${row.fee_amount}`,
  fee_tax: row.fee_tax === null ? null : `${row.fee_tax}`,
  event_id: event?.id,
  event_type: event?.type,
  object: event?.object,
  outbox,
  parent_id: parent?.id,
  parent_status: parent?.status,
  issued: row.issued,
  entries: entries.map(({ amount, ...entry }) => ({ ...entry, amount: `${amount}` })),
});
