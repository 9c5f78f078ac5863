/**
 * Creates a payment that the payer completes later: on the payment page, in a store, at a bank or by Bre-B. The voucher,
 * bank page or QR code is issued first, under the payment's ID, and then everything is written in one SQL statement. The payer cannot pay
 * before that, because the reference is not published.
 */

import { readQr } from '../../../gateway/acquirer/emvQr';
import { AcquirerOperation } from '../../../gateway/acquirer/operation';
import type { PaymentInstructions, PaymentOrder } from '../../../gateway/acquirer/port';
import { acquirerError } from '../../../gateway/acquirer/unavailable';
import { findOwnWork } from '../../../platform/database/findOwnWork';
import { ApiError } from '../../../platform/errors';
import type { Context } from '../../../schema/operation/context';
import type { CustomerRow } from '../../customers/rows';
import { METHODS } from '../../methods/methods';
import { findTransaction, reloadTransaction, type TransactionRow } from '../rows';
import { paymentPageUrl } from '../view';
import { takeEmailQuota } from './emailQuota';
import { insertPayment, type NewPayment, newPaymentRow } from './newPayment';
import { loadContext } from './rows';

interface IssueRequest {
  operation: string;
  order: PaymentOrder;
}

/** Maximum earlier runs of a repeated request that ended without an answer. */
const MAX_RESTARTS = 20;

/**
 * Issues the voucher, bank page or QR code. The row is written afterwards, so a crash in between leaves an unpublished one.
 * Returns undefined if the key is reversed.
 */
export const issue = new AcquirerOperation<TransactionRow, IssueRequest, PaymentInstructions | undefined>({
  progress: null,
  matches: () => false,
  recoveredBy: 'repeated request',
  whenUnknown: 'reverse',
  throwsWhenReversed: true,
  key: ({ id }) => id,
  send: (acquirer, key, { amount, creation_date }, { operation, order }) =>
    acquirer.issue(operation, key, amount, order, creation_date),
  async record(_services, row, answer) {
    if (answer && !answer.approved) throw acquirerError(answer.kind);
    if (answer && !isPayable(row, answer.issued)) throw acquirerError();
    return answer?.issued;
  },
});

/** A payer can change neither the amount of a QR code nor the kind of instructions. */
function isPayable({ method, amount }: TransactionRow, issued: PaymentInstructions | undefined): boolean {
  const kind = method === 'customer' ? undefined : METHODS[method].issue?.instructions;
  if (!issued || !kind) return false;
  if (kind === 'references') return 'reference' in issued;
  if (kind === 'url') return !('reference' in issued || 'qr' in issued);
  return 'qr' in issued && readQr(issued.qr)?.amount === amount;
}

type PaymentCreator = Pick<Context, 'db' | 'environment' | 'acquirer' | 'merchant_id' | 'publicUrl' | 'newId'>;

/** `insert` returns false if the payment is not possible any more. */
export async function createPendingPayment(
  context: PaymentCreator,
  payment: NewPayment,
  customer: CustomerRow | null,
  insert: (context: PaymentCreator, row: TransactionRow) => Promise<boolean> = insertPayment,
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
  if (row.send_email && email !== undefined) await takeEmailQuota(db, merchant_id, email);
  const request = issueRequest(payment.method, row, paymentContext.merchant_name);
  // The payment page for cards needs nothing from the acquirer.
  const issued = request ? await issue.run(context, row, request) : null;
  // An earlier run of this request ended without an answer and reversed this ID: continue with the next ID.
  if (issued === undefined && restarts > 0)
    return createPendingPayment(context, payment, customer, insert, restarts - 1);
  if (issued === undefined) throw acquirerError();
  const created: TransactionRow = { ...row, issued };
  if (await insert(context, created)) return created;
  return findOwnWork(findTransaction(db, { id, merchant_id }), async () => {
    if (request) await acquirer.withdraw(id);
    if ((await loadContext(db, contextKey))?.is_order_id_taken) throw new ApiError('order_id_exists');
    const owner = customer && (await db.customer.findUnique({ where: { id: customer.id } }));
    if (customer && owner?.status !== 'active') throw new ApiError('not_found');
    throw new ApiError('unavailable', 'changed_meanwhile');
  });
}

function issueRequest(method: NewPayment['method'], row: TransactionRow, merchant: string): IssueRequest | undefined {
  const { issue } = METHODS[method];
  if (!issue) return undefined;
  const deadline = { expires: (row.expires_at ?? new Date()).toISOString() };
  const bank = { merchant, description: row.description ?? '', return_url: `${paymentPageUrl(row)}/return` };
  const order = { references: deadline, url: bank, qr: { ...bank, ...deadline } }[issue.instructions];
  return { operation: issue.operation, order };
}
