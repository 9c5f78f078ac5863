/** API representation of transactions, also stored in events. */
import { formatMoment } from '../../../workflows/calendar';
import type { Cost } from './card/costs';
import type { ChargedCard, Movement, Payer, Transaction } from './fields';
import { toInvoice } from './invoice';
import type { PaymentMethod } from './pending/paymentMethod';
import { breBOf, type StoredCard, type StoredPayer, type TransactionRow, voucherOf } from './rows';
import { includedTax } from './tax';

const CURRENCY = 'COP';
/** Due dates are in central time. */
const CENTRAL_TIME_HOURS_BEHIND_UTC = 6;

/** Each API field has the column of the same name. */
const toMovement = (row: TransactionRow): Movement => ({ currency: CURRENCY, ...row });

export function toTransaction(row: TransactionRow, refunds: TransactionRow[]): Transaction {
  const { card, customer, creation_date, expires_at } = row;
  const movements = refunds.map(toMovement);
  return {
    // Missing properties come before the spread, which V8 executes much faster than after it.
    currency: CURRENCY,
    due_date: hasDueDate(row) && expires_at ? formatMoment(expires_at.getTime(), CENTRAL_TIME_HOURS_BEHIND_UTC) : null,
    payment_method: toPaymentMethod(row),
    payment_plan: row.installments === null ? null : { payments: row.installments },
    fee: toCost(row),
    tax: includedTax(row.iva, row.amount),
    refund: movements[0] ?? null,
    refunds: movements.length > 0 ? movements : null,
    ...row,
    card: card && withParsedDate(card),
    invoice: row.invoice && toInvoice(row.invoice),
    customer: customer && toPayer(customer, creation_date),
    payment_link_id: row.parent_link_id ?? row.payment_link_id,
  };
}

const hasDueDate = (row: TransactionRow): boolean => voucherOf(row) !== undefined || breBOf(row) !== undefined;

/** Refunds have no cost: their columns hold the returned share of the charge's cost. */
const toCost = ({ fee_amount, fee_tax, transaction_type }: TransactionRow): Cost | null =>
  fee_amount === null || fee_tax === null || transaction_type === 'refund'
    ? null
    : { amount: fee_amount, tax: fee_tax, currency: CURRENCY };

/** The page for paying and for the outcome. */
export const paymentPageUrl = ({ page_origin, page_key }: TransactionRow): string => `${page_origin}/pay/${page_key}`;

function toPaymentMethod(row: TransactionRow): PaymentMethod | null {
  const { page_key, page_origin } = row;
  if (page_key === null) return null;
  const voucher = voucherOf(row);
  const breB = breBOf(row);
  const url = paymentPageUrl(row);
  if (breB) return { type: 'redirect', url, key: breB.key, qr: breB.qr, qr_url: `${url}/qr.png` };
  if (!voucher) return { type: 'redirect', url };
  const { reference, paybin_reference } = voucher;
  return {
    type: 'store',
    reference,
    paybin_reference,
    barcode_url: `${page_origin}/barcodes/${reference}.png`,
    barcode_paybin_url: `${page_origin}/barcodes/${paybin_reference}.png`,
    receipt_url: `${page_origin}/vouchers/${page_key}`,
  };
}

/** The JSON column holds the date as text. */
const withParsedDate = (card: StoredCard): ChargedCard => ({ ...card, creation_date: new Date(card.creation_date) });

const toPayer = (customer: StoredPayer, creation_date: Date): Payer => {
  const { name, email, last_name = null, phone_number = null, external_id = null } = customer;
  return { name, last_name, email, phone_number, address: null, creation_date, external_id };
};
