/** Projects upcoming charges by the billing rules, once per cohort of subscriptions with the same charge days. */
import { Prisma } from '../../../prisma/generated/client';
import { type Day, dayOf, type Moment } from '../../../workflows/calendar';
import { projection } from '../../../workflows/projection';
import { type BilledColumns, stateOf } from '../../billing/subscriptions/rows';
import { REPLAN_EACH_TIME } from '../../platform/database/connection';
import type { Money } from '../../platform/money';
import type { UpcomingDay } from './fields';
import type { Reader } from './rows';

/** A representative of the subscriptions with the same charge days, and their number. */
type BillingCohort = BilledColumns & { amount: Money; count: number };

const OWN_COLUMNS = Prisma.raw(
  `id card_id first_charge_day trial_end_date status cancel_at_period_end current_period_number due_at attempts retries_left
   try_now reason`
    .split(/\s+/)
    .map(name => `s."${name}"`)
    .join(', '),
);

/**
 * All later charge days follow from the next one and from the day of the month of the first. Past-due subscriptions are
 * also grouped by their retry day.
 */
const readBillingCohorts = (tx: Reader, merchant_id: string, last: Day): Promise<BillingCohort[]> =>
  tx.$queryRaw<BillingCohort[]>`
    select ${REPLAN_EACH_TIME} ${OWN_COLUMNS}, null as open, p.*, alike.count
    from (
      select found.id, charged.count
      from (
        select status, plan_id, charge_date, min(first_charge_day) as first_charge_day, cancel_at_period_end, sum(count)::integer as count
        from (
          select status, plan_id, charge_date, first_charge_day, cancel_at_period_end, count(*) as count
          from (
            select status, plan_id, charge_date, first_charge_day, cancel_at_period_end from subscriptions
            where merchant_id = ${merchant_id} and status in ('trial', 'active') and charge_date <= ${last}
            order by status, plan_id, charge_date, first_charge_day, cancel_at_period_end offset 0
          ) as in_order_of_index
          group by status, plan_id, charge_date, first_charge_day, cancel_at_period_end
        ) as of_first_day
        group by status, plan_id, charge_date, right(first_charge_day, 2), cancel_at_period_end
      ) as charged cross join lateral (
        select id from subscriptions where merchant_id = ${merchant_id} and status = charged.status
          and plan_id = charged.plan_id and charge_date = charged.charge_date
          and first_charge_day = charged.first_charge_day and cancel_at_period_end = charged.cancel_at_period_end limit 1
      ) as found
      union all
      select min(id collate "C") collate "default", count(*)::integer
      from (
        select * from subscriptions where merchant_id = ${merchant_id} and status = 'past_due'
        order by plan_id, charge_date, first_charge_day offset 0
      ) as in_order_of_index
      group by plan_id, charge_date, right(first_charge_day, 2), cancel_at_period_end, try_now,
        (due_at at time zone interval '-05:00')::date
    ) as alike
      cross join lateral (select * from subscriptions where id = alike.id and merchant_id = ${merchant_id} limit 1) as s
      cross join lateral (
        select amount, repeat_every, repeat_unit, retry_times, status_after_retry from plans
        where id = s.plan_id and merchant_id = ${merchant_id} limit 1
      ) as p`;

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
