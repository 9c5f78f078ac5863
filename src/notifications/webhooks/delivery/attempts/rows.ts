/** Records the results of attempts in batches: the deliveries, the log, and the health of their webhooks. */
import { Prisma } from '../../../../../prisma/generated/client';
import type { Database } from '../../../../platform/database/connection';
import { environmentOfMerchant, insertOutbox } from '../../../../platform/database/outbox';
import { equalsViaIndex } from '../../../../platform/database/rows';

/** Delays between attempts, three days in total. */
const RETRY_DELAYS_SECONDS = [
  10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 10_800, 14_400, 21_600, 28_800, 43_200, 57_600, 69_080,
];
/** Seconds of the plan that remain after the delay of each attempt. */
const REMAINING_SECONDS = RETRY_DELAYS_SECONDS.map((_, i) =>
  RETRY_DELAYS_SECONDS.slice(i + 1).reduce((sum, delay) => sum + delay, 0),
);
/** Longer delays that an endpoint asks for are reduced to a day. */
const MAX_RETRY_AFTER_SECONDS = 86_400;
const MAX_ERROR_LENGTH = 250;

export interface AttemptResult {
  /** Delivery ID; `sequence` is its position in the webhook's queue. */
  id: string;
  webhook_id: string;
  sequence: number;
  previousAttempts: number;
  /** A successful verification verifies the webhook. */
  isVerification: boolean;
  startedAt: number;
  /** HTTP status; absent without a response. */
  status?: number;
  answer?: string;
  error?: string;
  durationMs: number;
  retryAfterSeconds?: number | undefined;
}

export interface FailedWebhook {
  webhook_id: string;
  url: string;
  /** Whether its endpoint responded 410. */
  is_gone: boolean;
}

const sqlArray = (values: readonly number[]): Prisma.Sql => Prisma.sql`(${`{${values}}`}::integer[])[i.number]`;
const DELAY = sqlArray(RETRY_DELAYS_SECONDS);
const REMAINING = Prisma.sql`(${sqlArray(REMAINING_SECONDS)} - coalesce(d.postponed_seconds, 0))`;
/** The delay that an endpoint asks for uses up the time of later attempts, so that the last one is within three days. */
const POSTPONEMENT = Prisma.sql`
  greatest(0, least(coalesce(i.retry_after, 0), ${MAX_RETRY_AFTER_SECONDS}) - ${DELAY})`;
const EXTRA = Prisma.sql`least(${POSTPONEMENT}, ${REMAINING})`;
const IS_RETRIED = Prisma.sql`(d.status <> 'failed' and i.status = 'retrying' and ${REMAINING} >= 0)`;

export const isDelivered = ({ status = 0 }: AttemptResult): boolean => status >= 200 && status < 300;

/**
 * Returns the webhooks that failed again or are gone. The number of previous attempts is an optimistic lock, so results
 * of another process are kept. A delivery that was failed meanwhile, because its webhook has a new URL, stays failed
 * unless it succeeded. Sent deliveries leave the queue unless a retry was queued meanwhile. The outbox signals the
 * workflow, which schedules retries.
 */
export async function recordAttempts(db: Database, results: readonly AttemptResult[]): Promise<FailedWebhook[]> {
  const texts = results.map(({ answer, error }) => answer ?? error?.slice(0, MAX_ERROR_LENGTH));
  return db.$queryRaw<FailedWebhook[]>`
    with attempt_input as (
      select id, webhook_id, sequence, previous_attempts, previous_attempts + 1 as number, is_verification,
        started_at, http_status, duration, retry_after, ${JSON.stringify(texts)}::jsonb ->> (ordinal - 1)::integer as text,
        case when http_status between 200 and 299 then 'delivered'
          when previous_attempts < ${RETRY_DELAYS_SECONDS.length} then 'retrying' else 'failed' end as status
      from unnest(
        ${arrayOf(results, 'id', 'varchar')}, ${arrayOf(results, 'webhook_id', 'varchar')},
        ${arrayOf(results, 'sequence', 'bigint')}, ${arrayOf(results, 'previousAttempts', 'integer')},
        ${arrayOf(results, 'isVerification', 'boolean')}, ${arrayOf(results, 'startedAt', 'double precision')},
        ${arrayOf(results, 'status', 'integer')}, ${arrayOf(results, 'durationMs', 'integer')},
        ${arrayOf(results, 'retryAfterSeconds', 'integer')}
      ) with ordinality as input
        (id, webhook_id, sequence, previous_attempts, is_verification, started_at, http_status, duration, retry_after, ordinal)
    ), recorded as (
      update deliveries d set attempts = i.number,
        status = case when i.status = 'retrying' and not ${IS_RETRIED} then 'failed' else i.status end,
        next_at = case when ${IS_RETRIED} then now() + make_interval(secs => ${DELAY} + ${EXTRA}) end,
        postponed_seconds = nullif(coalesce(d.postponed_seconds, 0) + case when ${IS_RETRIED} then ${EXTRA} else 0 end, 0)
      from attempt_input i where d.id ${equalsViaIndex('i.id')} and d.attempts = i.previous_attempts
      returning i.*, i.http_status = 410 and d.next_at is not null as is_gone
    ), dequeued as (
      delete from delivery_queue q using attempt_input i
      where q.webhook_id ${equalsViaIndex('i.webhook_id')} and q.sequence ${equalsViaIndex('i.sequence')} and q.attempts = i.previous_attempts
    ), logged_attempts as (
      insert into delivery_attempts (sequence, number, date, status, answer, error, duration)
      select sequence, number, to_timestamp(started_at / 1000), http_status,
        case when http_status is not null then text end, case when http_status is null then text end, duration
      from recorded
    ), new_outbox_rows as (
      ${insertOutbox(
        'delivery',
        Prisma.sql`select id, webhook_id from recorded where status = 'retrying' or number > 1`,
        {
          environment: environmentOfMerchant(
            '(select merchant_id from webhooks where webhooks.id = object.webhook_id)',
          ),
        },
      )}
    ), webhook_results as (
      select webhook_id as id, bool_or(status = 'delivered') as has_success,
        bool_or(status = 'delivered' and is_verification) as is_verified
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
    )
    select webhook_id, url, coalesce(bool_or(is_gone), false) as is_gone
    from recorded join webhooks on webhooks.id = webhook_id
    where (number > 1 and recorded.status <> 'delivered') or is_gone group by webhook_id, url`;
}

/**
 * An array of values that need no quotes, because parsing JSON rows would double the cost. It is a subquery, so that the
 * planner does not know its length: for a long array it would scan whole tables.
 */
const arrayOf = (
  results: readonly AttemptResult[],
  field: Exclude<keyof AttemptResult, 'answer' | 'error'>,
  type: 'varchar' | 'bigint' | 'integer' | 'boolean' | 'double precision',
): Prisma.Sql => {
  const values = results.map(result => result[field] ?? 'null').join();
  return Prisma.sql`(select ${`{${values}}`}::${Prisma.raw(type)}[])`;
};
