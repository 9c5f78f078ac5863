/**
 * Creating a payout debits its amount and enqueues its workflow in one database transaction. The locked account keeps
 * concurrent payouts within the available balance.
 */
import { Prisma } from '../../../prisma/generated/client';
import { type AuditOrigin, auditEntry } from '../../accounts/auditLog/entry';
import { findBankAccounts } from '../../accounts/bankAccounts/rows';
import { rejectSuspended } from '../../accounts/merchants/suspension';
import { merchantAccount } from '../../ledger/accounts';
import { payoutEntries } from '../../ledger/movements';
import { lockAndReadAvailable } from '../../ledger/rows';
import { serializeByAccount } from '../../ledger/serializeByAccount';
import { clockOf } from '../../platform/database/clock';
import { wakeWorkers } from '../../platform/database/outbox';
import { ApiError } from '../../platform/errors';
import { formatMoney } from '../../platform/money';
import type { Context } from '../../schema/operation/context';
import { findTransaction, narrowTransaction, rejectTakenOrderId, type TransactionRow } from '../charges/rows';
import type { CreatePayout } from './fields';
import { payoutEvent } from './view';

/** The reason of an operator is for the audit log. */
type NewPayout = CreatePayout & { reason?: string };
type PayoutServices = AuditOrigin & Pick<Context, 'db' | 'newId'>;

export async function createPayout(
  services: PayoutServices,
  merchant_id: string,
  input: NewPayout,
): Promise<TransactionRow> {
  const { db } = services;
  const id = services.newId('transaction');
  try {
    const row = await serializeByAccount(merchantAccount(merchant_id), () =>
      db.$transaction(tx => writePayout(tx, services, { id, merchant_id }, input)),
    );
    await wakeWorkers(db);
    return row;
  } catch (error) {
    const isOrderIdTaken = error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
    throw isOrderIdTaken ? new ApiError('order_id_exists') : error;
  }
}

async function writePayout(
  tx: Prisma.TransactionClient,
  by: PayoutServices,
  { id, merchant_id }: { id: string; merchant_id: string },
  { amount, description, order_id, reason }: NewPayout,
): Promise<TransactionRow> {
  const account = merchantAccount(merchant_id);
  const available = await lockAndReadAvailable(tx, merchant_id);
  // An earlier run of this request wrote the payout and crashed before it could respond.
  const existing = await findTransaction(tx, { id, merchant_id });
  if (existing) return existing;
  // Checked before the available balance, which an earlier payout of this order may have used up.
  await rejectTakenOrderId(tx, merchant_id, order_id);
  await rejectSuspended(tx, merchant_id);
  const { present: bankAccount } = await findBankAccounts(tx, merchant_id);
  if (!bankAccount) throw new ApiError('not_allowed', 'no_bank_account');
  if (available < amount)
    throw new ApiError('insufficient_balance', 'above_available', { available: formatMoney(available) });
  const { offset, now } = await clockOf(tx, merchant_id, null);
  const data = {
    id,
    merchant_id,
    amount,
    description: description ?? null,
    order_id: order_id || null,
    account,
    source_id: bankAccount.id,
    creation_date: now,
    operation_date: now,
    transaction_type: 'payout',
    operation_type: 'out',
    method: 'bank_account',
    status: 'in_progress',
    progress: 'sending',
    cost_rate: 0,
    cost_fixed: 0n,
    clock_offset: offset,
  };
  const row = narrowTransaction(await tx.transaction.create({ data }));
  const entries = payoutEntries(id, merchant_id, amount);
  await tx.entry.createMany({ data: entries.map(entry => ({ ...entry, transaction_id: id })) });
  const { object, ...event } = payoutEvent('payout.created', row, bankAccount);
  await tx.event.create({
    data: { ...event, merchant_id, object_id: id, object: object as Prisma.InputJsonObject, creation_date: now },
  });
  const { environment } = await tx.merchant.findUniqueOrThrow({ where: { id: merchant_id } });
  await tx.outbox.create({ data: { kind: 'payout', object_id: id, environment } });
  const after = { amount: formatMoney(amount), bank_account: bankAccount.number, ...(reason && { reason }) };
  await tx.auditEntry.create({ data: auditEntry(by, 'payout.created', { object_id: id, after }, merchant_id) });
  return row;
}
