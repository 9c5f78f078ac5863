/** Writing an outcome: the row, the entries, the events and what is to be told, in one statement, and only by whoever comes first. */
import type { Prisma } from '../../prisma/generated/client';
import type { NewEvent } from '../events/events';
import type { Entry } from '../ledger/movements';
import type { TransactionRow } from './shown';

export type Progress = 'prepared' | 'authorized' | 'capturing' | 'voiding' | 'settled';

export interface Outcome {
  /** The row as it will be. */
  row: TransactionRow;
  entries?: Entry[];
  event?: NewEvent;
  /** What the outbox tells about it. */
  tell?: string;
  /** The charge of a refund, where its own status changes with it. */
  parent?: { id: string; status: string };
}

/** False where somebody else has written an outcome meanwhile. */
export async function settle(
  db: Prisma.TransactionClient,
  from: Progress,
  { row, entries = [], event, tell, parent }: Outcome,
): Promise<boolean> {
  const moves = JSON.stringify(entries.map(({ amount, ...entry }) => ({ ...entry, amount: `${amount}` })));
  const done = await db.$queryRaw<unknown[]>`
    with done as (
      update transactions set status = ${row.status}, progress = ${row.progress}, amount = ${row.amount},
        "authorization" = ${row.authorization}, error_code = ${row.error_code}, error_message = ${row.error_message},
        fraud_rules = ${row.fraud_rules === null ? null : JSON.stringify(row.fraud_rules)}::jsonb, operation_date = ${row.operation_date},
        holds_order_id = ${row.holds_order_id}, fee_amount = ${row.fee_amount}, fee_tax = ${row.fee_tax}, lease_until = null
      where id = ${row.id} and progress = ${from} returning id, merchant_id, source_id
    ), posted as (
      insert into entries (movement, account, amount, transaction_id)
      select movement, account, amount, done.id from done, jsonb_to_recordset(${moves}::jsonb) as e (movement text, account text, amount bigint)
    ), told as (
      insert into events (id, merchant_id, type, object_id, object, creation_date)
      select ${event?.id ?? ''}, merchant_id, ${event?.type ?? ''}, coalesce(${parent?.id ?? null}, done.id),
        ${JSON.stringify(event?.object ?? null)}::jsonb, ${row.operation_date}
      from done where ${event !== undefined}
    ), queued as (
      insert into outbox (kind, object_id) select ${tell ?? ''}, id from done where ${tell !== undefined}
    ), followed as (
      update transactions set status = ${parent?.status ?? ''}, operation_date = ${row.operation_date}
      where id = ${parent?.id ?? ''} and exists (select from done)
    ), emptied as (
      update tokens set number_sealed = null, cvv2_sealed = null, fingerprint = null where used_by in (select id from done)
        and id in (select source_id from done)
    )
    select id from done`;
  return done.length > 0;
}
