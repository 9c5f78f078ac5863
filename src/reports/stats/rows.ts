/**
 * Queries of the statistics, with those of the folders below. Each scans one index once, and all run in one transaction with one snapshot. The sort order
 * (kept by `offset 0`) selects the intended index, even if the planner assumes empty tables.
 */
import { Prisma } from '../../../prisma/generated/client';
import { REPLAN_EACH_TIME } from '../../platform/database/connection';
import { errorCodeOf } from '../../platform/errors';
import type { Money } from '../../platform/money';
import type { RecoveryWayName, RenewalsToday } from './fields';

export interface Span {
  merchant_id: string;
  since: Date;
  until: Date;
}

export type Reader = Pick<Prisma.TransactionClient, '$queryRaw'>;

/** Whether the charges to come follow from plan, quantity and planned change alone. */
const IS_PRICED_BY_PLAN = 'is_priced_by_plan(status, current_period_number, credit_balance, extras, discount, invoice)';
export const IS_PRICED_APART = Prisma.raw(`not ${IS_PRICED_BY_PLAN}`);
/** The conditions of the indexes `subscriptions_stats`, which has most subscriptions, and `subscriptions_stats_quantities`. */
export const IS_ONE_UNIT = Prisma.raw(
  `not is_paused and quantity = 1 and pending_plan_id is null and ${IS_PRICED_BY_PLAN}`,
);
export const HAS_QUANTITIES = Prisma.raw(
  `not is_paused and (quantity <> 1 or pending_plan_id is not null) and ${IS_PRICED_BY_PLAN}`,
);

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

/** Not just charges of changes `now`, which leave the period unopened when they are declined. */
const isRenewal = (declined: string, since: Date, until: Date): Prisma.Sql => {
  const of = Prisma.raw(declined);
  return Prisma.sql`${of}.charges > (
    select count(*) from subscription_lines l join transactions c on c.id = l.transaction_id
    where l.subscription_id = ${of}.subscription_id and l.event = 'change_declined' and c.period = ${of}.period
      and c.creation_date >= ${since} and c.creation_date < ${until})`;
};

export interface RecoveredCount {
  /** Null for the total, which includes periods that are not paid. */
  way: RecoveryWayName | null;
  periods: number;
  recovered: number;
  amount: Money;
  median_hours: number | null;
  average_hours: number | null;
}

/**
 * The periods with a declined charge in the span, with those paid by now: in total and by what paid them. A card counts as
 * a new one if it is not the card of the first of these declined charges.
 */
export async function countRecovered(tx: Reader, { merchant_id, since, until }: Span): Promise<RecoveredCount[]> {
  const rows = await tx.$queryRaw<(Omit<RecoveredCount, 'amount'> & { amount: string })[]>`
    select ${REPLAN_EACH_TIME} way, count(*)::integer as periods, count(paid_id)::integer as recovered,
      coalesce(sum(amount), 0)::text as amount, round(avg(hours))::integer as average_hours,
      round(percentile_cont(0.5) within group (order by hours))::integer as median_hours
    from (
      select paid.id as paid_id, paid.amount, extract(epoch from paid.operation_date - declined.at) / 3600 as hours,
        case when paid.method <> 'card' then paid.method when paid.source_id = declined.card then 'retry'
          when paid.id is not null then 'new_card' end as way
      from (
        select subscription_id, period, count(*) as charges, min(creation_date) as at,
          (array_agg(source_id order by creation_date, id))[1] as card
        from transactions
        where merchant_id = ${merchant_id} and transaction_type = 'charge' and status = 'failed'
          and creation_date >= ${since} and creation_date < ${until}
          and subscription_id is not null and error_code <> ${NO_ANSWER_CODE}
        group by subscription_id, period
      ) as declined
        left join lateral (
          select id, amount, method, source_id, operation_date from transactions
          where subscription_id = declined.subscription_id and period = declined.period
            and status not in ('failed', 'cancelled') and progress = 'settled' limit 1
        ) as paid on true
      where ${isRenewal('declined', since, until)}
    ) as periods
    group by grouping sets ((), (way))
    having grouping(way) = 1 or way is not null
    order by grouping(way) desc, recovered desc, way`;
  return rows.map(row => ({ ...row, amount: BigInt(row.amount) }));
}

/** Counts each period of a subscription once, as paid if one of its attempts was. Uses an index-only scan. */
export async function countRenewals(tx: Reader, { merchant_id, since, until }: Span): Promise<RenewalsToday> {
  const [counts] = await tx.$queryRaw<RenewalsToday[]>`
    select ${REPLAN_EACH_TIME} count(*) filter (where is_paid and period > 1)::integer as paid,
      count(*) filter (where not is_paid and period > 1 and ${isRenewal('periods', since, until)})::integer as declined,
      count(*) filter (where is_paid and period = 1)::integer as first_charges
    from (
      select subscription_id, period, bool_or(status <> 'failed') as is_paid, count(*) as charges from transactions
      where merchant_id = ${merchant_id} and creation_date >= ${since} and creation_date < ${until}
        and transaction_type = 'charge' and progress = 'settled' and status <> 'cancelled'
        and subscription_id is not null and error_code is distinct from ${NO_ANSWER_CODE}
      group by subscription_id, period
    ) as periods`;
  return counts ?? { paid: 0, declined: 0, first_charges: 0 };
}
