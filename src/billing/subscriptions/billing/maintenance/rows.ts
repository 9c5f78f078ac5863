import { Prisma } from '../../../../../prisma/generated/client';
import { merchantIsActive } from '../../../../accounts/merchants/rows';
import type { Database } from '../../../../platform/database/connection';
import { type Environments, merchantsOf } from '../../../../platform/database/environments';
import { environmentOfMerchant, insertOutbox } from '../../../../platform/database/outbox';
import type { Created } from '../../../../schema/connections/order';
import { type HoldRow, whereCoveredBy, whereNotHeld } from '../../../holds/rows';

/** Condition for subscriptions that need a workflow: started, and not ended or with an unsettled attempt. */
export const NEEDS_WORKFLOW = Prisma.raw(
  `(status not in ('new', 'cancelled') or (status = 'cancelled' and open is not null))`,
);

/** `except` lists paused workflows, which would collect a nudge from every sweep. */
const enqueue = (
  db: Database,
  kind: 'nudge' | 'subscription',
  found: Prisma.Sql,
  except: string[] = [],
): Promise<number> =>
  db.$executeRaw(
    insertOutbox(
      kind,
      Prisma.sql`select id, merchant_id from (${found}) as found
        where id <> all(${except}::varchar[]) and not exists (select from outbox where object_id = found.id)`,
    ),
  );

/** Overdue by real time implies overdue by any test clock, because test clocks are only ever ahead. */
export const nudgeOverdue = (db: Database, environments: Environments, paused: string[]): Promise<number> =>
  enqueue(
    db,
    'nudge',
    Prisma.sql`select id, merchant_id from subscriptions where due_at < now() - interval '10 minutes' and (status <> 'cancelled' or open is not null)
      and status <> 'new' and open is null and ${whereEnvironment(environments)} and ${merchantIsActive('subscriptions')} and ${Prisma.raw(whereNotHeld('subscriptions'))}`,
    paused,
  );

/** Overdue by a test clock. */
export const nudgeOverdueInSandbox = (db: Database, paused: string[]): Promise<number> =>
  enqueue(
    db,
    'nudge',
    Prisma.sql`select s.id, s.merchant_id from subscriptions s join merchants m on m.id = s.merchant_id join customers c on c.id = s.customer_id
      where m.environment = 'sandbox' and m.status = 'active' and s.status not in ('new', 'cancelled') and s.open is null and s.clock_to is null
        and greatest(m.clock_offset, c.clock_offset, s.clock_offset) > 0
        and ${Prisma.raw(whereNotHeld('s'))} and s.due_at < now() + make_interval(secs => greatest(m.clock_offset, c.clock_offset, s.clock_offset)) - interval '10 minutes'`,
    paused,
  );

const whereEnvironment = (environments: Environments): Prisma.Sql =>
  Prisma.sql`merchant_id in (${merchantsOf(environments)})`;

export async function countNeedingWorkflow(db: Database, environments: Environments): Promise<number> {
  const [needed] = await db.$queryRaw<{ count: bigint }[]>`
    select count(*) from subscriptions where ${NEEDS_WORKFLOW} and ${whereEnvironment(environments)}`;
  return Number(needed?.count ?? 0);
}

/** The next page in ID order. */
export const readNeedingWorkflow = (
  db: Database,
  environments: Environments,
  after: string,
  limit: number,
): Promise<{ id: string }[]> => db.$queryRaw`
  select id from subscriptions where id > ${after} and ${NEEDS_WORKFLOW} and ${whereEnvironment(environments)}
  order by id limit ${limit}`;

export const queueWorkflowStarts = (db: Database, ids: string[]): Promise<number> =>
  enqueue(db, 'subscription', Prisma.sql`select id, merchant_id from subscriptions where id = any(${ids}::varchar[])`);

const MAX_BATCH_ROWS = 1000;

/** Only the sandbox has test clocks. Calling the SQL function for a million rows would take a minute. */
export function whereDueUnderHold(hold: HoldRow): Prisma.Sql {
  const offset =
    hold.environment === 'sandbox'
      ? Prisma.sql`greatest(s.clock_offset, (select clock_offset from merchants where id = s.merchant_id),
          (select clock_offset from customers where id = s.customer_id))`
      : Prisma.sql`0`;
  return Prisma.sql`${whereCoveredBy(hold)} and (s.status <> 'cancelled' or s.open is not null) and ${NEEDS_WORKFLOW}
    and (s.try_now or s.status = 'unpaid' or s.due_at <= now() + make_interval(secs => ${offset}))`;
}

export const queueNudges = (db: Database, condition: Prisma.Sql, seconds: number): Promise<number> =>
  db.$executeRaw(insertNudges(Prisma.sql`subscriptions s where ${condition}`, seconds));

/** For subscriptions `s`. The time is derived from the ID, so that a repeat schedules the same time. */
const insertNudges = (subscriptions: Prisma.Sql, seconds: number): Prisma.Sql => Prisma.sql`
  insert into outbox (kind, object_id, environment, again_at)
  select 'nudge', s.id, ${environmentOfMerchant('s.merchant_id')}, now() + make_interval(secs => ${seconds}::float * (hashtextextended(s.id, 0) & 1048575)::float / 1048576)
  from ${subscriptions}`;

/** Nudges the batch after `last`, newest first. Returns the last subscription of the batch. */
export async function nudgeNextBatch(
  db: Database,
  condition: Prisma.Sql,
  last: Created,
  seconds: number,
): Promise<Created | undefined> {
  const [nudged] = await db.$queryRaw<Created[]>`
    with nudged as (
      select id, merchant_id, creation_date from subscriptions s where ${condition} and ${NEEDS_WORKFLOW}
        and (creation_date, id) < (${last.creation_date}, ${last.id})
      order by creation_date desc, id desc limit ${MAX_BATCH_ROWS}
    ), queued as (
      ${insertNudges(Prisma.sql`nudged s`, seconds)}
    )
    select id, creation_date from nudged order by creation_date, id limit 1`;
  return nudged;
}

export async function countLive(db: Database, condition: Prisma.Sql): Promise<{ live: number; due: number }> {
  const [counted] = await db.$queryRaw<{ live: number; due: number }[]>`
    select count(*)::integer as live, count(*) filter (where due_at <= now())::integer as due
    from subscriptions s where ${condition} and ${NEEDS_WORKFLOW}`;
  return counted ?? { live: 0, due: 0 };
}
