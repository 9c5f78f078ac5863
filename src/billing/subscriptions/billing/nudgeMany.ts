/** Nudges workflows after a suspension, a resumption, a hold or a release, so that they read their rows again. */
import { Prisma } from '../../../../prisma/generated/client';
import type { Database } from '../../../platform/database/connection';
import { environmentOfMerchant } from '../../../platform/database/outbox';
import { type HoldRow, isCoveredBy } from '../../holds/rows';
import { NEEDS_WORKFLOW } from './repair';

const MAX_BATCH_ROWS = 1000;
/** Nudges are spread over time, so that a merchant with many due subscriptions does not delay other merchants. */
const SECONDS_PER_DUE = 0.2;
const SECONDS_PER_NUDGE = 0.01;
const MAX_SPREAD_SECONDS = 7200;

export const nudgeSubscriptionsOf = async (db: Database, merchant_id: string): Promise<void> =>
  nudgeEach(db, Prisma.sql`s.merchant_id = ${merchant_id}`);

/** A hold of the scope `everything` nudges only due and unpaid subscriptions; others read their rows when they wake. */
export async function nudgeHeld(db: Database, hold: HoldRow): Promise<void> {
  const covered = isCoveredBy(hold);
  const seconds = hold.over_seconds ?? undefined;
  if (hold.scope !== 'everything') return nudgeEach(db, covered, seconds);
  // Only the sandbox has test clocks; computing offsets for a million production rows would take a minute.
  const offset =
    hold.environment === 'sandbox'
      ? Prisma.sql`greatest(s.clock_offset, (select clock_offset from merchants where id = s.merchant_id),
          (select clock_offset from customers where id = s.customer_id))`
      : Prisma.sql`0`;
  const due = Prisma.sql`${covered} and (s.status <> 'cancelled' or s.open is not null) and ${NEEDS_WORKFLOW}
    and (s.try_now or s.status = 'unpaid' or s.due_at <= now() + make_interval(secs => ${offset}))`;
  await db.$executeRaw(
    insertNudges(Prisma.sql`subscriptions s where ${due}`, seconds ?? (await spreadSeconds(db, due))),
  );
}

/** Derives the time of each nudge from the subscription ID, so that a repetition keeps it. */
const insertNudges = (subscriptions: Prisma.Sql, seconds: number): Prisma.Sql => Prisma.sql`
  insert into outbox (kind, object_id, environment, again_at)
  select 'nudge', s.id, ${environmentOfMerchant('s.merchant_id')}, now() + make_interval(secs => ${seconds}::float * (hashtextextended(s.id, 0) & 1048575)::float / 1048576)
  from ${subscriptions}`;

/** Can be repeated: a second nudge is harmless. */
async function nudgeEach(db: Database, condition: Prisma.Sql, over?: number): Promise<void> {
  const seconds = over ?? (await spreadSeconds(db, condition));
  for (let last = { creation_date: new Date('9999-12-31'), id: '' }; ; ) {
    const nudged = await db.$queryRaw<(typeof last)[]>`
      with nudged as (
        select id, merchant_id, creation_date from subscriptions s where ${condition} and ${NEEDS_WORKFLOW}
          and (creation_date, id) < (${last.creation_date}, ${last.id})
        order by creation_date desc, id desc limit ${MAX_BATCH_ROWS}
      ), queued as (
        ${insertNudges(Prisma.sql`nudged s`, seconds)}
      )
      select id, creation_date from nudged order by creation_date, id limit 1`;
    if (!nudged[0]) return;
    last = nudged[0];
  }
}

async function spreadSeconds(db: Database, condition: Prisma.Sql): Promise<number> {
  const [counted] = await db.$queryRaw<{ live: number; due: number }[]>`
    select count(*)::integer as live, count(*) filter (where due_at <= now())::integer as due
    from subscriptions s where ${condition} and ${NEEDS_WORKFLOW}`;
  const { live = 0, due = 0 } = counted ?? {};
  return Math.min(MAX_SPREAD_SECONDS, due * SECONDS_PER_DUE + live * SECONDS_PER_NUDGE);
}
