/** What became of attempts, written for many at once: the log, how the delivery goes on, and how its webhook stands. */
import { gathered } from '../gather';

/** How long after each attempt the next one is made, in seconds: three days in all. */
const PAUSES = [10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 10_800, 14_400, 21_600, 28_800, 43_200, 57_600, 69_080];
export const MOST_ATTEMPTS = PAUSES.length + 1;

export interface Attempted {
  /** Of the delivery. */
  id: string;
  /** How many there were before. */
  attempts: number;
  status?: number;
  answer?: string;
  error?: string;
  ms: number;
}

export const isDelivered = ({ status = 0 }: Attempted): boolean => status >= 200 && status < 300;

const asRow = (attempted: Attempted) => {
  const { id, attempts, status, answer, error, ms } = attempted;
  const pause = PAUSES[attempts] ?? 0;
  const after = isDelivered(attempted) ? 'delivered' : attempts + 1 >= MOST_ATTEMPTS ? 'failed' : 'retrying';
  return { id, attempts, status, answer, error: error?.slice(0, 250), ms, after, pause };
};

/** Only by whoever has seen the attempts before; undefined for who comes second. A first failure is told to the outbox. */
export const recordAttempt = gathered(
  (db, attempted: readonly Attempted[]) => db.$queryRaw<{ id: string; after: string; next_at: Date }[]>`
    with input as (
      select * from jsonb_to_recordset(${JSON.stringify(attempted.map(asRow))}::jsonb)
        as i (id text, attempts integer, status integer, answer text, error text, ms integer, after text, pause integer)
    ), done as (
      update deliveries d set status = i.after, attempts = d.attempts + 1, next_at = now() + make_interval(secs => i.pause)
      from input i where d.id = i.id and d.attempts = i.attempts and d.status in ('new', 'retrying')
      returning d.id, d.webhook_id, d.event_id, i.after, d.next_at
    ), logged as (
      insert into delivery_attempts (delivery_id, number, status, answer, error, ms)
      select id, i.attempts + 1, i.status, i.answer, i.error, i.ms from done join input i using (id)
    ), queued as (
      insert into outbox (kind, object_id) select 'delivery', id from done join input i using (id) where done.after = 'retrying' and i.attempts = 0
    ), verified as (
      update webhooks w set status = 'verified', failing_since = null from done join events e on e.id = done.event_id
      where w.id = done.webhook_id and done.after = 'delivered' and e.type = 'verification' and w.status = 'unverified'
    ), mended as (
      update webhooks w set failing_since = null from done
      where w.id = done.webhook_id and done.after = 'delivered' and w.failing_since is not null and w.status <> 'unverified'
    ), failing as (
      update webhooks w set failing_since = now() from done
      where w.id = done.webhook_id and done.after <> 'delivered' and w.failing_since is null and w.status = 'verified'
        and not exists (select from done other where other.webhook_id = w.id and other.after = 'delivered')
    )
    select id, after, next_at from done`,
  ({ id }: Attempted) => id,
  1000,
);
