/** A transaction as REST and GraphQL show it and as events store it. */
import { formatMoment } from '../../workflows/calendar';
import type { ChargedCard, Movement, Payer, PaymentMethod, Transaction } from './fields';
import type { StoredCard, StoredPayer, TransactionRow } from './rows';

const CURRENCY = 'COP';
/** Vouchers show their due date in central time. */
const CENTRAL_TIME_HOURS_BEHIND_UTC = 6;

const toMovement = (row: TransactionRow): Movement => ({
  id: row.id,
  amount: row.amount,
  authorization: row.authorization,
  method: row.method,
  operation_type: row.operation_type,
  transaction_type: row.transaction_type,
  status: row.status,
  conciliated: row.conciliated,
  currency: CURRENCY,
  creation_date: row.creation_date,
  operation_date: row.operation_date,
  description: row.description,
  error_message: row.error_message,
  ...(row.error_code === null ? {} : { error_code: row.error_code }),
  order_id: row.order_id,
  ...(row.customer_id === null ? {} : { customer_id: row.customer_id }),
  ...(row.subscription_id === null ? {} : { subscription_id: row.subscription_id }),
});

export function toTransaction(row: TransactionRow, refunds: TransactionRow[]): Transaction {
  const movements = refunds.map(toMovement);
  const [latest] = movements;
  return {
    ...toMovement(row),
    ...(row.iva === null ? {} : { iva: row.iva }),
    ...(row.card === null ? {} : { card: withParsedDate(row.card) }),
    ...(row.customer === null ? {} : { customer: toPayer(row.customer, row.creation_date) }),
    ...(row.method === 'store' && row.expires_at
      ? { due_date: formatMoment(row.expires_at.getTime(), CENTRAL_TIME_HOURS_BEHIND_UTC) }
      : {}),
    ...toPaymentMethod(row),
    ...(row.fee_amount === null || row.fee_tax === null
      ? {}
      : { fee: { amount: row.fee_amount, tax: row.fee_tax, currency: CURRENCY } }),
    ...(row.metadata === null ? {} : { metadata: row.metadata }),
    ...(latest ? { refund: latest, refunds: movements } : {}),
  };
}

/** The page on which the payer pays or reads the outcome. */
export const paymentPageUrl = ({ page_origin, page_key }: TransactionRow): string => `${page_origin}/pay/${page_key}`;

function toPaymentMethod(row: TransactionRow): { payment_method?: PaymentMethod } {
  const { page_key, page_origin, issued } = row;
  if (page_key === null) return {};
  if (!issued || !('reference' in issued)) return { payment_method: { type: 'redirect', url: paymentPageUrl(row) } };
  const { reference, paybin_reference } = issued;
  const payment_method = {
    type: 'store',
    reference,
    paybin_reference,
    barcode_url: `${page_origin}/barcodes/${reference}.png`,
    barcode_paybin_url: `${page_origin}/barcodes/${paybin_reference}.png`,
    receipt_url: `${page_origin}/vouchers/${page_key}`,
  };
  return { payment_method };
}

/** The JSON column holds the date as text. */
const withParsedDate = (card: StoredCard): ChargedCard => ({ ...card, creation_date: new Date(card.creation_date) });

const toPayer = (customer: StoredPayer, creation_date: Date): Payer => {
  const { name, email, last_name = null, phone_number = null, external_id = null } = customer;
  return { name, last_name, email, phone_number, address: null, creation_date, external_id };
};
