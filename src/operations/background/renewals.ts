/** What a worker does differently while many renewals are due at once, which is every night and in tests. */
import type { SubscriptionActivities } from '../../../workflows/subscriptionContract';

/** From then on their statements wait for each other: one statement for several costs a fraction of one for each. */
const MIN_FOR_PAUSE = 8;
const PAUSE_MS = 100;
/**
 * Temporal hands tasks out in the order in which they came, so only a few nudges wait for a worker at once: the rest
 * waits in the outbox, where merchants take turns.
 */
export const MAX_NUDGES = 16;
/** A nudge that another process answers is not heard of here. */
const PATIENCE_MS = 2000;

/** Of this process, and counted by it alone: what other workers do evens out. */
export class RenewalsUnderWay {
  private count = 0;
  private readonly nudges: NodeJS.Timeout[] = [];
  private readonly waiting: (() => void)[] = [];

  readonly pauseMs = (): number => (this.count >= MIN_FOR_PAUSE ? PAUSE_MS : 0);

  async beforeNudge(): Promise<void> {
    while (this.nudges.length >= MAX_NUDGES) await new Promise<void>(resolve => this.waiting.push(resolve));
    this.nudges.push(setTimeout(() => this.afterNudge(), PATIENCE_MS).unref());
  }

  /** Some workflow has begun to do what is due, nudged or not. */
  private afterNudge(): void {
    clearTimeout(this.nudges.shift());
    this.waiting.shift()?.();
  }

  watch(activities: SubscriptionActivities): SubscriptionActivities {
    const watched = Object.entries(activities).map(([name, activity]) => [
      name,
      async (...args: Parameters<typeof activity>) => {
        this.afterNudge();
        this.count += 1;
        return activity(...args).finally(() => {
          this.count -= 1;
        });
      },
    ]);
    return Object.fromEntries(watched);
  }
}
