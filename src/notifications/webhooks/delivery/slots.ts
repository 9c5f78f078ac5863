import type { PendingDelivery } from './attempt';
import type { Endpoint } from './endpoint';

/** A share of the attempts that this process makes at once. */
class Share {
  private used = 0;
  /** Whether somebody was turned away, so that the next free slot is offered to all. */
  isShort = false;

  constructor(private readonly max: number) {}

  isUnused = (): boolean => this.used === 0;

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
 * nothing has arrived for long, get only a part of them, so that they do not hold up what is new and what works; and so
 * do all endpoints of one merchant.
 */
export class Slots {
  private readonly all: Share;
  private readonly retries: Share;
  private readonly atDeadEndpoints: Share;
  private readonly ofMerchants = new Map<string, Share>();

  constructor(private readonly limits = { all: 4000, ofMerchant: 1000, retries: 1000, atDeadEndpoints: 1000 }) {
    this.all = new Share(limits.all);
    this.retries = new Share(limits.retries);
    this.atDeadEndpoints = new Share(limits.atDeadEndpoints);
  }

  /** The endpoint's next delivery, if it has one and there is a slot for it. */
  take(endpoint: Endpoint): Slot | undefined {
    if (this.all.isShort || !this.all.hasRoom()) return;
    const ofMerchant = this.shareOf(endpoint.merchant_id);
    if (!ofMerchant.hasRoom()) return;
    if (endpoint.isDead && !this.atDeadEndpoints.hasRoom()) return;
    const mayRetry = endpoint.hasRetries() && this.retries.hasRoom();
    const delivery = endpoint.next(this.all.isHalfUsed(), mayRetry);
    if (!delivery) return;
    const shares = [this.all, ofMerchant];
    if (endpoint.isDead) shares.push(this.atDeadEndpoints);
    if (delivery.previousAttempts > 0) shares.push(this.retries);
    for (const share of shares) share.take();
    this.ofMerchants.set(endpoint.merchant_id, ofMerchant);
    const release = (isDelivered: boolean): boolean => {
      endpoint.finish(delivery, isDelivered);
      const isForAll = shares.filter(share => share.giveBack()).length > 0;
      if (ofMerchant.isUnused()) this.ofMerchants.delete(endpoint.merchant_id);
      return isForAll;
    };
    return { delivery, release };
  }

  private shareOf(merchant_id: string): Share {
    return this.ofMerchants.get(merchant_id) ?? new Share(this.limits.ofMerchant);
  }

  /** Before the free slots are offered to all. */
  beginOffer(): void {
    for (const share of [this.all, this.retries, this.atDeadEndpoints, ...this.ofMerchants.values()])
      share.isShort = false;
  }
}
