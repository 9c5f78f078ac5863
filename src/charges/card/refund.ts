/**
 * Refunds. The account is debited when the refund is prepared, under a lock of that account, and credited again if it
 * fails.
 */

import type { Prisma } from '../../../prisma/generated/client';
import type { AcquirerAnswer } from '../../acquirer/port';
import { findOrReverse, sendOrResolve } from '../../acquirer/resolveOutcome';
import type { Context } from '../../context';
import { clearingAccount, costsAccount, merchantAccount, taxAccount } from '../../ledger/accounts';
import { failedRefundChargebackEntries, reversedRefundEntries } from '../../ledger/movements';
import { serializeByAccount } from '../../ledger/serializeByAccount';
import { ApiError, type ErrorKind } from '../../platform/errors';
import type { CreateRefund } from '../requests';
import { settleInTransaction } from '../settle';
import type { TransactionRow } from '../view';
import { chargeKey } from './acquirerKeys';
import { chargeEvent, endedWithoutAnswer, outcomeTime, type PaymentServices } from './charge';
import { CHARGE_LEASE_SECONDS, TRANSACTION_COLUMNS } from './prepare';

type RefundVerdict = 'ok' | 'too_much' | 'insufficient_balance';
const refusals: Record<Exclude<RefundVerdict, 'ok'>, () => ApiError> = {
  too_much: () => new ApiError('invalid_value', { field: 'amount', problem: 'is more than is left of the charge' }),
  insufficient_balance: () => new ApiError('insufficient_balance'),
};

export async function refundCharge(context: Context, charge: TransactionRow, input: CreateRefund): Promise<void> {
  const id = context.newId('transaction');
  const { refund, isNew } = await prepareRefund(context, charge, id, input);
  const settled = isNew ? await sendRefund(context, charge, refund) : await resumeRefund(context, refund);
  if (settled.status !== 'failed') return;
  // A repeated request whose earlier run ended without an answer starts a new refund.
  if (endedWithoutAnswer(settled) && settled === refund) return refundCharge(context, charge, input);
  throw new ApiError(endedWithoutAnswer(settled) ? 'unavailable' : 'not_allowed', settled.error_message ?? undefined);
}

async function sendRefund(context: Context, charge: TransactionRow, refund: TransactionRow): Promise<TransactionRow> {
  const { acquirer } = context;
  const send = () => acquirer.refund(refund.id, chargeKey(charge), refund.amount);
  return recordRefund(context, refund, await sendOrResolve(acquirer, refund.id, send));
}

/**
 * The run that prepared the refund may have sent it already, so its outcome is looked up instead of sending it again.
 */
const resumeRefund = async (context: Context, refund: TransactionRow): Promise<TransactionRow> =>
  refund.progress === 'prepared' ? resolveRefund(context, refund) : refund;

export const resolveRefund = async (services: PaymentServices, refund: TransactionRow): Promise<TransactionRow> =>
  recordRefund(services, refund, await findOrReverse(services.acquirer, refund.id));

/**
 * The lock has a statement of its own, so that the next one sees everything that was committed before the lock was
 * granted.
 */
