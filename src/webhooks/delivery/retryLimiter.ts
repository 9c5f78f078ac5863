import { Breaker } from '../../platform/circuitBreaker';

/** Attempts at one endpoint at the same time, at all, and at all that have failed for long: what waits for the dead is not there for the living. */
const AT_ONCE = 5;
const MOST_AT_ONCE = 50;
const MOST_AT_DEAD = 15;
/** Those that are turned away come back one after the other, and none much later than its endpoint. */
const APART_MS = 100;
const SOONEST_MS = 1000;
const LATEST_MS = 5 * 60_000;
const REMEMBERED_MS = 60_000;

interface Endpoint {
  breaker: Breaker;
  inFlight: number;
  /** When the last that was turned away comes back. */
  last: number;
  usedAt: number;
}

export type Turn = { over: (delivered: boolean, now?: number) => void } | { waitMs: number };

/** Whose turn it is among the attempts after the first, which their workflows make when their time has come. */
export class Turns {
  private readonly endpoints = new Map<string, Endpoint>();
  private inFlight = 0;
  private atDead = 0;

  take(webhook_id: string, isDead: boolean, now = Date.now()): Turn {
    const endpoint = this.endpointOf(webhook_id, now);
    const isFull = this.inFlight >= MOST_AT_ONCE || (isDead && this.atDead >= MOST_AT_DEAD);
    if (isFull || endpoint.inFlight >= AT_ONCE || !endpoint.breaker.admits(now)) {
      endpoint.last = Math.min(Math.max(endpoint.last + APART_MS, now + SOONEST_MS), now + LATEST_MS);
      return { waitMs: endpoint.last - now };
    }
    endpoint.inFlight += 1;
    this.inFlight += 1;
    this.atDead += isDead ? 1 : 0;
    const over = (delivered: boolean, then = Date.now()): void => {
      endpoint.inFlight -= 1;
      this.inFlight -= 1;
      this.atDead -= isDead ? 1 : 0;
      if (delivered) endpoint.breaker.answered();
      else endpoint.breaker.failed(then);
    };
    return { over };
  }

  private endpointOf(webhook_id: string, now: number): Endpoint {
    for (const [id, { inFlight, last, usedAt }] of this.endpoints)
      if (inFlight === 0 && Math.max(last, usedAt) < now - REMEMBERED_MS) this.endpoints.delete(id);
      else break;
    const endpoint = this.endpoints.get(webhook_id) ?? { breaker: new Breaker(), inFlight: 0, last: 0, usedAt: now };
    endpoint.usedAt = now;
    // The one that was used last is the last.
    this.endpoints.delete(webhook_id);
    this.endpoints.set(webhook_id, endpoint);
    return endpoint;
  }
}
