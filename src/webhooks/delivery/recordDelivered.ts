import type { Database } from '../../database/connection';
import { type AttemptResult, updateWebhookHealth } from './recordAttempts';

/** A column of values without quotes, commas or spaces in them: rows of JSON would cost the database as much as all the rest. */
const column = (
  all: readonly AttemptResult[],
  of: (one: AttemptResult) => string | number | boolean | undefined,
): string => `{${all.map(of).join()}}`;

/**
 * Of first attempts that arrived: they leave the queue and are logged, and nothing else is written for them. Only by whoever takes them out
 * of the queue.
 */
export const recordDelivered = (db: Database, all: readonly AttemptResult[]): Promise<number> => db.$executeRaw`
  with arrived as (
    select *, ${JSON.stringify(all.map(({ answer }) => answer))}::jsonb ->> (place - 1)::integer as answer
    from unnest(
      ${column(all, ({ webhook_id }) => webhook_id)}::varchar[], ${column(all, ({ sequence }) => sequence)}::bigint[],
      ${column(all, ({ verifies }) => verifies)}::boolean[], ${column(all, ({ at }) => at)}::double precision[],
      ${column(all, ({ status }) => status)}::integer[], ${column(all, ({ ms }) => ms)}::integer[]
    ) with ordinality as a (webhook_id, sequence, verifies, at, status, duration, place)
  ), done as (
    delete from delivery_queue q using arrived a where q.webhook_id = a.webhook_id and q.sequence = a.sequence
    returning a.*, 'delivered' as after
  ), ${updateWebhookHealth}
  insert into delivery_attempts (sequence, number, date, status, answer, duration)
  select sequence, 1, to_timestamp(at / 1000), status, answer, duration from done`;
