/**
 * Fees move money from a customer's account to the merchant; refunds move it back. Each is one database transaction without
 * an acquirer call.
 */
import { Prisma } from '../../../prisma/generated/client';
import { auditEntry } from '../../accounts/auditLog/entry';
import type { NewEvent } from '../../events/newEvent';
import { customerAccount, merchantAccount } from '../../ledger/accounts';
import { feeEntries, type LedgerEntry, movement } from '../../ledger/movements';
import { lockAndReadBalance } from '../../ledger/rows';
import { serializeByAccount } from '../../ledger/serializeByAccount';
import { clockOf } from '../../platform/database/clock';
import { lockName } from '../../platform/database/locks';
import { ApiError } from '../../platform/errors';
import { formatMoney } from '../../platform/money';
import type { Context } from '../../schema/operation/context';
import { chargeEvent } from '../charges/card/charge';
import { refundsOf } from '../charges/card/recordRefund';
import { MAX_REFUNDS } from '../charges/card/refund';
import type { CreateRefund } from '../charges/requests';
import {
  findTransaction,
  narrowTransaction,
  rejectTakenOrderId,
  reloadTransaction,
  type TransactionRow,
} from '../charges/rows';
import type { CustomerRow } from '../customers/rows';
import { lockActiveCustomer } from '../customers/rows';
import type { CreateFee } from './fields';

export async function payFee(context: Context, fee: CreateFee, customer: CustomerRow): Promise<TransactionRow> {
  const { db, merchant_id } = context;
  const id = context.newId('transaction');
  const account = customerAccount(customer.id);
  try {
    return await serializeByAccount(account, () =>
      db.$transaction(async tx => {
        const balance = customer.requires_account ? await lockAndReadBalance(tx, account) : 0n;
        const existing = await findTransaction(tx, { id, merchant_id });
        if (existing) return existing;
        await rejectTakenOrderId(tx, merchant_id, fee.order_id);
        if (balance < fee.amount) throw new ApiError('insufficient_balance');
        const columns = await settledColumns(tx, context, customer.id);
        const data = { ...fee, ...columns, id, account, order_id: fee.order_id || null };
        const row = narrowTransaction(
          await tx.transaction.create({ data: { ...data, transaction_type: 'fee', operation_type: 'out' } }),
        );
        await writeEntriesAndEvent(
          tx,
          row,
          feeEntries(id, merchant_id, account, fee.amount),
          chargeEvent('fee.succeeded', row),
        );
        return row;
      }),
    );
  } catch (error) {
    const isOrderIdTaken = error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
    throw isOrderIdTaken ? new ApiError('order_id_exists') : error;
  }
}

export async function refundFee(context: Context, fee: TransactionRow, input: CreateRefund): Promise<void> {
  const { db, merchant_id } = context;
  const id = context.newId('transaction');
  await serializeByAccount(merchantAccount(merchant_id), () =>
    db.$transaction(async tx => {
      const balance = await lockAndReadBalance(tx, merchantAccount(merchant_id));
      // Locks the fee, whose status depends on all of its refunds.
      await lockName(tx, fee.id);
      if (await tx.transaction.findUnique({ where: { id, merchant_id } })) return;
      if (!(await lockActiveCustomer(tx, fee.customer_id))) throw new ApiError('not_allowed', 'customer_deleted');
      const { status: currentStatus } = await reloadTransaction(tx, fee.id);
      const earlierRefunds = await refundsOf(tx, fee.id);
      const refunded = earlierRefunds.reduce((sum, { amount }) => sum + amount, 0n);
      if (earlierRefunds.length >= MAX_REFUNDS)
        throw new ApiError('not_allowed', 'fee_refund_parts', { max: MAX_REFUNDS });
      if (currentStatus !== 'completed') throw new ApiError('not_allowed', 'fee_refunded');
      const amount = input.amount ?? fee.amount - refunded;
      if (refunded + amount > fee.amount) throw new ApiError('invalid_value', 'above_fee_rest', { field: 'amount' });
      if (balance < amount) throw new ApiError('insufficient_balance');
      const data = { ...(await settledColumns(tx, context, fee.customer_id)), id, account: fee.account, amount };
      const refund = narrowTransaction(
        await tx.transaction.create({
          data: {
            ...data,
            description: input.description ?? null,
            parent_id: fee.id,
            transaction_type: 'refund',
            operation_type: 'in',
          },
        }),
      );
      const status = refunded + amount === fee.amount ? 'refunded' : 'completed';
      const updatedFee = await tx.transaction.update({
        where: { id: fee.id },
        data: { status, operation_date: refund.operation_date },
      });
      const entries = movement(`fee refund ${id}`, [
        [merchantAccount(merchant_id), -amount],
        [fee.account, amount],
      ]);
      const event = chargeEvent('fee.refund.succeeded', narrowTransaction(updatedFee), refund);
      await writeEntriesAndEvent(tx, refund, entries, event);
      const after = { refund_id: id, amount: formatMoney(amount) };
      await tx.auditEntry.create({ data: auditEntry(context, 'fee.refunded', { object_id: fee.id, after }) });
    }),
  );
}

/** Columns common to fees and their refunds, which are settled immediately. */
async function settledColumns(tx: Prisma.TransactionClient, { merchant_id }: Context, customer_id: string | null) {
  const { offset, now } = await clockOf(tx, merchant_id, customer_id);
  return {
    merchant_id,
    customer_id,
    creation_date: now,
    operation_date: now,
    method: 'customer',
    status: 'completed',
    progress: 'settled',
    cost_rate: 0,
    cost_fixed: 0n,
    clock_offset: offset,
  };
}

async function writeEntriesAndEvent(
  tx: Prisma.TransactionClient,
  row: TransactionRow,
  entries: LedgerEntry[],
  event: NewEvent,
): Promise<void> {
  await tx.entry.createMany({ data: entries.map(entry => ({ ...entry, transaction_id: row.id })) });
  const { merchant_id, operation_date: creation_date } = row;
  const object = event.object as Prisma.InputJsonObject;
  await tx.event.create({
    data: { id: event.id, type: event.type, merchant_id, object_id: row.parent_id ?? row.id, object, creation_date },
  });
}
