/**
 * SQL of overdue work, unknown outcomes and failing outbox rows. Each source reads along an index, most overdue first, so that the cost depends on the page and not
 * on the table. `due_at` follows the object's test clock, `since` is real time.
 */
import { Prisma } from '../../../../prisma/generated/client';
import type { Environment } from '../../../../prisma/generated/enums';
import { COVERING_HOLD } from '../../../billing/holds/rows';
import { type Database, REPLAN_EACH_TIME } from '../../../platform/database/connection';
import { LEASED_PROGRESS } from '../../acquirerOperations';
import type { CommandPage } from '../command';

/** Grace period for work that has just become due. */
const MIN_LATE_SECONDS = 60;
/** Limits the cost of the totals, per kind. */
const MAX_SUMMED = 100_000;

export type DueKind = 'subscription' | 'expiry' | 'payout' | 'delivery';

export interface OverdueRow {
  kind: DueKind;
  id: string;
  merchant_id: string;
  environment: Environment;
  is_suspended: boolean;
  /** Reason of the billing hold. */
  held_for: string | null;
  due_at: Date;
  since: Date;
  amount: bigint | null;
  /** Subscription: attempts without a response of the acquirer, null if none was sent. Delivery: attempts. */
  tries: number | null;
  progress: string;
}

const late = Prisma.raw(`interval '${MIN_LATE_SECONDS} seconds'`);
const of = (merchant: string | undefined, column: string): Prisma.Sql =>
  merchant === undefined ? Prisma.empty : Prisma.sql`and ${Prisma.raw(column)} = ${merchant}`;

/** The amount of the open attempt, of the unpaid period, or of the next one by the billing rules. */
const OWED = Prisma.raw(`coalesce(t.amount,
  case when (s.invoice ->> 'period')::integer = s.current_period_number + case when s.status in ('past_due', 'unpaid') then 0 else 1 end
    then (s.invoice ->> 'amount')::bigint end,
  case when s.status in ('past_due', 'unpaid') then p.amount end,
  (select greatest(0, price - discount_on(price, s.discount) - s.credit_balance
      + coalesce((select sum((extra ->> 'amount')::bigint) from jsonb_array_elements(s.extras) as extra), 0))::bigint
    from (select next.amount::numeric * coalesce(s.pending_quantity, s.quantity) as price) as period))`);

/** Test clocks are ahead of real time, so real time finds them too; beyond it only unknown outcomes are listed. */
const subscriptions = (merchant: string | undefined, limit: number): Prisma.Sql => Prisma.sql`
  select 'subscription' as kind, s.id, s.merchant_id, s.due_at,
    now() - (coalesce(s.clock_to, now() + make_interval(secs => greatest(m.clock_offset, c.clock_offset, s.clock_offset))) - s.due_at) as since,
    ${OWED} as amount, (s.open ->> 'tries')::integer as tries, s.status as progress
  from (
    (select id from subscriptions where (status <> 'cancelled' or open is not null) and status <> 'new'
      and due_at < now() - ${late} ${of(merchant, 'merchant_id')} order by due_at limit ${limit})
    union
    (select subscription_id from transactions where progress in (${Prisma.raw(LEASED_PROGRESS)})
      and lease_until is null and subscription_id is not null ${of(merchant, 'merchant_id')} limit ${limit})
  ) as due join subscriptions s on s.id = due.id join merchants m on m.id = s.merchant_id
    join customers c on c.id = s.customer_id join plans p on p.id = s.plan_id
    left join plans next on next.id = coalesce(s.pending_plan_id, s.plan_id) left join transactions t on t.id = s.open ->> 'transaction_id'
  where s.due_at < now() - ${late} or (s.open ->> 'tries')::integer > 0`;

const expiries = (merchant: string | undefined, limit: number): Prisma.Sql => Prisma.sql`
  select 'expiry', t.id, m.id, t.expires_at, t.expires_at - make_interval(secs => m.clock_offset), t.amount, null::integer, t.progress
  from merchants m, lateral (
    select id, expires_at, amount, progress from transactions where merchant_id = m.id
      and progress in ('authorized', 'voiding', 'pending') and expires_at < now() + make_interval(secs => m.clock_offset) - ${late}
    order by expires_at limit ${limit}) t
  where true ${of(merchant, 'm.id')}`;

const payouts = (merchant: string | undefined, limit: number): Prisma.Sql => Prisma.sql`
  select 'payout', t.id, m.id, t.creation_date, t.creation_date - make_interval(secs => t.clock_offset), t.amount, null::integer, t.progress
  from merchants m, lateral (
    select id, creation_date, clock_offset, amount, progress from transactions where merchant_id = m.id and progress = 'sending'
      and creation_date < now() + make_interval(secs => clock_offset) - ${late}
    order by creation_date limit ${limit}) t
  where true ${of(merchant, 'm.id')}`;

/** Retries, and queued first attempts. */
const deliveries = (merchant: string | undefined, limit: number): Prisma.Sql => Prisma.sql`
  select 'delivery', d.id, d.merchant_id, d.next_at, d.next_at, null::bigint, d.attempts, d.status
  from (
    select late.id, late.next_at, late.attempts, w.merchant_id, w.status from deliveries late join webhooks w on w.id = late.webhook_id
    where late.next_at < now() - ${late} ${of(merchant, 'w.merchant_id')}
    order by late.next_at limit ${limit}) d
  union all
  select 'delivery', d.id, w.merchant_id, d.creation_date, d.creation_date, null::bigint, 0, w.status
  from webhooks w, lateral (
    select delivery_id from delivery_queue where webhook_id = w.id and attempts = 0 order by sequence limit ${limit}) q,
    lateral (select id, creation_date from deliveries where id = q.delivery_id) d
  where d.creation_date < now() - ${late} ${of(merchant, 'w.merchant_id')}`;

