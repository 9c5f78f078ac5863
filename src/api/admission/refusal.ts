/** Rejections by limits; each one is counted in the metrics. */
import { ApiError } from '../../platform/errors';
import type { Taken } from '../../platform/limits/buckets';
import { countLimitHit, type LimitName } from '../../platform/metrics/counters';

export type LimitProblem = `too_many_${'wrong_keys' | 'key_requests' | 'reads' | 'writes' | 'cards'}`;

export function rejectUnlessAllowed(name: LimitName, { isAllowed, waitSeconds }: Taken, problem: LimitProblem): void {
  if (isAllowed) return;
  countLimitHit(name);
  throw new ApiError('too_many', problem, { retry_after: waitSeconds });
}

/** Returns a function that decrements the count. */
export function count(
  name: LimitName,
  counts: Map<string, number>,
  owner: string,
  max: number,
  problem: 'too_many_in_flight' | 'too_many_streams' | 'too_many_bodies',
): () => void {
  const current = counts.get(owner) ?? 0;
  if (current >= max) {
    countLimitHit(name);
    throw new ApiError('too_many', problem, { max, retry_after: 1 });
  }
  counts.set(owner, current + 1);
  return () => {
    const rest = (counts.get(owner) ?? 1) - 1;
    if (rest > 0) counts.set(owner, rest);
    else counts.delete(owner);
  };
}
