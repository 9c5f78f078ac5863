/** Lets a loop wait for work that another process announces. Nothing announced while it looks for work is missed. */
export class Wakeups {
  private count = 0;
  private readonly waiting = new Set<() => void>();

  wake(): void {
    this.count += 1;
    for (const resume of this.waiting) resume();
  }

  /** Call it before looking for work; the function that it returns waits for a wake-up since then, or for this long. */
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
