/** A merchant was suspended or resumed: the workflows of all its subscriptions look at their rows again. */
import type { Database } from '../../database/connection';
import { NEEDS_WORKFLOW } from './repair';

const MAX_BATCH_ROWS = 1000;
/** What each adds to the time over which they are spread: many that are due at once would hold up everybody else's. */
const SECONDS_PER_DUE = 0.2;
const SECONDS_PER_NUDGE = 0.01;
const MAX_SPREAD_SECONDS = 7200;

/** Each at a moment of its own, derived from its id. May be repeated: a second nudge does no harm. */
export async function nudgeSubscriptionsOf(db: Database, merchant_id: string): Promise<void> {
  const seconds = await spreadSeconds(db, merchant_id);
  for (let last = { creation_date: new Date('9999-12-31'), id: '' }; ; ) {
    const nudged = await db.$queryRaw<(typeof last)[]>`
      with nudged as (
        select id, creation_date from subscriptions where merchant_id = ${merchant_id} and ${NEEDS_WORKFLOW}
          and (creation_date, id) < (${last.creation_date}, ${last.id})
        order by creation_date desc, id desc limit ${MAX_BATCH_ROWS}
      ), queued as (
        insert into outbox (kind, object_id, again_at)
        select 'nudge', id, now() + make_interval(secs => ${seconds}::float * (hashtextextended(id, 0) & 1048575)::float / 1048576)
        from nudged
      )
      select id, creation_date from nudged order by creation_date, id limit 1`;
    if (!nudged[0]) return;
    last = nudged[0];
  }
}

async function spreadSeconds(db: Database, merchant_id: string): Promise<number> {
  const [counted] = await db.$queryRaw<{ live: number; due: number }[]>`
    select count(*)::integer as live, count(*) filter (where due_at <= now())::integer as due
    from subscriptions where merchant_id = ${merchant_id} and ${NEEDS_WORKFLOW}`;
  const { live = 0, due = 0 } = counted ?? {};
  return Math.min(MAX_SPREAD_SECONDS, due * SECONDS_PER_DUE + live * SECONDS_PER_NUDGE);
}
