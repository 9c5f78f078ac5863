import type { Prisma } from '../../prisma/generated/client';
import type { Context } from '../context';
import { findCustomer } from '../customers/resolver';
import { batchedById } from '../database/batch';
import type { Database } from '../database/connection';
import type { OwnerId } from '../schema/arguments';
import { listWhere } from '../schema/list';
import type { Transaction, TransactionsPage, TransactionsWindow } from './fields';
import { type TransactionRow, toTransaction } from './view';

/** What the filters leave, of one type, at either level. */
export async function transactionWhere(
  context: Context,
  transaction_type: 'charge' | 'fee',
  filters: TransactionsPage | TransactionsWindow,
  customer_id: OwnerId = null,
  after?: string,
): Promise<Prisma.TransactionWhereInput> {
  if (customer_id !== null) await findCustomer(context, customer_id);
  const { order_id, status, amount, amount_gte, amount_lte } = filters;
  return {
    merchant_id: context.merchant_id,
    ...(customer_id === null ? {} : { customer_id }),
    transaction_type,
    order_id,
    status,
    amount: { equals: amount, gte: amount_gte, lte: amount_lte },
    ...listWhere(filters, after),
  };
}

const refundsOf = batchedById(async (db, ids: readonly string[]) => {
  const refunds = await db.transaction.findMany({
    where: { parent_id: { in: [...ids] }, status: 'completed' },
    orderBy: [{ creation_date: 'desc' }, { id: 'desc' }],
  });
  return ids.map(id => ({ id, refunds: refunds.filter(({ parent_id }) => parent_id === id) }));
});

/** The refunds of all of them in one statement, also of lists that are asked for together. */
export const toTransactions = (db: Database, rows: TransactionRow[]): Promise<Transaction[]> =>
  Promise.all(
    rows.map(async row =>
      toTransaction(row, mayHaveRefunds(row) ? ((await refundsOf(db, row.id))?.refunds ?? []) : []),
    ),
  );

/** Nothing is given back of what has failed or is not finished. */
const mayHaveRefunds = ({ status, progress }: TransactionRow): boolean => progress === 'settled' && status !== 'failed';
