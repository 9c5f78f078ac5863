/** Short, because a merchant that is not alone gets fewer slots, which costs a third of its rate or more. */
const WINDOW_MS = 1000;

/** Counts the recently active merchants. */
export class RecentlySeen {
  private current = new Set<string>();
  private previous = new Set<string>();
  private since = 0;

  see(name: string): void {
    this.forgetOld();
    this.current.add(name);
    this.previous.delete(name);
  }

  count(): number {
    this.forgetOld();
    return this.current.size + this.previous.size;
  }

  private forgetOld(): void {
    const age = Date.now() - this.since;
    if (age < WINDOW_MS) return;
    this.previous = age < 2 * WINDOW_MS ? this.current : new Set();
    this.current = new Set();
    this.since = Date.now();
  }
}
