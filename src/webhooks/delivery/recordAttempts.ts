/** What became of attempts, written for many at once: the log, how the delivery goes on, and how its webhook stands. */
import { Prisma } from '../../../prisma/generated/client';
import type { Database } from '../../database/connection';

/** How long after each attempt the next one is made, in seconds: three days in all. */
const RETRY_PAUSES_SECONDS = [
  10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 10_800, 14_400, 21_600, 28_800, 43_200, 57_600, 69_080,
];
export const MAX_ATTEMPTS = RETRY_PAUSES_SECONDS.length + 1;

export interface AttemptResult {
  /** Of the delivery, with its webhook and its place there. */
  id: string;
  webhook_id: string;
  sequence: number;
  /** How many there were before. */
  attempts: number;
  /** Whether its arrival verifies the webhook. */
  verifies: boolean;
  /** When it began. */
  at: number;
  status?: number;
  answer?: string;
  error?: string;
  ms: number;
}

export interface RecordedAttempt {
  after: 'delivered' | 'retrying' | 'failed';
  next_at: Date | null;
}

export const isDelivered = ({ status = 0 }: AttemptResult): boolean => status >= 200 && status < 300;

const asRow = (attempted: AttemptResult) => {
  const { id, attempts, verifies, at, status, answer, error, ms: duration } = attempted;
  const after = isDelivered(attempted) ? 'delivered' : attempts + 1 >= MAX_ATTEMPTS ? 'failed' : 'retrying';
  const log = { date: new Date(at), status, answer, error: error?.slice(0, 250), duration };
  return {
    id,
    attempts,
    verifies: verifies && after === 'delivered',
    after,
    pause: RETRY_PAUSES_SECONDS[attempts] ?? 0,
    ...log,
  };
};

/** How their webhooks stand after what was done. */
export const updateWebhookHealth = Prisma.sql`
  hooks as (
    select webhook_id as id, bool_or(after = 'delivered') as arrived, bool_or(verifies) as verifies from done group by webhook_id
  ), verified as (
    update webhooks w set status = 'verified', failing_since = null from hooks h
    where w.id = h.id and h.verifies and w.status = 'unverified'
  ), mended as (
    update webhooks w set failing_since = null from hooks h
    where w.id = h.id and h.arrived and w.failing_since is not null and w.status <> 'unverified'
  ), failing as (
    update webhooks w set failing_since = now() from hooks h
    where w.id = h.id and not h.arrived and w.failing_since is null and w.status = 'verified'
  )`;

/**
 * Of attempts that failed, and of those after the first. Only by whoever has seen the attempts before: who comes second gets nothing back, or
 * finds its number taken in the log; nor is anything said of first attempts, a failure of which is told to the outbox.
 */
export const recordAttempts = (
  db: Database,
  attempted: readonly AttemptResult[],
): Promise<RecordedAttempt[]> => db.$queryRaw`
  with input as (
    select * from jsonb_to_recordset(${JSON.stringify(attempted.map(asRow))}::jsonb)
      as i (id varchar, attempts integer, verifies boolean, after text, pause integer,
        date timestamptz, status integer, answer text, error text, duration integer)
  ), done as (
    update deliveries d set status = i.after, attempts = d.attempts + 1,
      next_at = case when i.after = 'retrying' then now() + make_interval(secs => i.pause) end
    from input i where d.id = i.id and d.attempts = i.attempts and (d.status = 'retrying' or exists (
      select from delivery_queue q where q.webhook_id = d.webhook_id and q.sequence = d.sequence))
    returning d.webhook_id, d.sequence, d.attempts as number, d.next_at, i.*
  ), unqueued as (
    delete from delivery_queue q using done where q.webhook_id = done.webhook_id and q.sequence = done.sequence
  ), logged as (
    insert into delivery_attempts (sequence, number, date, status, answer, error, duration)
    select sequence, number, date, status, answer, error, duration from done
  ), told as (
    insert into outbox (kind, object_id) select 'delivery', id from done where after = 'retrying' and number = 1
  ), ${updateWebhookHealth}
  select after, next_at from done where number > 1`;
