/** Once a test clock has been moved, the simulated acquirer settles the days that it has passed. */
import { NoAnswerError } from '../gateway/acquirer/port';
import type { Context } from '../schema/operation/context';
import { type ClockScope, unsettledTransactions } from './rows';

/**
 * The clock of a merchant is that of everything it has. Those of its customers differ, and the acquirer does not know
 * them, so it is told which transactions are meant. If it gives no answer the move is over nevertheless.
 */
export async function orderSettlement(context: Context, scope: ClockScope, until: Date): Promise<void> {
  const { acquirer, merchant_id: merchant } = context;
  const isOfAll = scope.ownerTable === 'merchants';
  const transactions = isOfAll ? undefined : await unsettledTransactions(context.db, scope, until);
  if (transactions?.length === 0) return;
  await acquirer.simulate('settle', { merchant, until, transactions }).catch(error => {
    if (!(error instanceof NoAnswerError)) throw error;
  });
}
