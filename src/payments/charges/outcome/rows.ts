/**
 * Writes the outcome of a charge (row, ledger entries, event and outbox) in one statement, unless another process has
 * already written one.
 */
import { Prisma } from '../../../../prisma/generated/client';
import type { NewEvent } from '../../../events/newEvent';
import type { LedgerEntry } from '../../../ledger/movements';
import { batchedWrites } from '../../../platform/database/batch';
import { type Database, queryRows } from '../../../platform/database/connection';
import { environmentOfMerchant, type OutboxKind } from '../../../platform/database/outbox';
import { assign, equalsViaIndex, idsOf, insertDependents, recordsOf, statement } from '../../../platform/database/rows';
import { errorCodeOf } from '../../../platform/errors';
import { observable } from '../../../platform/metrics/observable';
import { reloadTransaction, type TransactionProgress, type TransactionRow } from '../rows';

export interface ChargeOutcome {
  row: TransactionRow;
  entries?: LedgerEntry[];
  event?: NewEvent;
  outbox?: OutboxKind[];
  /** For a refund: the refunded charge, if the status of the charge changes. */
  parent?: { id: string; status: string };
}

export interface ChargeSettlement {
  from: TransactionProgress;
  outcome: ChargeOutcome;
}

const SETTLED_COLUMNS = [
  'status',
  'progress',
  'amount',
  'authorization',
  'error_code',
  'error_message',
  'fraud_rules',
  'operation_date',
  'holds_order_id',
  'fee_amount',
  'fee_tax',
  'issued',
] as const satisfies (keyof TransactionRow)[];
/** `attempts` is compared so that the outcome of an earlier attempt is not saved on a later one. */
const OUTCOME_COLUMNS = ['id', 'attempts', ...SETTLED_COLUMNS];

/** A charge with this error moved no money, so its token can be used again. */
const UNAVAILABLE_CODE = errorCodeOf('unavailable');

const settleBatch = batchedWrites(
  (db, settlements: readonly ChargeSettlement[]) =>
    queryRows<{ id: string }>(db, statement(settlementParts(settlements), idsOf('settled_charge'))),
  ({ outcome }: ChargeSettlement) => outcome.row.id,
  ({ id }) => id,
);

/** Published once the outcome of a charge is written. */
export const chargeSettled = observable<{ db: Database; row: TransactionRow }>('recaudo:charge:settled');

/** Writes concurrent outcomes in one batch. Returns false if another process has written an outcome. */
export async function settle(db: Database, from: TransactionProgress, outcome: ChargeOutcome): Promise<boolean> {
  if ((await settleBatch(db, { from, outcome })) === undefined) return false;
  const { row } = outcome;
  if (row.transaction_type === 'charge') chargeSettled.publish({ db, row });
  return true;
}

/** Returns the row with this outcome, or with that of another process. */
export const settleOrReload = async (
  db: Database,
  from: TransactionProgress,
  outcome: ChargeOutcome,
): Promise<TransactionRow> => ((await settle(db, from, outcome)) ? outcome.row : reloadTransaction(db, outcome.row.id));

export async function settleInTransaction(
  tx: Prisma.TransactionClient,
  from: TransactionProgress,
  outcome: ChargeOutcome,
): Promise<boolean> {
  const { row, parent } = outcome;
  const updateParent = parent && {
    updated_parent: Prisma.sql`
      update transactions set status = ${parent.status}, operation_date = ${row.operation_date}
      where id = ${parent.id} and exists (select from settled_charge)`,
  };
  const parts = { ...settlementParts([{ from, outcome }]), ...updateParent };
  return (await tx.$queryRaw<unknown[]>(statement(parts, idsOf('settled_charge')))).length > 0;
}

/**
 * The CTEs of the SQL statement; `settled_charge` returns the updated transactions. If `subscriptions` (a query that
 * selects IDs) is given, only their charges are updated.
 */
export function settlementParts(
  settlements: readonly ChargeSettlement[],
  subscriptions?: Prisma.Sql,
): Record<string, Prisma.Sql> {
  const outcomes = settlements.map(({ outcome }) => outcome);
  const records = recordsOf(
    'transactions',
    outcomes.map(({ row }) => row),
    ['previous_progress', settlements.map(({ from }) => from)],
    OUTCOME_COLUMNS,
  );
  return {
    settled_charge: Prisma.sql`
      update transactions set ${assign(SETTLED_COLUMNS, 'outcome')}, lease_until = null
      from ${records} as outcome
      where transactions.id ${equalsViaIndex('outcome.id')} and transactions.progress = outcome.previous_progress
        and transactions.attempts = outcome.attempts
        ${subscriptions ? Prisma.sql`and transactions.subscription_id in (${subscriptions})` : Prisma.empty}
      returning transactions.id, transactions.subscription_id, transactions.source_id, transactions.error_code`,
    charge_entries: insertDependents('entries', outcomes.flatMap(toEntries), idsOf('settled_charge')),
    charge_events: insertDependents('events', outcomes.flatMap(toEvents), idsOf('settled_charge')),
    charge_outbox: insertDependents('outbox', outcomes.flatMap(toOutbox), idsOf('settled_charge'), {
      environment: environmentOfMerchant('(select merchant_id from transactions t where t.id = dependent.object_id)'),
    }),
    released_token: Prisma.sql`
      update tokens set used_at = null, used_by = null from settled_charge
      where tokens.id ${equalsViaIndex('settled_charge.source_id')} and tokens.used_by = settled_charge.id and error_code = ${UNAVAILABLE_CODE}`,
    emptied_token: Prisma.sql`
      update tokens set number_sealed = null, cvv2_sealed = null, fingerprint = null from settled_charge
      where tokens.id ${equalsViaIndex('settled_charge.source_id')} and tokens.used_by = settled_charge.id
        and error_code is distinct from ${UNAVAILABLE_CODE}`,
  };
}

const toEntries = ({ row: { id }, entries = [] }: ChargeOutcome) =>
  entries.map(entry => ({ cause: id, row: { ...entry, transaction_id: id } }));

const toOutbox = ({ row: { id, subscription_id, page_key, progress }, outbox = [] }: ChargeOutcome) => {
  const isPeriodPayment = subscription_id !== null && page_key !== null && progress === 'settled';
  const kinds: OutboxKind[] = isPeriodPayment ? [...outbox, 'period_payment'] : outbox;
  return kinds.map(kind => ({ cause: id, row: { kind, object_id: id } }));
};

const toEvents = ({ row: { id, merchant_id, operation_date }, parent, event }: ChargeOutcome) =>
  event
    ? [{ cause: id, row: { ...event, merchant_id, object_id: parent?.id ?? id, creation_date: operation_date } }]
    : [];
