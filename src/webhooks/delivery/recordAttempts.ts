/** Records the results of attempts in batches: the log, the deliveries, and the health of their webhooks. */
import { Prisma } from '../../../prisma/generated/client';
import type { Database } from '../../database/connection';

/** The delay between each attempt and the next: three days in all. */
const RETRY_DELAYS_SECONDS = [
  10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 10_800, 14_400, 21_600, 28_800, 43_200, 57_600, 69_080,
];
export const MAX_ATTEMPTS = RETRY_DELAYS_SECONDS.length + 1;

export interface AttemptResult {
  /** Of the delivery; `sequence` is its position in the webhook's queue. */
  id: string;
  webhook_id: string;
  sequence: number;
  previousAttempts: number;
  /** Whether a success verifies the webhook. */
  isVerification: boolean;
  startedAt: number;
  /** The HTTP status; absent where there was no answer. */
  status?: number;
  answer?: string;
  error?: string;
  durationMs: number;
}

export interface RecordedAttempt {
  delivery_status: 'delivered' | 'retrying' | 'failed';
  next_at: Date | null;
}

export const isDelivered = ({ status = 0 }: AttemptResult): boolean => status >= 200 && status < 300;

const toInputRow = (result: AttemptResult) => {
  const { id, previousAttempts, isVerification, startedAt, status, answer, error, durationMs } = result;
  const failureStatus = previousAttempts + 1 >= MAX_ATTEMPTS ? 'failed' : 'retrying';
  return {
    id,
    previous_attempts: previousAttempts,
    is_verified: isVerification && isDelivered(result),
    delivery_status: isDelivered(result) ? 'delivered' : failureStatus,
    retry_delay_seconds: RETRY_DELAYS_SECONDS[previousAttempts] ?? 0,
    date: new Date(startedAt),
    status,
    answer,
    error: error?.slice(0, 250),
    duration: durationMs,
  };
};

/** CTEs for a statement with a CTE `recorded`: webhook_id, delivery_status and is_verified of each attempt. */
const updateWebhookHealthCtes = Prisma.sql`
  webhook_results as (
    select webhook_id as id, bool_or(delivery_status = 'delivered') as has_success, bool_or(is_verified) as is_verified
    from recorded group by webhook_id
  ), verified_webhooks as (
    update webhooks w set status = 'verified', failing_since = null from webhook_results r
    where w.id = r.id and r.is_verified and w.status = 'unverified'
  ), recovered_webhooks as (
    update webhooks w set failing_since = null from webhook_results r
    where w.id = r.id and r.has_success and w.failing_since is not null and w.status <> 'unverified'
  ), failing_webhooks as (
    update webhooks w set failing_since = now() from webhook_results r
    where w.id = r.id and not r.has_success and w.failing_since is null and w.status = 'verified'
  )`;

/**
 * Records failed first attempts and all later attempts. The number of previous attempts works as an optimistic lock: if
 * another process has already recorded the same attempt, this one gets nothing back or violates the key of the log.
 * Nothing is returned for first attempts: the outbox starts the workflow of those that failed.
 */
export const recordAttempts = (db: Database, results: readonly AttemptResult[]): Promise<RecordedAttempt[]> =>
  db.$queryRaw`
  with attempt_input as (
    select * from jsonb_to_recordset(${JSON.stringify(results.map(toInputRow))}::jsonb)
      as input (id varchar, previous_attempts integer, is_verified boolean, delivery_status text,
        retry_delay_seconds integer, date timestamptz, status integer, answer text, error text, duration integer)
  ), recorded as (
    update deliveries d set status = i.delivery_status, attempts = d.attempts + 1,
      next_at = case when i.delivery_status = 'retrying' then now() + make_interval(secs => i.retry_delay_seconds) end
    from attempt_input i where d.id = i.id and d.attempts = i.previous_attempts and (d.status = 'retrying' or exists (
      select from delivery_queue q where q.webhook_id = d.webhook_id and q.sequence = d.sequence))
    returning d.webhook_id, d.sequence, d.attempts as number, d.next_at, i.*
  ), dequeued as (
    delete from delivery_queue q using recorded r where q.webhook_id = r.webhook_id and q.sequence = r.sequence
  ), logged_attempts as (
    insert into delivery_attempts (sequence, number, date, status, answer, error, duration)
    select sequence, number, date, status, answer, error, duration from recorded
  ), new_outbox_rows as (
    insert into outbox (kind, object_id)
    select 'delivery', id from recorded where delivery_status = 'retrying' and number = 1
  ), ${updateWebhookHealthCtes}
  select delivery_status, next_at from recorded where number > 1`;

/**
 * Records first attempts that were delivered: they leave the queue and are logged, and their delivery is not written at
 * all. What another process has already taken out of the queue is left alone.
 */
export const recordDelivered = (db: Database, results: readonly AttemptResult[]): Promise<number> => db.$executeRaw`
  with attempt_input as (
    select *, ${JSON.stringify(results.map(({ answer }) => answer))}::jsonb ->> (ordinal - 1)::integer as answer
    from unnest(
      ${arrayOf(results, 'webhook_id')}::varchar[], ${arrayOf(results, 'sequence')}::bigint[],
      ${arrayOf(results, 'isVerification')}::boolean[], ${arrayOf(results, 'startedAt')}::double precision[],
      ${arrayOf(results, 'status')}::integer[], ${arrayOf(results, 'durationMs')}::integer[]
    ) with ordinality as input (webhook_id, sequence, is_verified, started_at, status, duration, ordinal)
  ), recorded as (
    delete from delivery_queue q using attempt_input i where q.webhook_id = i.webhook_id and q.sequence = i.sequence
    returning i.*, 'delivered' as delivery_status
  ), ${updateWebhookHealthCtes}
  insert into delivery_attempts (sequence, number, date, status, answer, duration)
  select sequence, 1, to_timestamp(started_at / 1000), status, answer, duration from recorded`;

/** An array of values that need no quotes: parsing rows of JSON would cost the database as much as all the rest. */
const arrayOf = (results: readonly AttemptResult[], field: Exclude<keyof AttemptResult, 'answer' | 'error'>): string =>
  `{${results.map(result => result[field]).join()}}`;
