/** The days on which a declined charge is retried. */
import type { RetrySchedule } from '../../../workflows/calendar';
import { ApiError } from '../../platform/errors';
import { scalar } from '../../schema/scalars';

const NAMED = ['daily', 'paydays'] as const;
const MAX_RETRY_DAYS = 20;
const MAX_RETRY_DAY = 60;

const SCHEMA = {
  oneOf: [
    { type: 'string', enum: NAMED },
    {
      type: 'array',
      minItems: 1,
      maxItems: MAX_RETRY_DAYS,
      uniqueItems: true,
      items: { type: 'integer', minimum: 1, maximum: MAX_RETRY_DAY },
    },
  ],
};

function parseRetrySchedule(value: unknown): RetrySchedule {
  if (typeof value === 'string') {
    const named = NAMED.find(name => name === value.trim().toLowerCase());
    if (named) return named;
    throw new ApiError('invalid_value', 'not_retry_schedule', { max: MAX_RETRY_DAYS });
  }
  if (!Array.isArray(value) || !value.every(day => typeof day === 'number' && Number.isInteger(day)))
    throw new ApiError('malformed', 'not_retry_schedule', { max: MAX_RETRY_DAYS });
  const isIncreasing = value.every((day, i) => day > (value[i - 1] ?? 0) && day <= MAX_RETRY_DAY);
  if (value.length === 0 || value.length > MAX_RETRY_DAYS || !isIncreasing)
    throw new ApiError('invalid_value', 'wrong_retry_days', { max: MAX_RETRY_DAYS, last: MAX_RETRY_DAY });
  return value;
}

export const RetryScheduleScalar = scalar<RetrySchedule>({
  name: 'RetrySchedule',
  description:
    '`daily`; `paydays`: after insufficient funds, the next paydays in Colombia and the working day after each; or a list of days after the charge day, such as [1, 3, 7]',
  parse: parseRetrySchedule,
  serialize: schedule => schedule,
  accepts: SCHEMA,
});

const DEFAULT_RETRY_TIMES = 3;

/** A list has as many days as there are retries. */
export function retryTimesOf(schedule: RetrySchedule, retry_times: number | undefined): number {
  if (typeof schedule === 'string') return retry_times ?? DEFAULT_RETRY_TIMES;
  if (retry_times !== undefined && retry_times !== schedule.length)
    throw new ApiError('invalid_value', 'retry_days_count', { field: 'retry_schedule', count: retry_times });
  return schedule.length;
}
