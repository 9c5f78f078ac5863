import { NoAnswerError } from '../gateway/acquirer/port';
import type { Context } from '../schema/operation/context';
import { type ClockScope, unsettledTransactions } from './rows';

/**
 * Makes the simulated acquirer settle the days that a test clock passed. The acquirer does not know customers' clocks, so
 * a move of a smaller scope names its transactions. The move succeeds even without an answer.
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
