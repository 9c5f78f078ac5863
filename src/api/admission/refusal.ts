/** What there may be too many of: each refusal is counted by its limit. */

import { ApiError } from '../../platform/errors';
import type { Taken } from '../../platform/limits/buckets';
import { countLimitHit, type LimitName } from '../../platform/metrics/counters';

export function rejectUnlessTaken(name: LimitName, { isAllowed, waitSeconds }: Taken, description: string): void {
  if (!isAllowed) throw refusal(name, description, waitSeconds);
}

function refusal(name: LimitName, description: string, retry_after: number): ApiError {
  countLimitHit(name);
  return new ApiError('too_many', { description, retry_after });
}

/** Returns what takes it away again. */
export function count(
  name: LimitName,
  counts: Map<string, number>,
  owner: string,
  max: number,
  reason: string,
): () => void {
  const current = counts.get(owner) ?? 0;
  if (current >= max) throw refusal(name, reason, 1);
  counts.set(owner, current + 1);
  return () => {
    const rest = (counts.get(owner) ?? 1) - 1;
    if (rest > 0) counts.set(owner, rest);
    else counts.delete(owner);
  };
}
