import type { Limit, Taken } from '../../platform/limits/buckets';

/** What a key has left, in requests; a document of GraphQL can count for several. */
export interface Budget {
  limit: number;
  remaining: number;
  /** Seconds until it is whole again. */
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
