import type { Prisma } from '../../prisma/generated/client';
import type { Context } from '../context';
import { batchedById, groupBy } from '../database/batch';
import type { Database } from '../database/connection';
import { given } from '../database/given';
import { type BoundedList, readFitting, readPage } from '../schema/boundedList';
import { listWhere, newestFirst, toConnection } from '../schema/list';
import type { Transaction, TransactionConnection } from './fields';
import type { ChargesPage, ChargesWindow, TransactionsPage, TransactionsWindow } from './filters';
import { findTransactions, type TransactionRow } from './rows';
import { toTransaction } from './view';

/** Fees are of this method, and so is what is given back of them. */
const METHOD_OF_FEES = 'customer';

/** The filter for charges or for fees, or what was given back of them. */
export function transactionWhere(
  { merchant_id }: Context,
  listed: 'charge' | 'fee',
  filters: TransactionsPage | TransactionsWindow | ChargesPage | ChargesWindow,
  after?: string,
): Prisma.TransactionWhereInput {
  const { transaction_type = listed, order_id, status, amount, amount_gte, amount_lte } = filters;
  const { customer_id, subscription_id } = filters as Partial<ChargesPage>;
  return {
    merchant_id,
    transaction_type,
    ...(transaction_type === listed ? {} : { method: listed === 'fee' ? METHOD_OF_FEES : { not: METHOD_OF_FEES } }),
    ...given({ customer_id, subscription_id, order_id, status }),
    amount: given({ equals: amount, gte: amount_gte, lte: amount_lte }),
    ...listWhere(filters, after),
  };
}

type ListedRow = TransactionRow & { refundCount: number };

export async function listTransactions(
  context: Context,
  where: Prisma.TransactionWhereInput,
  { offset, limit }: { offset: number; limit: number },
): Promise<Transaction[]> {
  return toTransactions(context.db, await readPage(context, boundedList(context.db, where, limit, offset)));
}

export async function transactionConnection(
  context: Context,
  where: Prisma.TransactionWhereInput,
  first: number,
): Promise<TransactionConnection> {
  const { records, isCut } = await readFitting(context, boundedList(context.db, where, first + 1));
  return toConnection(await toTransactions(context.db, records), first, isCut);
}

function boundedList(
  db: Database,
  where: Prisma.TransactionWhereInput,
  limit: number,
  skip = 0,
): BoundedList<ListedRow> {
  const page = { where, orderBy: [...newestFirst], skip, take: limit };
  return {
    limit,
    // Refunds of so few are not counted before they are read.
    read: async () => (await findTransactions(db, page)).map(row => ({ ...row, refundCount: 0 })),
    readIds: async () => (await db.transaction.findMany({ ...page, select: { id: true } })).map(({ id }) => id),
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

/** About, without metadata and refunds. */
export const CHARGE_BYTES = 1500;
const REFUND_BYTES = 500;

const completedRefunds = batchedById(async (db, ids: readonly string[]) => {
  const refunds = await findTransactions(db, {
    where: { parent_id: { in: [...ids] }, status: 'completed' },
    orderBy: [...newestFirst],
  });
  const refundsByCharge = groupBy(refunds, ({ parent_id }) => parent_id ?? '');
  return ids.map(id => ({ id, refunds: refundsByCharge.get(id) ?? [] }));
});

export const withRefunds = async (db: Database, row: TransactionRow): Promise<Transaction> =>
  toTransaction(row, mayHaveRefunds(row) ? ((await completedRefunds(db, row.id))?.refunds ?? []) : []);

/** Loads the refunds of all rows in one statement, which lists requested at the same moment share. */
export const toTransactions = (db: Database, rows: TransactionRow[]): Promise<Transaction[]> =>
  Promise.all(rows.map(row => withRefunds(db, row)));

/** A transaction that failed or is not finished has no refunds. */
const mayHaveRefunds = ({ status, progress }: TransactionRow): boolean => progress === 'settled' && status !== 'failed';
