import { batchedById, groupBy } from '../../platform/database/batch';
import type { Database } from '../../platform/database/connection';
import { omitUndefined } from '../../platform/database/omitUndefined';
import { readFitting, readPage } from '../../schema/boundedList';
import { toConnection } from '../../schema/connections/connection';
import { ascending, NEWEST_FIRST, type Order } from '../../schema/connections/order';
import { totalWhere } from '../../schema/connections/rows';
import { pageSlice, sliceOf } from '../../schema/connections/window';
import { listWhere, newestFirst } from '../../schema/list';
import type { Context } from '../../schema/operation/context';
import { metadataWhere } from '../metadata/rows';
import type { Transaction, TransactionConnection } from './fields';
import type {
  ChargesArgs,
  ChargesConnectionArgs,
  TransactionSortName,
  TransactionsArgs,
  TransactionsConnectionArgs,
} from './filters';
import { boundedList, findTransactions, type TransactionRow } from './rows';
import { toTransaction } from './view';

/** The method of fees and their refunds. */
const FEE_METHOD = 'customer';

/** The filter for charges, fees or their refunds. */
export function transactionWhere(
  { merchant_id }: Context,
  listed: 'charge' | 'fee',
  filters: TransactionsArgs | TransactionsConnectionArgs | ChargesArgs | ChargesConnectionArgs,
) {
  const {
    transaction_type = listed,
    order_id,
    status,
    status_in,
    error_code,
    amount,
    amount_gte,
    amount_lte,
  } = filters;
  const { customer_id, subscription_id, metadata } = filters as Partial<ChargesArgs>;
  return {
    merchant_id,
    transaction_type,
    ...(transaction_type === listed ? {} : { method: listed === 'fee' ? FEE_METHOD : { not: FEE_METHOD } }),
    ...omitUndefined({ customer_id, subscription_id, order_id, error_code }),
    status: omitUndefined({ equals: status, in: status_in?.length ? status_in : undefined }),
    amount: omitUndefined({ equals: amount, gte: amount_gte, lte: amount_lte }),
    ...listWhere(filters),
    ...metadataWhere({ metadata }),
  };
}

type TransactionConditions = ReturnType<typeof transactionWhere>;

const byAmount: Order<Transaction> = {
  name: 'amount',
  by: ['amount', 'id'],
  kinds: ['number', 'id'],
  placeOf: ({ amount, id }) => [amount, id],
};

const orders: Record<TransactionSortName, Order<Transaction>> = {
  creation_desc: NEWEST_FIRST,
  creation_asc: ascending(NEWEST_FIRST),
  amount_desc: byAmount,
  amount_asc: ascending(byAmount),
};

export async function listTransactions(
  context: Context,
  where: TransactionConditions,
  page: TransactionsArgs,
): Promise<Transaction[]> {
  return toTransactions(context.db, await readPage(context, boundedList(context.db, where, pageSlice(page))));
}

export async function transactionConnection(
  context: Context,
  where: TransactionConditions,
  window: TransactionsConnectionArgs,
): Promise<TransactionConnection> {
  const { db } = context;
  const order = orders[window.sort ?? 'creation_desc'];
  const { records, isCut } = await readFitting(context, boundedList(db, where, sliceOf(window, order)));
  const transactions = await toTransactions(db, records);
  return toConnection(window, transactions, totalWhere(db, 'transactions', where), { isCut, order });
}

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

/** Loads the refunds of all rows, and of concurrent lists, in one query. */
export const toTransactions = (db: Database, rows: TransactionRow[]): Promise<Transaction[]> =>
  Promise.all(rows.map(row => withRefunds(db, row)));

const mayHaveRefunds = ({ status, progress }: TransactionRow): boolean => progress === 'settled' && status !== 'failed';
