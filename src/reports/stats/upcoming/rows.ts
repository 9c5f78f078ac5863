/** Subscriptions that are charged on the same days, for the projection of their charges. */
import { Prisma } from '../../../../prisma/generated/client';
import type { Day } from '../../../../workflows/calendar';
import { type BilledColumns, PENDING_CHANGE } from '../../../billing/subscriptions/rows';
import { readAmounts } from '../../../billing/subscriptions/storedAmounts';
import { REPLAN_EACH_TIME } from '../../../platform/database/connection';
import type { Money } from '../../../platform/money';
import { HAS_QUANTITIES, IS_ONE_UNIT, IS_PRICED_APART, type Reader } from '../rows';

export interface BillingCohort extends BilledColumns {
  amount: Money;
  count: number;
  /**
   * Sum of their quantities in the periods to come, where nothing else is in their prices; null if each of them costs
   * the same.
   */
  units: bigint | null;
}

const OWN_COLUMNS = Prisma.raw(
  `id card_id first_charge_day anchor_period trial_end_date status cancel_at_period_end current_period_number due_at attempts
   retries_left try_now card_refusal reason is_paused resume_date quantity credit_balance discount extras invoice`
    .split(/\s+/)
    .map(name => `s."${name}"`)
    .join(', '),
);

/** The columns that decide the charges of a subscription in `subscriptions_priced_apart`, or past due. */
const OWN_PRICE =
  Prisma.raw(`status, plan_id, charge_date, right(first_charge_day, 2), cancel_at_period_end, pending_plan_id,
  quantity, pending_quantity, discount, credit_balance, extras,
  case when status = 'past_due' or (invoice ->> 'period')::integer > current_period_number then invoice end, try_now,
  coalesce(card_refusal ->> 'until' is null and card_refusal is not null, false),
  (due_at at time zone interval '-05:00')::date`);

/**
 * All later charge days of a plan follow from one of them and from the day of the month of the first, so only these two
 * are compared. A period that is being collected also has a day of its own.
 */
export async function readBillingCohorts(tx: Reader, merchant_id: string, last: Day): Promise<BillingCohort[]> {
  const charged = (columns: Prisma.Sql, condition: Prisma.Sql) => Prisma.sql`
    select ${columns} from subscriptions
    where merchant_id = ${merchant_id} and status in ('trial', 'active') and charge_date <= ${last} and ${condition}
    order by status, plan_id, charge_date, first_charge_day, cancel_at_period_end offset 0`;
  const found = (condition: Prisma.Sql) => Prisma.sql`(
    select id from subscriptions where merchant_id = ${merchant_id} and status = charged.status
      and plan_id = charged.plan_id and charge_date = charged.charge_date and first_charge_day = charged.first_charge_day
      and cancel_at_period_end = charged.cancel_at_period_end and ${condition} limit 1)`;
  const pastDue = (condition: Prisma.Sql) => Prisma.sql`(
    select * from subscriptions where merchant_id = ${merchant_id} and status = 'past_due' and ${condition}
    order by plan_id, charge_date, first_charge_day offset 0)`;
  const rows = await tx.$queryRaw<BillingCohort[]>`
    select ${REPLAN_EACH_TIME} ${OWN_COLUMNS}, ${PENDING_CHANGE}, null as open, p.*, alike.count, alike.units
    from (
      select found.id, charged.count, charged.units
      from (
        select status, plan_id, charge_date, min(first_charge_day) as first_charge_day, cancel_at_period_end, pending_plan_id,
          sum(count)::integer as count, sum(units)::bigint as units
        from (
          select status, plan_id, charge_date, first_charge_day, cancel_at_period_end, null as pending_plan_id, count(*) as count,
            count(*) as units
          from (${charged(Prisma.sql`status, plan_id, charge_date, first_charge_day, cancel_at_period_end`, IS_ONE_UNIT)})
            as in_order_of_index
          group by status, plan_id, charge_date, first_charge_day, cancel_at_period_end
          union all
          select status, plan_id, charge_date, first_charge_day, cancel_at_period_end, pending_plan_id, count(*),
            sum(coalesce(pending_quantity, quantity))
          from (${charged(
            Prisma.sql`status, plan_id, charge_date, first_charge_day, cancel_at_period_end, pending_plan_id, quantity, pending_quantity`,
            HAS_QUANTITIES,
          )}) as in_order_of_index
          group by status, plan_id, charge_date, first_charge_day, cancel_at_period_end, pending_plan_id
        ) as of_first_day
        group by status, plan_id, charge_date, right(first_charge_day, 2), cancel_at_period_end, pending_plan_id
      ) as charged cross join lateral (
        (
          ${found(Prisma.sql`${IS_ONE_UNIT} and charged.pending_plan_id is null`)}
          union all
          ${found(Prisma.sql`${HAS_QUANTITIES} and pending_plan_id is null and charged.pending_plan_id is null`)}
          limit 1
        )
        union all
        ${found(Prisma.sql`${HAS_QUANTITIES} and pending_plan_id = charged.pending_plan_id`)}
      ) as found
      union all
      select id, 1, null from subscriptions
      where merchant_id = ${merchant_id} and is_paused and (status = 'past_due' or resume_date <= ${last})
      union all
      select min(id collate "C") collate "default", count(*)::integer, null
      from (${pastDue(IS_ONE_UNIT)} union all ${pastDue(HAS_QUANTITIES)}) as in_order_of_index
      group by ${OWN_PRICE}
      union all
      select min(id collate "C") collate "default", count(*)::integer, null
      from (
        select * from subscriptions
        where merchant_id = ${merchant_id} and status in ('trial', 'active', 'past_due') and ${IS_PRICED_APART}
        order by status, plan_id, charge_date offset 0
      ) as in_order_of_index
      where not is_paused and (status = 'past_due' or charge_date <= ${last})
      group by ${OWN_PRICE}
    ) as alike
      cross join lateral (select * from subscriptions where id = alike.id and merchant_id = ${merchant_id} limit 1) as s
      cross join lateral (
        select id as plan_id, name as plan_name, iva as plan_iva, amount, repeat_every, repeat_unit, retry_times, retry_schedule,
          status_after_retry
        from plans where id = s.plan_id and merchant_id = ${merchant_id} limit 1
      ) as p`;
  return rows.map(row => ({ ...row, ...readAmounts(row) }));
}
