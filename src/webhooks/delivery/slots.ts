import type { PendingDelivery } from './attempt';
import type { Endpoint } from './endpoint';

/** A share of the attempts that this process makes at once. */
class Share {
  private used = 0;
  /** Whether somebody was turned away, so that the next free slot is offered to all. */
  isShort = false;

  constructor(private readonly max: number) {}

  isHalfUsed = (): boolean => this.used >= this.max / 2;

  hasRoom(): boolean {
    if (this.used < this.max) return true;
    this.isShort = true;
    return false;
  }

  take(): void {
    this.used += 1;
  }

  /** Returns whether somebody has been turned away. */
  giveBack(): boolean {
    this.used -= 1;
    return this.isShort;
  }
}

export interface Slot {
  delivery: PendingDelivery;
  /** Ends the attempt; returns whether the slot must be offered to all endpoints. */
  release: (isDelivered: boolean) => boolean;
}

/**
 * How many attempts this process makes at once, at all endpoints together. Later attempts, and endpoints at which
 * nothing has arrived for long, get only a part of them, so that they do not hold up what is new and what works.
 */
export class Slots {
  private readonly all: Share;
  private readonly retries: Share;
  private readonly atDeadEndpoints: Share;

  constructor(limits = { all: 4000, retries: 1000, atDeadEndpoints: 1000 }) {
    this.all = new Share(limits.all);
    this.retries = new Share(limits.retries);
    this.atDeadEndpoints = new Share(limits.atDeadEndpoints);
  }

  /** The endpoint's next delivery, if it has one and there is a slot for it. */
  take(endpoint: Endpoint): Slot | undefined {
    if (this.all.isShort || !this.all.hasRoom()) return;
    if (endpoint.isDead && !this.atDeadEndpoints.hasRoom()) return;
    const mayRetry = endpoint.hasRetries() && this.retries.hasRoom();
    const delivery = endpoint.next(this.all.isHalfUsed(), mayRetry);
    if (!delivery) return;
    const shares = [this.all];
    if (endpoint.isDead) shares.push(this.atDeadEndpoints);
    if (delivery.previousAttempts > 0) shares.push(this.retries);
    for (const share of shares) share.take();
    const release = (isDelivered: boolean): boolean => {
      endpoint.finish(delivery, isDelivered);
      return shares.filter(share => share.giveBack()).length > 0;
    };
    return { delivery, release };
  }

  /** Before the free slots are offered to all. */
  beginOffer(): void {
    for (const share of [this.all, this.retries, this.atDeadEndpoints]) share.isShort = false;
  }
}
