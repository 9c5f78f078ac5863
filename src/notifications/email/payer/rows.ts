/** Queues reminders. */
import { Prisma } from '../../../../prisma/generated/client';
import type { Environment } from '../../../../prisma/generated/enums';
import type { Database } from '../../../platform/database/connection';
import { CARD_REMINDER_DAYS, TRIAL_REMINDER_DAYS } from './subscriptionKinds';

/** Days before its retry from which the last retry is announced: there are up to three without collection. */
const LAST_RETRY_DAYS = 4;
/** Time for which workers may be down without a reminder being lost. */
const TOLERANCE_HOURS = 6;
const MAX_REMINDERS = 5000;

const days = (count: number): Prisma.Sql => Prisma.sql`make_interval(days => ${count})`;

interface Reminder {
  kind: string;
  condition: Prisma.Sql;
  /** Days to the next charge. */
  ahead: number;
}

const REMINDERS: readonly Reminder[] = [
  { kind: 'trial_ending', condition: Prisma.sql`s.status = 'trial'`, ahead: TRIAL_REMINDER_DAYS },
  {
    kind: 'card_expiring',
    condition: Prisma.sql`s.status in ('trial', 'active') and exists (select from cards k where k.id = s.card_id
      and '20' || k.expiration_year || k.expiration_month < to_char(s.due_at - interval '5 hours', 'YYYYMM'))`,
    ahead: CARD_REMINDER_DAYS,
  },
];
const LAST_RETRY: Reminder = {
  kind: 'last_retry',
  condition: Prisma.sql`s.status = 'past_due' and s.retries_left = 1`,
  ahead: LAST_RETRY_DAYS,
};

/**
 * Subscriptions that are charged in `ahead` days of `clock`, from `since` on. The rules decide when the e-mail is written;
 * here the condition is wide by a day, and an e-mail that was sent is not queued again.
 */
const queue = (
  db: Database,
  { kind, condition, ahead }: Reminder,
  merchants: Prisma.Sql,
  clock: Prisma.Sql,
  since: Prisma.Sql,
): Promise<number> =>
  db.$executeRaw`
    insert into outbox (kind, object_id, environment, turn)
    select ${`${kind}_mail`}, s.id, m.environment, row_number() over ()
    from subscriptions s join merchants m on m.id = s.merchant_id join customers c on c.id = s.customer_id
    where ${merchants} and ${kind} = any (m.payer_emails) and s.status <> 'cancelled' and ${condition}
      and s.due_at > ${since} and s.due_at < ${clock} + ${days(ahead + 1)}
      and not exists (select from sent_emails e where e.kind = ${kind}
        and e.cause = s.id || ' ' || s.current_period_number)
      and not exists (select from outbox o where o.object_id = s.id and o.kind = ${`${kind}_mail`})
    limit ${MAX_REMINDERS}`;

/** The window is as narrow as reminders allow, because many subscriptions are charged in a week. */
export async function queueReminders(db: Database, environments: readonly Environment[]): Promise<number> {
  const merchants = Prisma.sql`m.environment = any (${[...environments]}::"Environment"[])`;
  const now = Prisma.sql`now()`;
  let count = await queue(db, LAST_RETRY, merchants, now, now);
  for (const reminder of REMINDERS) {
    const since = Prisma.sql`now() + ${days(reminder.ahead)} - make_interval(hours => ${TOLERANCE_HOURS})`;
    count += await queue(db, reminder, merchants, now, since);
  }
  return count;
}

/** By the test clocks of a merchant, which may skip days. */
export async function queueRemindersOf(db: Database, merchant_id: string): Promise<void> {
  const clock = Prisma.sql`now() + make_interval(secs => greatest(m.clock_offset, c.clock_offset, s.clock_offset))`;
  for (const reminder of [...REMINDERS, LAST_RETRY])
    await queue(db, reminder, Prisma.sql`m.id = ${merchant_id}`, clock, clock);
}
