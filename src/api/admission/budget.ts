import type { Limit, Taken } from '../../platform/limits/buckets';

/** The remaining requests of a key; a GraphQL document may count as several. */
export interface Budget {
  limit: number;
  remaining: number;
  /** Seconds until the budget is full again. */
  reset: number;
}

export const budgetOf = ({ remaining }: Taken, { perSecond, burst }: Limit): Budget => ({
  limit: burst,
  remaining: Math.min(remaining, burst),
  reset: Math.ceil(Math.max(0, burst - remaining) / perSecond),
});

export const budgetHeaders = ({ limit, remaining, reset }: Budget): Record<string, string> => ({
  'ratelimit-limit': String(limit),
  'ratelimit-remaining': String(remaining),
  'ratelimit-reset': String(reset),
});
