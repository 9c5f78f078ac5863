/**
 * Charges to come, by the rules that bill. Subscriptions that are charged on the same days are projected once: only when
 * in the day it happens depends on the subscription itself.
 */
import { type Day, dayOf, type Moment } from '../../../workflows/calendar';
import { stateOf } from '../../billing/subscriptions/rows';
import { projection } from '../../billing/subscriptions/rules/projection';
import type { UpcomingDay } from './fields';
import { type Reader, readBillingCohorts } from './rows';

/** An attempt in progress counts as a charge of today. */
export async function projectUpcomingCharges(
  tx: Reader,
  merchant_id: string,
  now: Moment,
  days: readonly Day[],
): Promise<UpcomingDay[]> {
  const byDay = new Map(days.map(day => [day, { day, charges: 0, amount: 0n }]));
  const last = days.at(-1) ?? dayOf(now);
  for (const row of await readBillingCohorts(tx, merchant_id, last)) {
    for (const { day } of projection(stateOf(row), now, () => 'paid')) {
      const sums = byDay.get(day);
      if (!sums) break;
      sums.charges += row.count;
      sums.amount += row.amount * BigInt(row.count);
    }
  }
  return [...byDay.values()];
}
