import type { Prisma } from '../../prisma/generated/client';
import type { Context } from '../context';
import { batchedById } from '../database/batch';
import type { Database } from '../database/connection';
import { given } from '../database/given';
import { listWhere, newestFirst } from '../schema/list';
import type { Transaction } from './fields';
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

const completedRefunds = batchedById(async (db, ids: readonly string[]) => {
  const refunds = await findTransactions(db, {
    where: { parent_id: { in: [...ids] }, status: 'completed' },
    orderBy: [...newestFirst],
  });
  return ids.map(id => ({ id, refunds: refunds.filter(({ parent_id }) => parent_id === id) }));
});

export const withRefunds = async (db: Database, row: TransactionRow): Promise<Transaction> =>
  toTransaction(row, mayHaveRefunds(row) ? ((await completedRefunds(db, row.id))?.refunds ?? []) : []);

/** Loads the refunds of all rows in one statement, which lists requested at the same moment share. */
export const toTransactions = (db: Database, rows: TransactionRow[]): Promise<Transaction[]> =>
  Promise.all(rows.map(row => withRefunds(db, row)));

/** A transaction that failed or is not finished has no refunds. */
const mayHaveRefunds = ({ status, progress }: TransactionRow): boolean => progress === 'settled' && status !== 'failed';
