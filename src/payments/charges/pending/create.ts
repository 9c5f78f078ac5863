/**
 * Creates a payment that its payer makes later: on our page, in a store or at a bank. The voucher or bank page is
 * issued first, under the payment's id, and then everything is written in one statement. Before that no money can move,
 * since nobody has been told what to pay with.
 */
import { NoAnswerError, type PaymentInstructions } from '../../../gateway/acquirer/port';
import { findOrReverse } from '../../../gateway/acquirer/resolveOutcome';
import { CHANGED_MEANWHILE, findOwnWork } from '../../../platform/database/findOwnWork';
import { ApiError } from '../../../platform/errors';
import type { Context } from '../../../schema/operation/context';
import type { CustomerRow } from '../../customers/rows';
import { findTransaction, reloadTransaction, type TransactionRow } from '../rows';
import { paymentPageUrl } from '../view';
import { takeMailQuota } from './mailQuota';
import { insertPayment, loadContext, type NewPayment, newPaymentRow } from './newPayment';

/** How many earlier runs of a repeated request may have ended without an answer. */
const MAX_RESTARTS = 20;

type PaymentCreator = Pick<Context, 'db' | 'acquirer' | 'merchant_id' | 'publicUrl' | 'newId'>;

export async function createPendingPayment(
  context: PaymentCreator,
  payment: NewPayment,
  customer: CustomerRow | null,
  restarts = MAX_RESTARTS,
): Promise<TransactionRow> {
  const { db, merchant_id, acquirer } = context;
  const id = context.newId('transaction');
  const contextKey = { id, merchant_id, customer_id: customer?.id ?? null, order_id: payment.order_id || null };
  const paymentContext = await loadContext(db, contextKey);
  if (!paymentContext) throw new ApiError('not_found');
  if (paymentContext.already_exists) return reloadTransaction(db, id);
  if (paymentContext.is_suspended) throw new ApiError('suspended');
  const row = newPaymentRow(context, id, payment, customer, paymentContext);
  if (paymentContext.is_order_id_taken) throw new ApiError('order_id_exists');
  const email = customer?.email ?? payment.customer?.email;
  if (row.send_email && email !== undefined) await takeMailQuota(db, merchant_id, email);
  const issued = await issuePayment(context, row, paymentContext.merchant_name);
  // An earlier run of this request ended without an answer and reversed this id, so it continues with the next one.
  if (issued === 'reversed' && restarts > 0) return createPendingPayment(context, payment, customer, restarts - 1);
  if (issued === 'reversed') throw new ApiError('unavailable');
  const created: TransactionRow = { ...row, issued: issued ?? null };
  if (await insertPayment(db, created)) return created;
  return findOwnWork(findTransaction(db, { id, merchant_id }), async () => {
    if (row.method !== 'card') await acquirer.withdraw(id);
    if ((await loadContext(db, contextKey))?.is_order_id_taken) throw new ApiError('order_id_exists');
    const owner = customer && (await db.customer.findUnique({ where: { id: customer.id } }));
    if (customer && owner?.status !== 'active') throw new ApiError('not_found');
    throw new ApiError('unavailable', CHANGED_MEANWHILE);
  });
}

/**
 * Gets from the acquirer what the payer pays with; our own card page needs nothing from it. Without an answer the
 * request is reversed, so that it can never be paid.
 */
async function issuePayment(
  { acquirer }: PaymentCreator,
  row: TransactionRow,
  merchant: string,
): Promise<PaymentInstructions | 'reversed' | undefined> {
  const { id, amount, method, expires_at, description, creation_date } = row;
  if (method === 'card') return undefined;
  const order = { merchant, description: description ?? '', return_url: `${paymentPageUrl(row)}/return` };
  const send = () =>
    method === 'store'
      ? acquirer.issueVoucher(id, amount, expires_at ?? new Date(), creation_date)
      : acquirer.openBankPayment(id, amount, order, creation_date);
  const answer = await send().catch(async error => {
    const outcome =
      error instanceof NoAnswerError && error.mayHaveArrived ? await findOrReverse(acquirer, id) : undefined;
    if (!outcome) throw error;
    return outcome;
  });
  if (answer.approved && answer.issued) return answer.issued;
  if (!answer.approved && answer.kind === 'not_allowed' && !(await findOrReverse(acquirer, id))) return 'reversed';
  throw new ApiError(answer.approved ? 'unavailable' : answer.kind);
}