async function prepareRefund(
  { db, merchant_id }: Context,
  charge: TransactionRow,
  id: string,
  { amount, description }: CreateRefund,
): Promise<{ refund: TransactionRow; isNew: boolean }> {
  const [, rows] = await serializeByAccount(charge.account, () =>
    db.$transaction([
      db.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${charge.account}, 0))`,
      db.$queryRaw<(TransactionRow & { verdict: RefundVerdict })[]>`
      with charge as (
        select id, merchant_id, customer_id, amount, account, fee_amount, fee_tax, source_id, card, iva, cost_rate, cost_fixed, method,
          clock_offset_of(merchant_id, customer_id) as clock,
          (select coalesce(sum(amount), 0)::bigint from transactions earlier where earlier.parent_id = charge.id and status <> 'failed')
            as refunded
        from transactions charge where id = ${charge.id} and status = 'completed' and method = 'card'
          and not exists (select from transactions existing where existing.id = ${id})
      ), requested_refund as (
        select *, coalesce(${amount ?? null}::bigint, amount - refunded) as refund_amount from charge
      ), priced_refund as (
        select *, share_of(fee_amount, refunded + refund_amount, amount) - share_of(fee_amount, refunded, amount) as returned_fee,
          share_of(fee_tax, refunded + refund_amount, amount) - share_of(fee_tax, refunded, amount) as returned_tax
        from requested_refund
      ), checked_refund as (
        select *, case when refund_amount <= 0 or refunded + refund_amount > amount then 'too_much'
          when balance_of(account) + case when account = ${merchantAccount(merchant_id)} then returned_fee + returned_tax else 0 end
            < refund_amount
          then 'insufficient_balance' else 'ok' end as verdict
        from priced_refund
      ), inserted_refund as (
        insert into transactions (id, merchant_id, customer_id, parent_id, creation_date, operation_date, transaction_type, operation_type,
          method, status, progress, amount, description, account, cost_rate, cost_fixed, fee_amount, fee_tax, clock_offset, lease_until)
        select ${id}, merchant_id, customer_id, id, now() + make_interval(secs => clock), now() + make_interval(secs => clock), 'refund',
          'out', method, 'in_progress', 'prepared', refund_amount, ${description ?? null}, account, cost_rate, cost_fixed, returned_fee,
          returned_tax, clock, now() + make_interval(secs => ${CHARGE_LEASE_SECONDS})
        from checked_refund where verdict = 'ok' returning ${TRANSACTION_COLUMNS}
      ), inserted_entries as (
        insert into entries (movement, account, amount, transaction_id)
        select ${`refund ${id}`}, entry.account, sum(entry.amount), inserted_refund.id
        from checked_refund, inserted_refund, lateral (values (checked_refund.account, -refund_amount),
          (${clearingAccount(merchant_id)}, refund_amount), (${merchantAccount(merchant_id)}, returned_fee + returned_tax),
          (${costsAccount(merchant_id)}, -returned_fee), (${taxAccount(merchant_id)}, -returned_tax)
        ) as entry (account, amount)
        group by inserted_refund.id, entry.account having sum(entry.amount) <> 0
      )
      select inserted_refund.*, checked_refund.verdict from checked_refund left join inserted_refund on true`,
    ]),
  );
  const [checked] = rows;
  if (checked?.verdict === 'ok') return { refund: checked, isNew: true };
  if (checked) throw refusals[checked.verdict as keyof typeof refusals]();
  const existing = await db.transaction.findUnique({ where: { id, merchant_id } });
  if (existing) return { refund: existing, isNew: false };
  throw new ApiError('not_allowed', 'Only a completed card charge can be refunded');
}

/** Locks the charge, because its status depends on all of its refunds. */
async function recordRefund(
  { db }: PaymentServices,
  refund: TransactionRow,
  answer: AcquirerAnswer | undefined,
): Promise<TransactionRow> {
  const datedRefund = { ...refund, operation_date: outcomeTime(refund) };
  return db.$transaction(async tx => {
    const parent = await lockCharge(tx, refund.parent_id ?? '');
    const outcome = answer?.approved
      ? await completedRefund(tx, parent, { ...datedRefund, authorization: answer.authorization })
      : failedRefund(datedRefund, answer?.kind ?? 'unavailable', parent.status === 'chargeback_pending');
    if (await settleInTransaction(tx, 'prepared', outcome)) return outcome.row;
    return tx.transaction.findUniqueOrThrow({ where: { id: refund.id } });
  });
}

export async function lockCharge(tx: Prisma.TransactionClient, id: string): Promise<TransactionRow> {
  const [row] = await tx.$queryRaw<
    TransactionRow[]
  >`select ${TRANSACTION_COLUMNS} from transactions where id = ${id} for no key update`;
  if (!row) throw new Error(`the charge ${id} of a refund is gone`);
  return row;
}

async function completedRefund(tx: Prisma.TransactionClient, charge: TransactionRow, refund: TransactionRow) {
  const row: TransactionRow = { ...refund, status: 'completed', progress: 'settled' };
  const others = await refundsOf(tx, charge.id);
  const refunds = [row, ...others.filter(({ id, status }) => id !== row.id && status === 'completed')];
  const refunded = refunds.reduce((sum, { amount }) => sum + amount, 0n);
  const status = charge.status === 'completed' && refunded === charge.amount ? 'refunded' : charge.status;
  const updatedCharge = { ...charge, status, operation_date: row.operation_date };
  return { row, parent: { id: charge.id, status }, event: chargeEvent('charge.refunded', updatedCharge, refunds) };
}

function failedRefund(refund: TransactionRow, kind: ErrorKind, isChargebackOpen: boolean) {
  const { error_code, message } = new ApiError(kind);
  const row: TransactionRow = { ...refund, status: 'failed', progress: 'settled', error_code, error_message: message };
  const reversal = reversedRefundEntries(refund, refund.amount, refund.fee_amount ?? 0n, refund.fee_tax ?? 0n);
  const held = isChargebackOpen ? failedRefundChargebackEntries(refund, refund.amount) : [];
  return { row, entries: [...reversal, ...held] };
}

/** Newest first. */
export const refundsOf = (db: Prisma.TransactionClient, parent_id: string): Promise<TransactionRow[]> =>
  db.transaction.findMany({ where: { parent_id }, orderBy: [{ creation_date: 'desc' }, { id: 'desc' }] });
