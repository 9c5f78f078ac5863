/**
 * Queries of the statistics. Each scans one index once, and all run in one transaction with one snapshot. The sort order
 * (kept by `offset 0`) selects the intended index, even if the planner assumes empty tables.
 */
import { Prisma } from '../../../prisma/generated/client';
import type { Day } from '../../../workflows/calendar';
import type { BilledColumns } from '../../billing/subscriptions/rows';
import { REPLAN_EACH_TIME } from '../../platform/database/connection';
import { errorCodeOf } from '../../platform/errors';
import type { Money } from '../../platform/money';
import type { PlanStats, RenewalsToday } from './fields';

export interface Span {
  merchant_id: string;
  since: Date;
  until: Date;
}

export type Reader = Pick<Prisma.TransactionClient, '$queryRaw'>;

const MAX_PLANS = 100;

const countOf = (status: string): Prisma.Sql =>
  Prisma.raw(`coalesce(sum(count) filter (where status = '${status}'), 0) as ${status}`);
const STATUSES = ['trial', 'active', 'past_due', 'unpaid', 'cancelled'];
const COUNTS = [...STATUSES, 'paused', 'new_subscriptions', 'lost_subscriptions'];

/** Monthly share of a year's charges; a year has 52 weeks. */
const MRR = Prisma.raw(`round((active + past_due) * amount::numeric
  * case repeat_unit when 'week' then 52 when 'month' then 12 when 'year' then 1 end / (12 * repeat_every))`);

type PlanTerm = 'plan_id' | 'name' | 'amount' | 'repeat_every' | 'repeat_unit';

