/**
 * Writes the outcome of a charge: row, ledger entries, event and outbox in one statement, and only if nobody wrote one
 * before.
 */
import { Prisma } from '../../prisma/generated/client';
import { batched, nextChangeId } from '../database/batch';
import type { Database } from '../database/connection';
import type { NewEvent } from '../events/newEvent';
import type { LedgerEntry } from '../ledger/movements';
import { errorCodeOf } from '../platform/errors';
import type { TransactionProgress, TransactionRow } from './rows';

export interface ChargeOutcome {
  /** The row as it is to be written. */
  row: TransactionRow;
  entries?: LedgerEntry[];
  event?: NewEvent;
  /** Kinds of outbox rows. */
  outbox?: string[];
  /** The charge of a refund, if the refund changes its status. */
  parent?: { id: string; status: string };
}

interface ChargeSettlement {
  changeId: number;
  from: TransactionProgress;
  outcome: ChargeOutcome;
}

/** A charge that ended with this error took no money, so its token can be used again. */
const NO_ANSWER_CODE = errorCodeOf('unavailable');

/**
 * Outcomes of simultaneous requests share a statement. False if another process has written an outcome in the meantime.
 */
export async function settle(db: Database, from: TransactionProgress, outcome: ChargeOutcome): Promise<boolean> {
  return (await settleBatch(db, { changeId: nextChangeId(), from, outcome })) !== undefined;
}

/** The same within an open database transaction. */
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

/**
 * `otherCtes` are executed in the same statement and end with a comma. `condition` restricts which outcomes are
 * written; it may refer to the transaction as `t` and to its `settlement`.
 */
export function settleAll(
  db: Prisma.TransactionClient,
  settlements: readonly ChargeSettlement[],
  otherCtes: Prisma.Sql = Prisma.empty,
  condition: Prisma.Sql = Prisma.empty,
): Promise<{ id: string }[]> {
  return db.$queryRaw<{ id: string }[]>`
    with ${otherCtes} settlement as (
      select distinct on (id) * from jsonb_to_recordset(${JSON.stringify(settlements.map(toRecord))}::jsonb) as record (id text,
        change_id integer, previous_progress text, attempts integer, status text, progress text, amount bigint,
        authorization_code text, error_code integer, error_message text, fraud_rules jsonb,
        operation_date timestamptz, holds_order_id boolean, fee_amount bigint, fee_tax bigint, event_id text, event_type text,
        object jsonb, outbox jsonb, parent_id text, parent_status text, entries jsonb, issued jsonb)
      order by id, change_id
    ), settled_charge as (
      update transactions t set status = settlement.status, progress = settlement.progress, amount = settlement.amount,
        "authorization" = settlement.authorization_code, error_code = settlement.error_code,
        error_message = settlement.error_message, fraud_rules = settlement.fraud_rules,
        operation_date = settlement.operation_date, holds_order_id = settlement.holds_order_id,
        fee_amount = settlement.fee_amount, fee_tax = settlement.fee_tax, issued = settlement.issued, lease_until = null
      from settlement
      where t.id = settlement.id and t.progress = settlement.previous_progress and t.attempts = settlement.attempts ${condition}
      returning t.id, t.merchant_id, t.source_id
    ), charge_entries as (
      insert into entries (movement, account, amount, transaction_id)
      select entry.movement, entry.account, entry.amount, settled_charge.id from settled_charge join settlement using (id),
        jsonb_to_recordset(settlement.entries) as entry (movement text, account text, amount bigint)
    ), charge_events as (
      insert into events (id, merchant_id, type, object_id, object, creation_date)
      select event_id, merchant_id, event_type, coalesce(parent_id, id), object, operation_date
      from settled_charge join settlement using (id) where event_id is not null
    ), charge_outbox as (
      insert into outbox (kind, object_id)
      select kind, id from settled_charge join settlement using (id), jsonb_array_elements_text(outbox) as kind
    ), updated_parent as (
      update transactions parent set status = settlement.parent_status, operation_date = settlement.operation_date
      from settled_charge join settlement using (id) where parent.id = settlement.parent_id
    ), emptied_token as (
      update tokens set number_sealed = null, cvv2_sealed = null, fingerprint = null
      from settled_charge join settlement using (id)
      where tokens.id = settled_charge.source_id and tokens.used_by = settled_charge.id
        and settlement.error_code is distinct from ${NO_ANSWER_CODE}
    ), released_token as (
      update tokens set used_at = null, used_by = null
      from settled_charge join settlement using (id)
      where tokens.id = settled_charge.source_id and tokens.used_by = settled_charge.id
        and settlement.error_code = ${NO_ANSWER_CODE}
    )
    select change_id::text as id from settled_charge join settlement using (id)`;
}

const toRecord = ({
  changeId,
  from,
  outcome: { row, entries = [], event, outbox = [], parent },
}: ChargeSettlement): object => ({
  id: row.id,
  change_id: changeId,
  previous_progress: from,
  // An outcome must not settle a later attempt of another process.
  attempts: row.attempts,
  status: row.status,
  progress: row.progress,
  amount: `${row.amount}`,
  authorization_code: row.authorization,
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
