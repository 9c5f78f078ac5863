interface Owner {
  used: number;
  waiting: (() => void)[];
}

/**
 * Shares slots among merchants. Each may have some of them at once and waits for more; whenever one is free, those who
 * wait take turns, so that nobody waits for all the requests that another has lined up.
 */
export class FairQueue {
  private used = 0;
  private readonly owners = new Map<string, Owner>();
  /** Whoever is waiting; the first is next. */
  private readonly turns = new Set<string>();
  private isDispatching = false;

  constructor(
    private readonly maxSlots: number,
    private readonly maxSlotsOf: () => number,
  ) {}

  /** Resolves once there is a slot, with what gives it back. If the signal aborts first, it rejects with its reason. */
  async take(owner: string, signal?: AbortSignal): Promise<() => void> {
    const state = this.owners.get(owner) ?? { used: 0, waiting: [] };
    this.owners.set(owner, state);
    if (this.used < this.maxSlots && state.used < this.maxSlotsOf() && state.waiting.length === 0) this.begin(state);
    else await this.waitForTurn(owner, state, signal);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.end(owner, state);
    };
  }

  private begin(state: Owner): void {
    state.used += 1;
    this.used += 1;
  }

  private waitForTurn(owner: string, state: Owner, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        state.waiting.splice(state.waiting.indexOf(start), 1);
        this.forget(owner, state);
        reject(signal?.reason);
      };
      const start = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      if (signal?.aborted) return void reject(signal.reason);
      signal?.addEventListener('abort', leave, { once: true });
      state.waiting.push(start);
      this.turns.add(owner);
    });
  }

  private end(owner: string, state: Owner): void {
    state.used -= 1;
    this.used -= 1;
    this.forget(owner, state);
    if (this.turns.size === 0 || this.isDispatching) return;
    this.isDispatching = true;
    setImmediate(() => this.dispatch());
  }

  /** Not at once, so that new requests of others are seen between two of the same owner. */
  private dispatch(): void {
    this.isDispatching = false;
    for (let hasStarted = true; hasStarted; ) {
      hasStarted = false;
      for (const next of [...this.turns]) {
        if (this.used >= this.maxSlots) return;
        hasStarted = this.giveTurn(next) || hasStarted;
      }
    }
  }

  /** Lets the owner's first request in, if it may have one more, and puts the owner at the end of the others. */
  private giveTurn(owner: string): boolean {
    const state = this.owners.get(owner);
    if (!state || state.used >= this.maxSlotsOf()) return false;
    const start = state.waiting.shift();
    this.turns.delete(owner);
    if (state.waiting.length > 0) this.turns.add(owner);
    if (!start) return false;
    this.begin(state);
    start();
    return true;
  }

  private forget(owner: string, state: Owner): void {
    if (state.waiting.length === 0) this.turns.delete(owner);
    if (state.used === 0 && state.waiting.length === 0) this.owners.delete(owner);
  }
}