/** Returns the total and the largest plans; plans without subscriptions are omitted. */
export async function countSubscriptions(
  tx: Reader,
  { merchant_id, since, until }: Span,
  today: Day,
): Promise<{ total: Omit<PlanStats, PlanTerm>; plans: PlanStats[] }> {
  const [total, ...plans] = await tx.$queryRaw<(Omit<PlanStats, 'mrr'> & { mrr: string | null })[]>`
    with standing as (
      select plan_id, ${Prisma.join([...STATUSES, 'paused'].map(countOf))}
      from (
        select status, plan_id, count(*) as count
        from (
          select status, plan_id from subscriptions
          where merchant_id = ${merchant_id} and status in (${Prisma.raw(STATUSES.map(name => `'${name}'`).join())})
            and not is_paused
          order by status, plan_id, charge_date offset 0
        ) as in_order_of_index group by status, plan_id
        union all
        select case when status = 'past_due' or paused_from > ${today} then status else 'paused' end, plan_id, count(*)
        from subscriptions where merchant_id = ${merchant_id} and is_paused group by 1, 2
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

export interface ChargeCount {
  day: string;
  /** Null for paid charges. */
  error_code: number | null;
  charges: number;
  amount: Money;
}

/** A refunded or disputed charge counts as paid. */
export async function countCharges(tx: Reader, { merchant_id, since, until }: Span): Promise<ChargeCount[]> {
  const day = Prisma.raw("(creation_date at time zone interval '-05:00')::date");
  const reason = Prisma.raw(`case when status = 'failed' then coalesce(error_code, ${errorCodeOf('internal')}) end`);
  const rows = await tx.$queryRaw<(Omit<ChargeCount, 'amount'> & { amount: string })[]>`
    select ${REPLAN_EACH_TIME} to_char(${day}, 'YYYY-MM-DD') as day, ${reason} as error_code, count(*)::integer as charges, sum(amount)::text as amount
    from transactions
    where merchant_id = ${merchant_id} and creation_date >= ${since} and creation_date < ${until}
      and transaction_type = 'charge' and progress = 'settled' and status <> 'cancelled'
    group by ${day}, ${reason}`;
  return rows.map(row => ({ ...row, amount: BigInt(row.amount) }));
}

/** A missing acquirer answer is not a decline. */
const NO_ANSWER_CODE = errorCodeOf('unavailable');

export async function countRecovered(
  tx: Reader,
  { merchant_id, since, until }: Span,
): Promise<{ declined: number; recovered: number }> {
  const [counts] = await tx.$queryRaw<{ declined: number; recovered: number }[]>`
    select ${REPLAN_EACH_TIME} count(*)::integer as declined, count(paid.id)::integer as recovered
    from (
      select distinct subscription_id, period from transactions
      where merchant_id = ${merchant_id} and transaction_type = 'charge' and status = 'failed'
        and creation_date >= ${since} and creation_date < ${until}
        and subscription_id is not null and error_code <> ${NO_ANSWER_CODE}
    ) as declined
      left join lateral (
        select id from transactions where subscription_id = declined.subscription_id and period = declined.period
          and status <> 'failed' and progress = 'settled' limit 1
      ) as paid on true`;
  return counts ?? { declined: 0, recovered: 0 };
}

/** Counts each period of a subscription once, as paid if one of its attempts was. Uses an index-only scan. */
export async function countRenewals(tx: Reader, { merchant_id, since, until }: Span): Promise<RenewalsToday> {
  const [counts] = await tx.$queryRaw<RenewalsToday[]>`
    select ${REPLAN_EACH_TIME} count(*) filter (where is_paid and period > 1)::integer as paid,
      count(*) filter (where not is_paid and period > 1)::integer as declined,
      count(*) filter (where is_paid and period = 1)::integer as first_charges
    from (
      select period, bool_or(status <> 'failed') as is_paid from transactions
      where merchant_id = ${merchant_id} and creation_date >= ${since} and creation_date < ${until}
        and transaction_type = 'charge' and progress = 'settled' and status <> 'cancelled'
        and subscription_id is not null and error_code is distinct from ${NO_ANSWER_CODE}
      group by subscription_id, period
    ) as periods`;
  return counts ?? { paid: 0, declined: 0, first_charges: 0 };
}

/** One of several that are charged on the same days. */
type BillingCohort = BilledColumns & { amount: Money; count: number };

const OWN_COLUMNS = Prisma.raw(
  `id card_id first_charge_day anchor_period trial_end_date status cancel_at_period_end current_period_number due_at attempts
   retries_left try_now card_refusal reason is_paused resume_date`
    .split(/\s+/)
    .map(name => `s."${name}"`)
    .join(', '),
);

/**
 * All later charge days of a plan follow from one of them and from the day of the month of the first, so only these two
 * are compared. A period that is being collected also has a day of its own.
 */
export const readBillingCohorts = (tx: Reader, merchant_id: string, last: Day): Promise<BillingCohort[]> =>
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
            where merchant_id = ${merchant_id} and status in ('trial', 'active') and not is_paused and charge_date <= ${last}
            order by status, plan_id, charge_date, first_charge_day, cancel_at_period_end offset 0
          ) as in_order_of_index
          group by status, plan_id, charge_date, first_charge_day, cancel_at_period_end
        ) as of_first_day
        group by status, plan_id, charge_date, right(first_charge_day, 2), cancel_at_period_end
      ) as charged cross join lateral (
        select id from subscriptions where merchant_id = ${merchant_id} and status = charged.status
          and plan_id = charged.plan_id and charge_date = charged.charge_date
          and first_charge_day = charged.first_charge_day and cancel_at_period_end = charged.cancel_at_period_end and not is_paused limit 1
      ) as found
      union all
      select id, 1 from subscriptions
      where merchant_id = ${merchant_id} and is_paused and (status = 'past_due' or resume_date <= ${last})
      union all
      select min(id collate "C") collate "default", count(*)::integer
      from (
        select * from subscriptions where merchant_id = ${merchant_id} and status = 'past_due' and not is_paused
        order by plan_id, charge_date, first_charge_day offset 0
      ) as in_order_of_index
      group by plan_id, charge_date, right(first_charge_day, 2), cancel_at_period_end, try_now,
        coalesce(card_refusal ->> 'until' is null and card_refusal is not null, false),
        (due_at at time zone interval '-05:00')::date
    ) as alike
      cross join lateral (select * from subscriptions where id = alike.id and merchant_id = ${merchant_id} limit 1) as s
      cross join lateral (
        select amount, repeat_every, repeat_unit, retry_times, retry_schedule, status_after_retry from plans
        where id = s.plan_id and merchant_id = ${merchant_id} limit 1
      ) as p`;
