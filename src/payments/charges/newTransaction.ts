/** A transaction row to insert, with the database defaults for omitted columns. */
import { Prisma } from '../../../prisma/generated/client';
import { fieldsOf } from '../../schema/shapes';
import type { CreateCustomer } from '../customers/fields';
import { Payable } from './requests';
import type { StoredPayer, TransactionRow } from './rows';

type RequiredColumns = 'id' | 'merchant_id' | 'account' | 'method' | 'transaction_type' | 'operation_type' | 'amount';

const defaults = {
  status: 'in_progress',
  progress: 'prepared',
  conciliated: false,
  holds_order_id: true,
  capture: true,
  attempts: 0,
  declines: 0,
  send_email: false,
  cost_rate: 0,
  cost_fixed: 0n,
  clock_offset: 0,
};

const EMPTY_ROW = Object.fromEntries(Object.keys(Prisma.TransactionScalarFieldEnum).map(name => [name, null]));

export const newTransaction = (columns: Pick<TransactionRow, RequiredColumns> & Partial<TransactionRow>) =>
  ({ ...EMPTY_ROW, ...defaults, ...columns }) as TransactionRow;

/** The IVA is optional on payment links only. */
export type PayableFields = Omit<Payable, 'currency' | 'redirect_url' | 'iva'> & Partial<Pick<Payable, 'iva'>>;

/** A payer has no metadata of its own: the payment has. */
const toPayer = ({ metadata: _, ...payer }: CreateCustomer): StoredPayer => payer;

/** Columns of the `Payable` fields; each field has a column of the same name. */
export function payableColumns(payment: PayableFields) {
  const { customer, ...columns } = fieldsOf<PayableFields>(Payable, payment);
  return { ...columns, order_id: payment.order_id || null, customer: customer ? toPayer(customer) : null };
}
