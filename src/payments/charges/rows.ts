/** Transaction rows with precise types for text and JSON columns, for rows read by Prisma or SQL. */
import type { Prisma } from '../../../prisma/generated/client';
import type { TransactionModel } from '../../../prisma/generated/models';
import type { PaymentInstructions } from '../../gateway/acquirer/port';
import { columnsOf } from '../../platform/database/rows';
import { ApiError } from '../../platform/errors';
import type { CreateCustomer } from '../customers/fields';
import type { StoredAddress } from '../customers/rows';
import type { ChargedCard, TransactionStatusName } from './fields';

export type TransactionProgress =
  | 'prepared'
  | 'authorized'
  | 'capturing'
  | 'voiding'
  | 'pending'
  | 'paying'
  | 'sending'
  | 'settled';

/** The JSON copy of the card; its date is text. */
export type StoredCard = Omit<ChargedCard, 'creation_date' | 'address'> & {
  creation_date: string;
  address: StoredAddress | null;
};

/** The payer from the request. */
export type StoredPayer = Pick<CreateCustomer, 'name' | 'last_name' | 'email' | 'phone_number' | 'external_id'>;

type NarrowColumns = {
  transaction_type: 'charge' | 'refund' | 'fee' | 'payout';
  operation_type: 'in' | 'out';
  method: 'card' | 'store' | 'bank_account' | 'customer';
  status: TransactionStatusName;
  progress: TransactionProgress;
  card: StoredCard | null;
  customer: StoredPayer | null;
  metadata: Record<string, string> | null;
  fraud_rules: string[] | null;
  issued: PaymentInstructions | null;
};

export type TransactionRow = Omit<TransactionModel, keyof NarrowColumns> & NarrowColumns;

export const TRANSACTION_COLUMNS = columnsOf('transactions');

export const narrowTransaction = (row: TransactionModel): TransactionRow => row as TransactionRow;

export async function findTransaction(
  db: Prisma.TransactionClient,
  where: Prisma.TransactionWhereUniqueInput,
): Promise<TransactionRow | undefined> {
  const row = await db.transaction.findUnique({ where });
  return row ? narrowTransaction(row) : undefined;
}

export const reloadTransaction = async (db: Prisma.TransactionClient, id: string): Promise<TransactionRow> =>
  narrowTransaction(await db.transaction.findUniqueOrThrow({ where: { id } }));

export const findTransactions = async (
  db: Prisma.TransactionClient,
  query: Pick<Prisma.TransactionFindManyArgs, 'where' | 'orderBy' | 'skip' | 'take'>,
): Promise<TransactionRow[]> => (await db.transaction.findMany(query)).map(narrowTransaction);

export async function rejectTakenOrderId(
  db: Prisma.TransactionClient,
  merchant_id: string,
  order_id?: string | null,
): Promise<void> {
  const where = { merchant_id, order_id: order_id ?? '', holds_order_id: true };
  if (order_id && (await db.transaction.count({ where })) > 0) throw new ApiError('order_id_exists');
}
