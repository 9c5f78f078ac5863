/**
 * Charges to come, by the rules that bill. Subscriptions that are charged on the same days are projected once: only when
 * in the day it happens depends on the subscription itself.
 */
import { type Day, dayOf, type Moment } from '../../../../workflows/calendar';
import { stateOf } from '../../../billing/subscriptions/rows';
import { projection } from '../../../billing/subscriptions/rules/projection';
import type { BillingState } from '../../../billing/subscriptions/rules/state';
import type { UpcomingDay } from '../fields';
import type { Reader } from '../rows';
import { readBillingCohorts } from './rows';

/** One unit of a cohort: only the quantity and planned change determine its amounts. */
const oneUnit = (state: BillingState): BillingState => ({
  ...state,
  quantity: 1,
  pending_change: state.pending_change && { ...state.pending_change, quantity: 1 },
  discount: null,
  invoice: null,
});

/** An attempt in progress counts as a charge of today. A period that costs nothing is not charged. */
export async function projectUpcomingCharges(
  tx: Reader,
  merchant_id: string,
  now: Moment,
  days: readonly Day[],
): Promise<UpcomingDay[]> {
  const byDay = new Map(days.map(day => [day, { day, charges: 0, amount: 0n }]));
  const last = days.at(-1) ?? dayOf(now);
  for (const row of await readBillingCohorts(tx, merchant_id, last)) {
    const state = row.units === null ? stateOf(row) : oneUnit(stateOf(row));
    const times = row.units ?? BigInt(row.count);
    for (const { day, amount } of projection(state, now, () => 'paid')) {
      const sums = byDay.get(day);
      if (!sums) break;
      if (amount > 0n) sums.charges += row.count;
      sums.amount += amount * times;
    }
  }
  return [...byDay.values()];
}
