/** Writes a charge before it is sent to the acquirer, with its ID, order_id, and card or token. */
import { rejectSuspended } from '../../../accounts/merchants/suspension';
import { customerAccount, merchantAccount } from '../../../ledger/accounts';
import { ApiError } from '../../../platform/errors';
import type { Context } from '../../../schema/operation/context';
import type { CustomerRow } from '../../customers/rows';
import { tokenExpiryCutoff } from '../../tokens/rows';
import { newTransaction, payableColumns } from '../newTransaction';
import type { CreateCharge } from '../requests';
import { type PreparedCharge, prepareBatch } from './rows';

export function prepareCharge(
  { db, merchant_id }: Context,
  id: string,
  charge: CreateCharge,
  customer: CustomerRow | null,
): Promise<PreparedCharge | undefined> {
  const { method, source_id = null, device_session_id = null, capture = true, payment_plan } = charge;
  const row = newTransaction({
    ...payableColumns(charge),
    ...{
      method,
      source_id,
      device_session_id,
      capture,
      redirect_url: null,
      installments: payment_plan?.payments ?? null,
    },
    id,
    merchant_id,
    customer_id: customer?.id ?? null,
    account: creditedAccount(merchant_id, customer),
    transaction_type: 'charge',
    operation_type: 'in',
  });
  return prepareBatch(db, row);
}

/** The ledger account that receives the money of a charge. */
export const creditedAccount = (merchant_id: string, customer: CustomerRow | null): string =>
  customer?.requires_account ? customerAccount(customer.id) : merchantAccount(merchant_id);

/** Throws only for an observed reason: a conflict that has gone since does not explain the refusal. */
export async function throwRefusalReason(
  { db, merchant_id }: Context,
  { order_id, source_id }: CreateCharge,
  customer: CustomerRow | null,
): Promise<never> {
  const id = source_id ?? '';
  const [holder, owner, card, token] = await Promise.all([
    order_id ? db.transaction.findFirst({ where: { merchant_id, order_id, holds_order_id: true } }) : null,
    customer ? db.customer.findUnique({ where: { id: customer.id } }) : null,
    db.card.findFirst({ where: { id, merchant_id, customer_id: customer?.id ?? null, status: 'active' } }),
    db.token.findFirst({
      where: {
        id,
        merchant_id,
        used_by: null,
        number_sealed: { not: null },
        creation_date: { gt: tokenExpiryCutoff(new Date()) },
      },
    }),
  ]);
  await rejectSuspended(db, merchant_id);
  if (holder) throw new ApiError('order_id_exists');
  if (customer && owner?.status !== 'active') throw new ApiError('not_found');
  if (!card && !token) throw new ApiError('invalid_value', 'not_usable', { field: 'source_id' });
  throw new ApiError('unavailable', 'changed_meanwhile');
}