const allSources = (merchant: string | undefined, limit: number): Prisma.Sql =>
  Prisma.join(
    [subscriptions, expiries, payouts, deliveries].map(source => Prisma.sql`(${source(merchant, limit)})`),
    ' union all ',
  );

/** Reads the longest overdue first. */
export const readOverdue = (
  db: Database,
  merchant: string | undefined,
  { limit, offset }: CommandPage,
): Promise<OverdueRow[]> => db.$queryRaw`
  select ${REPLAN_EACH_TIME} due.*, m.environment::text as environment, m.status = 'suspended' as is_suspended,
    ${COVERING_HOLD} ->> 'reason' as held_for
  from (select * from (${allSources(merchant, limit + offset + 1)}) as found (kind, id, merchant_id, due_at, since, amount, tries, progress)
    order by since, id limit ${limit + 1} offset ${offset}) due join merchants m on m.id = due.merchant_id left join subscriptions s on s.id = due.id and due.kind = 'subscription'
  order by since, due.id`;

export interface MerchantSum {
  merchant_id: string;
  name: string;
  environment: Environment;
  subscriptions: number;
  expiries: number;
  payouts: number;
  deliveries: number;
  /** Excludes deliveries. */
  amount: bigint;
  since: Date;
}

export const readSums = (db: Database, merchant: string | undefined, limit: number): Promise<MerchantSum[]> =>
  db.$queryRaw<MerchantSum[]>`
    select ${REPLAN_EACH_TIME} m.name, m.environment::text as environment, sums.* from (
      select merchant_id, count(*) filter (where kind = 'subscription')::integer as subscriptions,
        count(*) filter (where kind = 'expiry')::integer as expiries, count(*) filter (where kind = 'payout')::integer as payouts,
        count(*) filter (where kind = 'delivery')::integer as deliveries, coalesce(sum(amount), 0)::bigint as amount, min(since) as since
      from (${allSources(merchant, MAX_SUMMED)}) as found (kind, id, merchant_id, due_at, since, amount, tries, progress)
      group by merchant_id order by min(since) limit ${limit}
    ) sums join merchants m on m.id = sums.merchant_id order by sums.since, m.id`;

/** Grace period before an unknown outcome is listed. */
const MIN_AGE_SECONDS = 60;
/** Failing rows are the oldest, so only this many rows are examined. */
const MAX_OUTBOX_ROWS = 10_000;

interface UnknownOutcome {
  id: string;
  merchant_id: string;
  transaction_type: string;
  progress: string;
  amount: bigint;
  since: Date;
  subscription_id: string | null;
  open: { tries?: number; again_at?: number } | null;
  lease_until: Date | null;
}

interface FailingRow {
  id: bigint;
  kind: string;
  object_id: string;
  environment: string;
  tries: number;
  creation_date: Date;
  again_at: Date;
}

/** Payouts are found by merchant, which the index begins with. */
export const readUnknownOutcomes = (db: Database, { limit, offset }: CommandPage): Promise<UnknownOutcome[]> =>
  db.$queryRaw`
    select ${REPLAN_EACH_TIME} t.id, t.merchant_id, t.transaction_type, t.progress, t.amount, t.since, t.subscription_id,
      t.lease_until, s.open
    from (
      (select id, merchant_id, transaction_type, progress, amount, subscription_id, lease_until,
          creation_date - make_interval(secs => clock_offset) as since
        from transactions where progress in (${Prisma.raw(LEASED_PROGRESS)})
          and (lease_until is null or creation_date < now() + make_interval(secs => clock_offset) - make_interval(secs => ${MIN_AGE_SECONDS}))
        order by lease_until limit ${limit + offset})
      union all
      (select p.* from merchants m, lateral (
          select id, merchant_id, transaction_type, progress, amount, subscription_id, lease_until,
            creation_date - make_interval(secs => clock_offset) as since
          from transactions where merchant_id = m.id and progress = 'sending'
            and creation_date < now() + make_interval(secs => clock_offset) - make_interval(secs => ${MIN_AGE_SECONDS})
          order by creation_date limit ${limit + offset}) p)
    ) t left join subscriptions s on s.id = t.subscription_id
    where t.since < now() - make_interval(secs => ${MIN_AGE_SECONDS}) or (s.open ->> 'tries')::integer > 0
    order by t.since, t.id limit ${limit} offset ${offset}`;

export const readFailingOutbox = (db: Database, { limit, offset }: CommandPage): Promise<FailingRow[]> =>
  db.$queryRaw`
    select id, kind, object_id, environment::text as environment, tries, creation_date, again_at
    from (select * from outbox order by id limit ${MAX_OUTBOX_ROWS}) as oldest
    where tries > 0 order by tries desc, id limit ${limit} offset ${offset}`;

export const readDueFirst = (db: Database, { limit, offset }: CommandPage): Promise<DueSubscription[]> =>
  db.$queryRaw`
    select ${REPLAN_EACH_TIME} id, merchant_id, due_at from subscriptions
    where (status <> 'cancelled' or open is not null) and status <> 'new'
    order by due_at limit ${limit} offset ${offset}`;

export interface DueSubscription {
  id: string;
  merchant_id: string;
  due_at: Date;
}
