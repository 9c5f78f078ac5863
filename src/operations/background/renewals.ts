/** Limits of a worker while many renewals are due at once, as happens every night and in tests. */
import type { SubscriptionActivities } from '../../../workflows/subscriptionContract';

/** From this concurrency on, queries wait to be batched: one batched query is much cheaper than one per renewal. */
const MIN_CONCURRENT_FOR_PAUSE = 8;
const PAUSE_MS = 100;
/** Renewals running in this process. Other workers are not counted. */
export class RenewalLoad {
  private count = 0;

  readonly pauseMs = (): number => (this.count >= MIN_CONCURRENT_FOR_PAUSE ? PAUSE_MS : 0);

  watch(activities: SubscriptionActivities): SubscriptionActivities {
    const watched = Object.entries(activities).map(([name, activity]) => [
      name,
      async (...args: Parameters<typeof activity>) => {
        this.count += 1;
        return activity(...args).finally(() => {
          this.count -= 1;
        });
      },
    ]);
    return Object.fromEntries(watched);
  }
}
