/** Money given back. The account is debited when the refund is prepared, under a lock of that account, and credited again if it fails. */

import type { Prisma } from '../../../prisma/generated/client';
import type { AcquirerAnswer as Answer } from '../../acquirer/port';
import { findOrReverse, sendOrResolve } from '../../acquirer/resolveOutcome';
import type { Context } from '../../context';
import { clearing, costs, merchantAccount, tax } from '../../ledger/accounts';
import { failedRefundChargebackEntries, reversedRefundEntries } from '../../ledger/movements';
import { serializeByAccount } from '../../ledger/serializeByAccount';
import { ApiError, type ErrorName } from '../../platform/errors';
import type { CreateRefund } from '../requests';
import type { TransactionRow } from '../view';
import { chargeKey } from './acquirerKeys';
import { chargeEvent, endedWithoutAnswer, outcomeTime, type PaymentServices } from './charge';
import { CHARGE_LEASE_SECONDS, TRANSACTION_COLUMNS } from './prepare';
import { settleInTransaction } from './settle';

type RefundVerdict = 'ok' | 'too_much' | 'no_funds';
const refusals: Record<Exclude<RefundVerdict, 'ok'>, () => ApiError> = {
  too_much: () => new ApiError('invalid_value', 'amount is more than is left of the charge'),
  no_funds: () => new ApiError('no_funds'),
};

export async function refundCharge(context: Context, charge: TransactionRow, input: CreateRefund): Promise<void> {
  const id = context.newId('transaction');
  const { refund, isNew } = await prepareRefund(context, charge, id, input);
  const ended = isNew ? await sendRefund(context, charge, refund) : await resumeRefund(context, refund);
  if (ended.status !== 'failed') return;
  // A repeat of what ended without an answer starts anew.
  if (endedWithoutAnswer(ended) && ended === refund) return refundCharge(context, charge, input);
  throw new ApiError(endedWithoutAnswer(ended) ? 'unavailable' : 'not_allowed', ended.error_message ?? undefined);
}

async function sendRefund(context: Context, charge: TransactionRow, refund: TransactionRow): Promise<TransactionRow> {
  const { acquirer } = context;
  const give = () => acquirer.refund(refund.id, chargeKey(charge), refund.amount);
  return recordRefund(context, refund, await sendOrResolve(acquirer, refund.id, give));
}

/** One that was found may have been sent by who prepared it, so it is asked about and not sent. */
const resumeRefund = async (context: Context, refund: TransactionRow): Promise<TransactionRow> =>
  refund.progress === 'prepared' ? resolveRefund(context, refund) : refund;

export const resolveRefund = async (work: PaymentServices, refund: TransactionRow): Promise<TransactionRow> =>
  recordRefund(work, refund, await findOrReverse(work.acquirer, refund.id));

/** The lock in one statement, the look and the entries in the next, which then sees all that was written before the lock was had. */
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
          (select coalesce(sum(amount), 0)::bigint from transactions given where given.parent_id = charge.id and status <> 'failed') as given
        from transactions charge where id = ${charge.id} and status = 'completed' and method = 'card'
          and not exists (select from transactions own where own.id = ${id})
      ), wanted as (
        select *, coalesce(${amount ?? null}::bigint, amount - given) as part from charge
      ), priced as (
        select *, share_of(fee_amount, given + part, amount) - share_of(fee_amount, given, amount) as fee_back,
          share_of(fee_tax, given + part, amount) - share_of(fee_tax, given, amount) as tax_back
        from wanted
      ), judged as (
        select *, case when part <= 0 or given + part > amount then 'too_much'
          when balance_of(account) + case when account = ${merchantAccount(merchant_id)} then fee_back + tax_back else 0 end < part
          then 'no_funds' else 'ok' end as verdict
        from priced
      ), refund as (
        insert into transactions (id, merchant_id, customer_id, parent_id, creation_date, operation_date, transaction_type, operation_type,
          method, status, progress, amount, description, account, cost_rate, cost_fixed, fee_amount, fee_tax, clock_offset, lease_until)
        select ${id}, merchant_id, customer_id, id, now() + make_interval(secs => clock), now() + make_interval(secs => clock), 'refund',
          'out', method, 'in_progress', 'prepared', part, ${description ?? null}, account, cost_rate, cost_fixed, fee_back, tax_back, clock,
          now() + make_interval(secs => ${CHARGE_LEASE_SECONDS})
        from judged where verdict = 'ok' returning ${TRANSACTION_COLUMNS}
      ), posted as (
        insert into entries (movement, account, amount, transaction_id)
        select ${`refund ${id}`}, move.account, sum(move.amount), refund.id
        from judged, refund, lateral (values (judged.account, -part), (${clearing(merchant_id)}, part),
          (${merchantAccount(merchant_id)}, fee_back + tax_back), (${costs(merchant_id)}, -fee_back), (${tax(merchant_id)}, -tax_back)
        ) as move (account, amount)
        group by refund.id, move.account having sum(move.amount) <> 0
      )
      select refund.*, judged.verdict from judged left join refund on true`,
    ]),
  );
  const [found] = rows;
  if (found?.verdict === 'ok') return { refund: found, isNew: true };
  if (found) throw refusals[found.verdict as keyof typeof refusals]();
  const own = await db.transaction.findUnique({ where: { id, merchant_id } });
  if (own) return { refund: own, isNew: false };
  throw new ApiError('not_allowed', 'Only a completed card charge can be refunded');
}

/** Under a lock of the charge, whose status depends on all of its refunds. */
async function recordRefund(
  { db }: PaymentServices,
  refund: TransactionRow,
  answer: Answer | undefined,
): Promise<TransactionRow> {
  const ended = { ...refund, operation_date: outcomeTime(refund) };
  return db.$transaction(async tx => {
    const parent = await lockCharge(tx, refund.parent_id ?? '');
    const outcome = answer?.approved
      ? await completedRefund(tx, parent, { ...ended, authorization: answer.authorization })
      : failedRefund(ended, answer?.kind ?? 'unavailable', parent.status === 'chargeback_pending');
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
  const given = refunds.reduce((sum, { amount }) => sum + amount, 0n);
  const status = charge.status === 'completed' && given === charge.amount ? 'refunded' : charge.status;
  const after = { ...charge, status, operation_date: row.operation_date };
  return { row, parent: { id: charge.id, status }, event: chargeEvent('charge.refunded', after, refunds) };
}

function failedRefund(refund: TransactionRow, kind: ErrorName, isHeld: boolean) {
  const { error_code, message } = new ApiError(kind);
  const row: TransactionRow = { ...refund, status: 'failed', progress: 'settled', error_code, error_message: message };
  const undone = reversedRefundEntries(refund, refund.amount, refund.fee_amount ?? 0n, refund.fee_tax ?? 0n);
  return { row, entries: isHeld ? [...undone, ...failedRefundChargebackEntries(refund, refund.amount)] : undone };
}

/** Newest first. */
export const refundsOf = (db: Prisma.TransactionClient, parent_id: string): Promise<TransactionRow[]> =>
  db.transaction.findMany({ where: { parent_id }, orderBy: [{ creation_date: 'desc' }, { id: 'desc' }] });
