/** Counts subscriptions and their monthly recurring revenue. */
import { Prisma } from '../../../../prisma/generated/client';
import type { Day } from '../../../../workflows/calendar';
import { REPLAN_EACH_TIME } from '../../../platform/database/connection';
import type { PlanStats } from '../fields';
import { HAS_QUANTITIES, IS_ONE_UNIT, IS_PRICED_APART, type Reader, type Span } from '../rows';

const MAX_PLANS = 100;

const countOf = (status: string): Prisma.Sql =>
  Prisma.raw(`coalesce(sum(count) filter (where status = '${status}'), 0) as ${status}`);
const STATUSES = ['trial', 'active', 'past_due', 'unpaid', 'cancelled'];
const EARNING = Prisma.raw(`status in ('active', 'past_due')`);
const COUNTS = [...STATUSES, 'paused', 'new_subscriptions', 'lost_subscriptions'];

/** Monthly share of a year's charges; a year has 52 weeks. */
const MRR = Prisma.raw(`round((units * amount::numeric - discount)
  * case repeat_unit when 'week' then 52 when 'month' then 12 when 'year' then 1 end / (12 * repeat_every))`);

type PlanTerm = 'plan_id' | 'name' | 'amount' | 'repeat_every' | 'repeat_unit';

/** The status of a paused subscription from the day on which the pause takes effect. */
const shownStatus = (today: Day) =>
  Prisma.sql`case when is_paused and status <> 'past_due' and paused_from <= ${today} then 'paused' else status end`;

/** Returns the total and the largest plans; plans without subscriptions are omitted. */
export async function countSubscriptions(
  tx: Reader,
  { merchant_id, since, until }: Span,
  today: Day,
): Promise<{ total: Omit<PlanStats, PlanTerm>; plans: PlanStats[] }> {
  const inOrderOfIndex = (columns: Prisma.Sql, condition: Prisma.Sql) => Prisma.sql`
    select ${columns} from subscriptions
    where merchant_id = ${merchant_id} and status in (${Prisma.raw(STATUSES.map(name => `'${name}'`).join())}) and ${condition}
    order by status, plan_id, charge_date offset 0`;
  const [total, ...plans] = await tx.$queryRaw<(Omit<PlanStats, 'mrr'> & { mrr: string | null })[]>`
    with standing as (
      select plan_id, ${Prisma.join([...STATUSES, 'paused'].map(countOf))},
        coalesce(sum(units) filter (where ${EARNING}), 0) as units, coalesce(sum(discount) filter (where ${EARNING}), 0) as discount
      from (
        select status, plan_id, count(*) as count, count(*) as units, 0 as discount
        from (${inOrderOfIndex(Prisma.sql`status, plan_id`, IS_ONE_UNIT)}) as in_order_of_index group by status, plan_id
        union all
        select status, plan_id, count(*), sum(quantity), 0
        from (${inOrderOfIndex(Prisma.sql`status, plan_id, quantity`, HAS_QUANTITIES)}) as in_order_of_index
        group by status, plan_id
        union all
        select ${shownStatus(today)}, plan_id, count(*), sum(quantity), 0
        from subscriptions where merchant_id = ${merchant_id} and is_paused group by 1, 2
        union all
        -- Paused ones are counted above, but not their discounts.
        select status, plan_id, case when is_paused then 0 else count end, case when is_paused then 0 else count * quantity end,
          count * discount_on(price, discount)
        from (
          select ${shownStatus(today)} as status, plan_id, is_paused, quantity, discount, count(*) as count
          from subscriptions
          where merchant_id = ${merchant_id} and status in ('trial', 'active', 'past_due') and ${IS_PRICED_APART}
          group by 1, 2, 3, 4, 5
        ) as priced_apart cross join lateral (
          select amount::numeric * quantity as price from plans where id = priced_apart.plan_id and merchant_id = ${merchant_id} limit 1
        ) as plan
      ) as by_status group by plan_id
    ), created as (
      select plan_id, count(*) as new_subscriptions
      from (
        select plan_id from subscriptions
        where merchant_id = ${merchant_id} and creation_date >= ${since} and creation_date < ${until} and status <> 'new'
        order by creation_date desc, id desc offset 0
      ) as in_order_of_index group by plan_id
    ), ended as (
      select plan_id, count(*) as lost_subscriptions
      from (
        select plan_id from subscriptions where merchant_id = ${merchant_id} and ended_at >= ${since} and ended_at < ${until}
        order by ended_at offset 0
      ) as in_order_of_index group by plan_id
    ), by_plan as (
      select *, ${MRR} as mrr
      from standing left join created using (plan_id) left join ended using (plan_id) cross join lateral (
        select name, amount, repeat_unit, repeat_every from plans where id = standing.plan_id and merchant_id = ${merchant_id} limit 1
      ) as plan
    )
    select ${REPLAN_EACH_TIME} plan_id, name, amount, repeat_every, repeat_unit, sum(mrr)::text as mrr,
      ${Prisma.join(COUNTS.map(name => Prisma.raw(`coalesce(sum(${name}), 0)::integer as ${name}`)))}
    from by_plan group by grouping sets ((), (plan_id, name, amount, repeat_every, repeat_unit))
    order by grouping(plan_id) desc, sum(trial + active + past_due + unpaid) desc, plan_id limit ${MAX_PLANS + 1}`;
  if (!total) throw new Error('the total row is missing');
  const withMoney = <T extends { mrr: string | null }>(row: T) => ({ ...row, mrr: BigInt(row.mrr ?? 0) });
  return { total: withMoney(total), plans: plans.map(withMoney) };
}
