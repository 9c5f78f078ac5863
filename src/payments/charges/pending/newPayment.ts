/**
 * A pending payment in the database: loads its context, builds its row, and inserts it with its event in one statement.
 */
import { ApiError } from '../../../platform/errors';
import type { Context } from '../../../schema/operation/context';
import type { CustomerRow } from '../../customers/rows';
import { type ChargeMethodName, METHODS } from '../../methods/methods';
import { creditedAccount } from '../card/prepare';
import { newTransaction, type PayableFields, payableColumns } from '../newTransaction';
import type { PaymentPlan } from '../paymentPlan';
import type { TransactionRow } from '../rows';
import { insertBatch, insertLinkedPayment, type PaymentContext } from './rows';

const HOUR_MS = 3_600_000;
const MAX_DUE_DAYS = 180;

export interface NewPayment extends PayableFields {
  method: ChargeMethodName;
  redirect_url?: string | undefined;
  send_email?: boolean;
  payment_plan?: PaymentPlan | undefined;
  due?: Date | undefined;
  payment_link_id?: string;
  parent_link_id?: string | null;
  /** Declined cards of earlier payments of the link. */
  declines?: number;
  /** The period of a subscription that it pays. Dates are by the clock of the subscription. */
  period?: PeriodColumns;
}

type PeriodColumns = Pick<
  TransactionRow,
  'subscription_id' | 'period' | 'invoice' | 'account' | 'creation_date' | 'operation_date' | 'clock_offset'
>;

export function newPaymentRow(
  { merchant_id, publicUrl, newId }: Pick<Context, 'merchant_id' | 'publicUrl' | 'newId'>,
  id: string,
  { method, due, period, ...payment }: NewPayment,
  customer: CustomerRow | null,
  { at, clock_offset, cost_rate, cost_fixed, max_installments }: PaymentContext,
): TransactionRow {
  if (due && !period && (due < at || due.getTime() > at.getTime() + MAX_DUE_DAYS * 24 * HOUR_MS))
    throw new ApiError('invalid_value', 'not_within_days', { field: 'due_date', max: MAX_DUE_DAYS });
  const { expiryHours, issue } = METHODS[method];
  return newTransaction({
    ...payableColumns(payment),
    id,
    merchant_id,
    customer_id: customer?.id ?? null,
    creation_date: at,
    operation_date: at,
    transaction_type: 'charge',
    operation_type: 'in',
    method,
    status: issue?.instructions === 'references' ? 'in_progress' : 'charge_pending',
    progress: 'pending',
    account: creditedAccount(merchant_id, customer),
    redirect_url: payment.redirect_url ?? null,
    send_email: payment.send_email ?? false,
    installments: payment.payment_plan?.payments ?? null,
    max_installments: method === 'card' && !payment.payment_plan && max_installments > 1 ? max_installments : null,
    page_key: newId('page'),
    page_origin: publicUrl,
    payment_link_id: payment.payment_link_id ?? null,
    parent_link_id: payment.parent_link_id ?? null,
    declines: payment.declines ?? 0,
    expires_at: due ?? new Date(at.getTime() + expiryHours * HOUR_MS),
    cost_rate,
    cost_fixed,
    clock_offset,
    ...period,
  });
}

/**
 * Inserts concurrent payments in one batch. Returns false if the order_id is taken, the customer is deleted, or the payment
 * link is used or cancelled.
 */
export async function insertPayment(
  { db, environment }: Pick<Context, 'db' | 'environment'>,
  row: TransactionRow,
): Promise<boolean> {
  const insert = row.payment_link_id === null ? insertBatch : insertLinkedPayment;
  return (await insert(db, { ...row, environment })) !== undefined;
}
