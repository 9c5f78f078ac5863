import { CircuitBreaker } from '../../platform/circuitBreaker';

const MAX_RETRIES_PER_ENDPOINT = 5;
const MAX_RETRIES_IN_FLIGHT = 50;
/** Endpoints that have failed for long get only a part of all slots, so that they do not hold up the working ones. */
const MAX_AT_DEAD_ENDPOINTS = 15;
/** Rejected attempts come back one after the other, and none much later than its endpoint recovers. */
const SPACING_MS = 100;
const MIN_WAIT_MS = 1000;
const MAX_WAIT_MS = 5 * 60_000;
const IDLE_EXPIRY_MS = 60_000;

interface LimitedEndpoint {
  breaker: CircuitBreaker;
  inFlight: number;
  /** When the last rejected attempt comes back. */
  lastReturnAt: number;
  usedAt: number;
}

export type RetrySlot = { release: (isDelivered: boolean, now?: number) => void } | { waitMs: number };

/** Limits how many attempts after the first run at once. Each delivery workflow asks for a slot when one is due. */
export class RetryLimiter {
  /** Least recently used first. */
  private readonly endpoints = new Map<string, LimitedEndpoint>();
  private inFlight = 0;
  private atDeadEndpoints = 0;

  acquire(webhook_id: string, isDead: boolean, now = Date.now()): RetrySlot {
    const endpoint = this.endpointOf(webhook_id, now);
    const isFull = this.inFlight >= MAX_RETRIES_IN_FLIGHT || (isDead && this.atDeadEndpoints >= MAX_AT_DEAD_ENDPOINTS);
    if (isFull || endpoint.inFlight >= MAX_RETRIES_PER_ENDPOINT || !endpoint.breaker.allowsRequest(now)) {
      const earliest = Math.max(endpoint.lastReturnAt + SPACING_MS, now + MIN_WAIT_MS);
      endpoint.lastReturnAt = Math.min(earliest, now + MAX_WAIT_MS);
      return { waitMs: endpoint.lastReturnAt - now };
    }
    endpoint.inFlight += 1;
    this.inFlight += 1;
    this.atDeadEndpoints += isDead ? 1 : 0;
    const release = (isDelivered: boolean, endedAt = Date.now()): void => {
      endpoint.inFlight -= 1;
      this.inFlight -= 1;
      this.atDeadEndpoints -= isDead ? 1 : 0;
      if (isDelivered) endpoint.breaker.recordSuccess();
      else endpoint.breaker.recordFailure(endedAt);
    };
    return { release };
  }

  private endpointOf(webhook_id: string, now: number): LimitedEndpoint {
    for (const [id, { inFlight, lastReturnAt, usedAt }] of this.endpoints)
      if (inFlight === 0 && Math.max(lastReturnAt, usedAt) < now - IDLE_EXPIRY_MS) this.endpoints.delete(id);
      else break;
    const endpoint = this.endpoints.get(webhook_id) ?? {
      breaker: new CircuitBreaker(),
      inFlight: 0,
      lastReturnAt: 0,
      usedAt: now,
    };
    endpoint.usedAt = now;
    // Deleted first, so that it moves to the end of the map.
    this.endpoints.delete(webhook_id);
    this.endpoints.set(webhook_id, endpoint);
    return endpoint;
  }
}
