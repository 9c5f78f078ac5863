import { NoAnswerError } from '../gateway/acquirer/port';
import type { Context } from '../schema/operation/context';
import { type ClockScope, unsettledTransactions } from './rows';

/**
 * Asks the simulated acquirer to settle transactions up to the new time of a test clock. The acquirer knows only the
 * merchant's clock, so for a smaller scope the transactions are listed. The move succeeds even without a response.
 */
export async function requestSettlement(context: Context, scope: ClockScope, until: Date): Promise<void> {
  const { acquirer, merchant_id: merchant } = context;
  const isOfAll = scope.ownerTable === 'merchants';
  const transactions = isOfAll ? undefined : await unsettledTransactions(context.db, scope, until);
  if (transactions?.length === 0) return;
  await acquirer.simulate('settle', { merchant, until, transactions }).catch(error => {
    if (!(error instanceof NoAnswerError)) throw error;
  });
}
