import { NoAnswerError } from '../gateway/acquirer/port';
import { rethrowUnavailable } from '../gateway/acquirer/unavailable';
import { settlementActivities } from '../payments/settlements/activities';
import type { Settlement } from '../payments/settlements/fields';
import { listSettlements } from '../payments/settlements/list';
import { toSettlement } from '../payments/settlements/view';
import { clockOf } from '../platform/database/clock';
import type { Context } from '../schema/operation/context';
import { type ClockScope, openReports, unsettledTransactions } from './rows';

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

/**
 * Settles everything of the merchant that the simulated acquirer knows. The reports are matched here, by the steps of
 * their workflows, so that the response has the result even without a worker.
 */
export async function settleNow(context: Context): Promise<Settlement[]> {
  const { db, acquirer, merchant_id: merchant } = context;
  const { now: until } = await clockOf(db, merchant, null);
  await acquirer.simulate('settle', { merchant, until, early: true }).catch(rethrowUnavailable);
  const steps = settlementActivities(db);
  const reports: string[] = [];
  for (const id of await openReports(db, merchant)) {
    if ((await steps.collectParts(id)).missing.length > 0 || 'refused' in (await steps.checkSums(id))) continue;
    while ((await steps.matchItems(id, true)).isMore);
    while (await steps.tellMerchants(id));
    await steps.closeReport(id);
    reports.push(id);
  }
  const where = { merchant_id: merchant, report_id: { in: reports } };
  return (await listSettlements(context, where, { take: reports.length })).map(toSettlement);
}
