const FAILURES = 5;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/**
 * After several failures in a row nobody waits for a dead acquirer: requests are turned away at once, and one at a time, after a growing
 * pause, is let through to see whether it is back.
 */
export class Breaker {
  private failures = 0;
  private pauseMs = FIRST_PAUSE_MS;
  private closedUntil = 0;

  /** Whether a request may go out now. */
  admits(now = Date.now()): boolean {
    if (this.failures < FAILURES) return true;
    if (now < this.closedUntil) return false;
    this.pause(now);
    return true;
  }

  /** Whether nothing may go out now, without asking for a turn. */
  isOpen(now = Date.now()): boolean {
    return this.failures >= FAILURES && now < this.closedUntil;
  }

  answered(): void {
    this.failures = 0;
    this.pauseMs = FIRST_PAUSE_MS;
  }

  failed(now = Date.now()): void {
    this.failures += 1;
    if (this.failures === FAILURES) this.pause(now);
    // A look that took longer than the pause is no reason for the next one at once.
    else if (this.failures > FAILURES) this.closedUntil = Math.max(this.closedUntil, now + this.pauseMs / 2);
  }

  private pause(now: number): void {
    this.closedUntil = now + this.pauseMs;
    this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
  }
}
