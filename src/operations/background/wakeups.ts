/** Lets a loop wait for notifications from other processes. Notifications that arrive while the loop polls are not lost. */
export class Wakeups {
  private count = 0;
  private readonly waiting = new Set<() => void>();

  wake(): void {
    this.count += 1;
    for (const resume of this.waiting) resume();
  }

  /** Call before polling. The returned function waits for a wake-up since this call, or until the timeout. */
  watch(): (maxMs: number) => Promise<void> {
    const before = this.count;
    return maxMs =>
      new Promise(resolve => {
        const resume = (): void => {
          clearTimeout(timer);
          this.waiting.delete(resume);
          resolve();
        };
        const timer = setTimeout(resume, this.count === before ? maxMs : 0);
        this.waiting.add(resume);
      });
  }
}
