import { CircuitBreaker } from '../../platform/circuitBreaker';

/** Attempts at one endpoint at the same time, at all, and at all that have failed for long: what waits for the dead is not there for the living. */
const MAX_PER_ENDPOINT = 5;
const MAX_IN_FLIGHT = 50;
const MAX_AT_DEAD = 15;
/** Those that are turned away come back one after the other, and none much later than its endpoint. */
const SPACING_MS = 100;
const MIN_WAIT_MS = 1000;
const MAX_WAIT_MS = 5 * 60_000;
const REMEMBERED_MS = 60_000;

interface LimitedEndpoint {
  breaker: CircuitBreaker;
  inFlight: number;
  /** When the last that was turned away comes back. */
  last: number;
  usedAt: number;
}

export type RetrySlot = { release: (delivered: boolean, now?: number) => void } | { waitMs: number };

/** Whose turn it is among the attempts after the first, which their workflows make when their time has come. */
export class RetryLimiter {
  private readonly endpoints = new Map<string, LimitedEndpoint>();
  private inFlight = 0;
  private atDead = 0;

  acquire(webhook_id: string, isDead: boolean, now = Date.now()): RetrySlot {
    const endpoint = this.endpointOf(webhook_id, now);
    const isFull = this.inFlight >= MAX_IN_FLIGHT || (isDead && this.atDead >= MAX_AT_DEAD);
    if (isFull || endpoint.inFlight >= MAX_PER_ENDPOINT || !endpoint.breaker.allowsRequest(now)) {
      endpoint.last = Math.min(Math.max(endpoint.last + SPACING_MS, now + MIN_WAIT_MS), now + MAX_WAIT_MS);
      return { waitMs: endpoint.last - now };
    }
    endpoint.inFlight += 1;
    this.inFlight += 1;
    this.atDead += isDead ? 1 : 0;
    const over = (delivered: boolean, then = Date.now()): void => {
      endpoint.inFlight -= 1;
      this.inFlight -= 1;
      this.atDead -= isDead ? 1 : 0;
      if (delivered) endpoint.breaker.recordSuccess();
      else endpoint.breaker.recordFailure(then);
    };
    return { release: over };
  }

  private endpointOf(webhook_id: string, now: number): LimitedEndpoint {
    for (const [id, { inFlight, last, usedAt }] of this.endpoints)
      if (inFlight === 0 && Math.max(last, usedAt) < now - REMEMBERED_MS) this.endpoints.delete(id);
      else break;
    const endpoint = this.endpoints.get(webhook_id) ?? {
      breaker: new CircuitBreaker(),
      inFlight: 0,
      last: 0,
      usedAt: now,
    };
    endpoint.usedAt = now;
    // The one that was used last is the last.
    this.endpoints.delete(webhook_id);
    this.endpoints.set(webhook_id, endpoint);
    return endpoint;
  }
}
