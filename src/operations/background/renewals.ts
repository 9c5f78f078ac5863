/** Limits of a worker while many renewals are due at once, as happens every night and in tests. */
import type { SubscriptionActivities } from '../../../workflows/subscriptionContract';

/** From this concurrency on, queries wait to be batched: one batched query is much cheaper than one per renewal. */
const MIN_CONCURRENT_FOR_PAUSE = 8;
const PAUSE_MS = 100;
/**
 * Maximum nudges in flight. Temporal dispatches tasks in order of arrival, while the outbox alternates between merchants,
 * so the rest waits in the outbox.
 */
export const MAX_NUDGES = 16;
/** Frees the slot of a nudge that another process handles. */
const NUDGE_TIMEOUT_MS = 2000;

/** Renewals running in this process. Other workers are not counted. */
export class RenewalLoad {
  private count = 0;
  private readonly nudges: NodeJS.Timeout[] = [];
  private readonly waiting: (() => void)[] = [];

  readonly pauseMs = (): number => (this.count >= MIN_CONCURRENT_FOR_PAUSE ? PAUSE_MS : 0);

  async acquireNudgeSlot(): Promise<void> {
    while (this.nudges.length >= MAX_NUDGES) await new Promise<void>(resolve => this.waiting.push(resolve));
    this.nudges.push(setTimeout(() => this.releaseNudgeSlot(), NUDGE_TIMEOUT_MS).unref());
  }

  /** Called when any workflow starts its due action, nudged or not. */
  private releaseNudgeSlot(): void {
    clearTimeout(this.nudges.shift());
    this.waiting.shift()?.();
  }

  watch(activities: SubscriptionActivities): SubscriptionActivities {
    const watched = Object.entries(activities).map(([name, activity]) => [
      name,
      async (...args: Parameters<typeof activity>) => {
        this.releaseNudgeSlot();
        this.count += 1;
        return activity(...args).finally(() => {
          this.count -= 1;
        });
      },
    ]);
    return Object.fromEntries(watched);
  }
}
