const MAX_FAILURES = 5;
const MIN_OPEN_MS = 500;
const MAX_OPEN_MS = 10_000;

/**
 * Opens after consecutive failures, so that requests to a service that is down fail immediately. While it is open, one
 * trial request at a time is allowed after a growing interval.
 */
export class CircuitBreaker {
  private failures = 0;
  private openMs = MIN_OPEN_MS;
  private openUntil = 0;

  /** Whether a request may be sent. While the breaker is open, true also claims the trial request. */
  allowsRequest(now = Date.now()): boolean {
    if (this.failures < MAX_FAILURES) return true;
    if (now < this.openUntil) return false;
    this.open(now);
    return true;
  }

  /** Whether requests fail, without claiming the trial request. */
  isOpen(now = Date.now()): boolean {
    return this.failures >= MAX_FAILURES && now < this.openUntil;
  }

  recordSuccess(): void {
    this.failures = 0;
    this.openMs = MIN_OPEN_MS;
  }

  recordFailure(now = Date.now()): void {
    this.failures += 1;
    if (this.failures === MAX_FAILURES) this.open(now);
    // A trial request that took longer than the interval must not be followed by another one immediately.
    else if (this.failures > MAX_FAILURES) this.openUntil = Math.max(this.openUntil, now + this.openMs / 2);
  }

  private open(now: number): void {
    this.openUntil = now + this.openMs;
    this.openMs = Math.min(this.openMs * 2, MAX_OPEN_MS);
  }
}
