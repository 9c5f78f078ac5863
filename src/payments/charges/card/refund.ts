/**
 * Refunds. Preparing a refund debits the locked account; a failed refund credits it again.
 */
import type { Prisma } from '../../../../prisma/generated/client';
import { auditEntry } from '../../../accounts/auditLog/entry';
import { AcquirerOperation } from '../../../gateway/acquirer/operation';
import { acquirerError } from '../../../gateway/acquirer/unavailable';
import { merchantAccount } from '../../../ledger/accounts';
import { refundEntries } from '../../../ledger/movements';
import { serializeByAccount } from '../../../ledger/serializeByAccount';
import { lockName } from '../../../platform/database/locks';
import { ApiError, errorKindOf } from '../../../platform/errors';
import { formatMoney, type Money } from '../../../platform/money';
import type { Context } from '../../../schema/operation/context';
import { METHODS } from '../../methods/methods';
import { newTransaction } from '../newTransaction';
import type { CreateRefund } from '../requests';
import type { TransactionRow } from '../rows';
import { chargeKey } from './acquirerKeys';
import { endedWithoutAnswer } from './charge';
import { returnedCost } from './costs';
import { REFUNDABLE, recordRefund } from './recordRefund';
import { insertRefund, loadRefundContext } from './rows';

/** Input: the charge. */
export const refund = new AcquirerOperation<TransactionRow, TransactionRow>({
  progress: 'prepared',
  matches: ({ transaction_type }) => transaction_type === 'refund',
  recoveredBy: 'lease',
  whenUnknown: 'reverse',
  key: ({ id }) => id,
  send: (acquirer, key, { amount, creation_date }, charge) =>
    acquirer.refund(key, chargeKey(charge), amount, creation_date),
  record: recordRefund,
});

export async function refundCharge(context: Context, charge: TransactionRow, input: CreateRefund): Promise<void> {
  const id = context.newId('transaction');
  const { row, isNew } = await prepareRefund(context, charge, id, input);
  const settled = isNew
    ? await refund.run(context, row, charge)
    : row.progress === 'prepared'
      ? await refund.resume(context, row)
      : row;
  if (settled.status !== 'failed') return;
  // A repeated request starts a new refund if its earlier run ended without an answer.
  if (endedWithoutAnswer(settled) && settled === row) return refundCharge(context, charge, input);
  if (endedWithoutAnswer(settled)) throw acquirerError();
  throw new ApiError('not_allowed', errorKindOf(settled.error_code ?? 0));
}

/** Holds the account lock from the balance read to the write. */
async function prepareRefund(
  context: Context,
  charge: TransactionRow,
  id: string,
  input: CreateRefund,
): Promise<{ row: TransactionRow; isNew: boolean }> {
  const { db } = context;
  return serializeByAccount(charge.account, () =>
    db.$transaction(async tx => {
      await lockName(tx, charge.account);
      const { current, earlierRefunds, ownRefund, balance, clock } = await loadRefundContext(tx, charge, id);
      if (ownRefund) return { row: ownRefund, isNew: false };
      if (
        !REFUNDABLE.includes(current.status) ||
        current.method === 'customer' ||
        !METHODS[current.method].isRefundable
      )
        throw new ApiError('not_allowed', 'not_refundable');
      if (current.subscription_id !== null && current.period === null)
        throw new ApiError('not_allowed', 'credited_payment');
      if (earlierRefunds.length >= MAX_REFUNDS)
        throw new ApiError('not_allowed', 'too_many_refunds', { max: MAX_REFUNDS });
      const refunded = earlierRefunds.reduce((sum, { amount }) => sum + amount, 0n);
      const amount = input.amount ?? current.amount - refunded;
      if (amount <= 0n || refunded + amount > current.amount)
        throw new ApiError('invalid_value', 'above_charge_rest', { field: 'amount' });
      const row = refundRow(current, id, amount, {
        ...returnedCost(current, earlierRefunds, amount),
        ...clock,
        description: input.description ?? null,
      });
      const entries = refundEntries(row, amount, row.fee_amount ?? 0n, row.fee_tax ?? 0n);
      const debit = entries.find(({ account }) => account === current.account)?.amount ?? 0n;
      if (debit < 0n && balance + debit < 0n) throw await insufficientBalance(tx, current);
      const after = { refund_id: id, amount: formatMoney(amount) };
      await insertRefund(
        tx,
        row,
        entries,
        auditEntry(context, 'charge.refund_requested', { object_id: charge.id, after }),
      );
      return { row, isNew: true };
    }),
  );
}

async function insufficientBalance(
  tx: Prisma.TransactionClient,
  { account, merchant_id, customer_id }: TransactionRow,
) {
  if (account === merchantAccount(merchant_id))
    return new ApiError('insufficient_balance', 'merchant_balance_below_refund');
  const fee = await tx.transaction.findFirst({
    where: { merchant_id, customer_id, transaction_type: 'fee', status: 'completed' },
  });
  return new ApiError('insufficient_balance', fee ? 'customer_balance_spent_on_fees' : 'customer_balance_below_refund');
}

/** Charges are returned with all of their refunds. */
export const MAX_REFUNDS = 1000;

function refundRow(
  charge: TransactionRow,
  id: string,
  amount: Money,
  columns: Partial<TransactionRow>,
): TransactionRow {
  const { merchant_id, customer_id, account, method, cost_rate, cost_fixed } = charge;
  return newTransaction({
    ...{ id, merchant_id, customer_id, account, method, amount, cost_rate, cost_fixed, ...columns },
    parent_id: charge.id,
    transaction_type: 'refund',
    operation_type: 'out',
  });
}
