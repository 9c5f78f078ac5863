const MAX_FAILURES = 5;
const MIN_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;

/**
 * After several failures in a row nobody waits for a dead acquirer: requests are turned away at once, and one at a time, after a growing
 * pause, is let through to see whether it is back.
 */
export class CircuitBreaker {
  private failures = 0;
  private pauseMs = MIN_PAUSE_MS;
  private openUntil = 0;

  /** Whether a request may go out now. */
  allowsRequest(now = Date.now()): boolean {
    if (this.failures < MAX_FAILURES) return true;
    if (now < this.openUntil) return false;
    this.open(now);
    return true;
  }

  /** Whether nothing may go out now, without asking for a turn. */
  isOpen(now = Date.now()): boolean {
    return this.failures >= MAX_FAILURES && now < this.openUntil;
  }

  recordSuccess(): void {
    this.failures = 0;
    this.pauseMs = MIN_PAUSE_MS;
  }

  recordFailure(now = Date.now()): void {
    this.failures += 1;
    if (this.failures === MAX_FAILURES) this.open(now);
    // A look that took longer than the pause is no reason for the next one at once.
    else if (this.failures > MAX_FAILURES) this.openUntil = Math.max(this.openUntil, now + this.pauseMs / 2);
  }

  private open(now: number): void {
    this.openUntil = now + this.pauseMs;
    this.pauseMs = Math.min(this.pauseMs * 2, MAX_PAUSE_MS);
  }
}
