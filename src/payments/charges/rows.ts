/** Transaction rows. Narrows the enum and JSON columns, which Prisma types as text and JSON, for all reads. */
import { Prisma } from '../../../prisma/generated/client';
import type { TransactionModel } from '../../../prisma/generated/models';
import type { BreBCode, PaymentInstructions, VoucherReferences } from '../../gateway/acquirer/port';
import type { Database } from '../../platform/database/connection';
import { columnsOf } from '../../platform/database/rows';
import { ApiError } from '../../platform/errors';
import type { BoundedList } from '../../schema/boundedList';
import type { Conditions } from '../../schema/connections/rows';
import { slicedSql, toSql } from '../../schema/connections/rows';
import type { Slice } from '../../schema/connections/window';
import type { CreateCustomer } from '../customers/fields';
import type { StoredAddress } from '../customers/rows';
import type { ChargeMethodName } from '../methods/methods';
import type { ChargedCard, TransactionStatusName } from './fields';
import type { StoredInvoice } from './invoice';

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
  method: ChargeMethodName | 'customer';
  status: TransactionStatusName;
  progress: TransactionProgress;
  card: StoredCard | null;
  customer: StoredPayer | null;
  metadata: Record<string, string> | null;
  fraud_rules: string[] | null;
  issued: PaymentInstructions | null;
  invoice: StoredInvoice | null;
};

export type TransactionRow = Omit<TransactionModel, keyof NarrowColumns> & NarrowColumns;

export const TRANSACTION_COLUMNS = columnsOf('transactions');

export const narrowTransaction = (row: TransactionModel): TransactionRow => row as TransactionRow;

/** Undefined for payments without a voucher. */
export const voucherOf = ({ issued }: Pick<TransactionRow, 'issued'>): VoucherReferences | undefined =>
  issued && 'reference' in issued ? issued : undefined;

/** Undefined for payments that are not by Bre-B. */
export const breBOf = ({ issued }: Pick<TransactionRow, 'issued'>): BreBCode | undefined =>
  issued && 'qr' in issued ? issued : undefined;

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

/** After this time another process takes over a charge that a request is working on. */
export const CHARGE_LEASE_SECONDS = 45;
/** By the database's clock, which also decides when the lease has expired. */
export const NEW_LEASE = Prisma.sql`now() + make_interval(secs => ${CHARGE_LEASE_SECONDS})`;

export async function markExpiring(db: Database, id: string, work_id: string): Promise<TransactionRow | undefined> {
  const [started] = await db.$queryRaw<TransactionRow[]>`
    update transactions set progress = 'voiding', work_id = ${work_id}, lease_until = ${NEW_LEASE}
    where id = ${id} and progress in ('authorized', 'pending') returning ${TRANSACTION_COLUMNS}`;
  return started;
}

export type ListedRow = TransactionRow & { refundCount: number };

export function boundedList(db: Database, where: Conditions, slice: Slice): BoundedList<ListedRow> {
  const page = Prisma.sql`from transactions ${slicedSql(toSql(where), slice)}`;
  return {
    limit: slice.take,
    // For few charges, refunds are read without being counted first.
    read: async () =>
      (await db.$queryRaw<TransactionRow[]>`select ${TRANSACTION_COLUMNS} ${page}`).map(row => ({
        ...row,
        refundCount: 0,
      })),
    readIds: async () => (await db.$queryRaw<{ id: string }[]>`select id ${page}`).map(({ id }) => id),
    load: async ids => {
      const [rows, counts] = await Promise.all([
        findTransactions(db, { where: { id: { in: ids } } }),
        db.transaction.groupBy({ by: 'parent_id', where: { parent_id: { in: ids } }, _count: true }),
      ]);
      const countById = new Map(counts.map(({ parent_id, _count }) => [parent_id, _count]));
      return rows.map(row => ({ ...row, refundCount: countById.get(row.id) ?? 0 }));
    },
    bytesOf: ({ metadata, refundCount }) =>
      CHARGE_BYTES + Buffer.byteLength(JSON.stringify(metadata)) + refundCount * REFUND_BYTES,
  };
}

/** Approximate, without metadata and refunds. */
export const CHARGE_BYTES = 1500;
const REFUND_BYTES = 500;

/** The database refuses more payments of a link than it has places. */
export const NO_LINK_PLACE = /payment_links_places_check/;

/** The link of one payer cannot be used, because the link that the merchant created was cancelled or has no place left. */
export const LINK_IS_CLOSED = Prisma.sql`coalesce((select parent.status <> 'active' or parent.places >= parent.max_payments
  from payment_links parent where parent.id = payment_links.parent_id), false)`;
