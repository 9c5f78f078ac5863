import { NoAnswerError } from '../gateway/acquirer/port';
import type { Context } from '../schema/operation/context';
import type { ClockScope } from './clockScope';

/** Remaining transactions are settled after the next move or on the next real day. */
const MAX_TRANSACTIONS = 10_000;

/**
 * Makes the simulated acquirer settle the days that a test clock passed. The acquirer does not know customers' clocks, so
 * a move of a smaller scope names its transactions. The move succeeds even without an answer.
 */
export async function orderSettlement(context: Context, scope: ClockScope, until: Date): Promise<void> {
  const { acquirer, merchant_id: merchant } = context;
  const isMerchantClock = scope.ownerTable === 'merchants';
  const transactions = isMerchantClock ? undefined : await unsettledTransactions(context, scope, until);
  if (transactions?.length === 0) return;
  await acquirer.simulate('settle', { merchant, until, transactions }).catch(error => {
    if (!(error instanceof NoAnswerError)) throw error;
  });
}

async function unsettledTransactions({ db }: Context, { paid }: ClockScope, until: Date): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    select t.id from transactions t left join transactions parent on parent.id = t.parent_id
    where ${paid} and t.progress = 'settled' and t.operation_date <= ${until} and t.method <> 'customer'
      and (t.status = 'chargeback_accepted' or not t.conciliated and t.status not in ('failed', 'cancelled'))
    order by t.operation_date, t.id limit ${MAX_TRANSACTIONS}`;
  return rows.map(({ id }) => id);
}
