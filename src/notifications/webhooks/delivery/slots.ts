import type { PendingDelivery } from './attempt';
import type { Endpoint } from './endpoint';

/** A share of the concurrent attempts of this process. */
class Share {
  private used = 0;
  /** Whether an endpoint was denied a slot, so that the next free slot is offered to all. */
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

  /** Returns whether an endpoint was denied a slot. */
  release(): boolean {
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
 * Limits the concurrent attempts of this process. Retries, dead endpoints and the endpoints of one merchant each get only
 * a part, so that they do not delay new deliveries and healthy endpoints.
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

  /** The endpoint's next delivery, if there is one and a slot for it. */
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
      const isForAll = shares.filter(share => share.release()).length > 0;
      if (ofMerchant.isUnused()) this.ofMerchants.delete(endpoint.merchant_id);
      return isForAll;
    };
    return { delivery, release };
  }

  private shareOf(merchant_id: string): Share {
    return this.ofMerchants.get(merchant_id) ?? new Share(this.limits.ofMerchant);
  }

  /** Called before free slots are offered to all endpoints. */
  beginOffer(): void {
    for (const share of [this.all, this.retries, this.atDeadEndpoints, ...this.ofMerchants.values()])
      share.isShort = false;
  }
}
