/** Queues reminders. */
import { Prisma } from '../../../../prisma/generated/client';
import type { Environment } from '../../../../prisma/generated/enums';
import type { Database } from '../../../platform/database/connection';
import { CARD_REMINDER_DAYS, TRIAL_REMINDER_DAYS } from './subscriptionKinds';

/** Days before its retry from which the last retry is announced: there are up to three without collection. */
const LAST_RETRY_DAYS = 4;
const REMINDERS = Prisma.sql`array['trial_ending', 'card_expiring', 'last_retry']::varchar[]`;
const MAX_REMINDERS = 5000;

const days = (count: number): Prisma.Sql => Prisma.sql`make_interval(days => ${count})`;

/**
 * Rows whose next charge is `clock` to a few days later. What is sent is decided by the rules, when the e-mail is written;
 * here the condition is wide by a day, and a sent e-mail is not queued again.
 */
const queue = (db: Database, merchants: Prisma.Sql, clock: Prisma.Sql, range: Prisma.Sql): Promise<number> =>
  db.$executeRaw`
    insert into outbox (kind, object_id, environment, turn)
    select reminder.kind || '_mail', s.id, m.environment, row_number() over ()
    from subscriptions s join merchants m on m.id = s.merchant_id join customers c on c.id = s.customer_id
      join cards k on k.id = s.card_id, lateral (values
        ('trial_ending', s.status = 'trial' and s.due_at < ${clock} + ${days(TRIAL_REMINDER_DAYS + 1)}),
        ('card_expiring', s.status in ('trial', 'active')
          and '20' || k.expiration_year || k.expiration_month < to_char(s.due_at - interval '5 hours', 'YYYYMM')),
        ('last_retry', s.status = 'past_due' and s.retries_left = 1
          and s.due_at < ${clock} + ${days(LAST_RETRY_DAYS)})
      ) as reminder (kind, is_due)
    where ${merchants} and m.payer_emails && ${REMINDERS} and reminder.kind = any (m.payer_emails) and reminder.is_due
      and s.status <> 'cancelled' and ${range}
      and not exists (select from sent_emails e where e.kind = reminder.kind
        and e.cause = s.id || ' ' || s.current_period_number)
      and not exists (select from outbox o where o.object_id = s.id and o.kind = reminder.kind || '_mail')
    limit ${MAX_REMINDERS}`;

/** By the index of due times. */
export const queueReminders = (db: Database, environments: readonly Environment[]): Promise<number> =>
  queue(
    db,
    Prisma.sql`m.environment = any (${[...environments]}::"Environment"[])`,
    Prisma.sql`now()`,
    Prisma.sql`s.due_at > now() and s.due_at < now() + ${days(CARD_REMINDER_DAYS + 1)}`,
  );

/** By the test clocks of a merchant. */
export const queueRemindersOf = (db: Database, merchant_id: string): Promise<number> => {
  const clock = Prisma.sql`now() + make_interval(secs => greatest(m.clock_offset, c.clock_offset, s.clock_offset))`;
  const range = Prisma.sql`s.due_at > ${clock} and s.due_at < ${clock} + ${days(CARD_REMINDER_DAYS + 1)}`;
  return queue(db, Prisma.sql`m.id = ${merchant_id}`, clock, range);
};
