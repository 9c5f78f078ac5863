interface Owner {
  used: number;
  waiting: (() => void)[];
}

/**
 * Shares slots fairly among merchants: each has a maximum, and waiting merchants take turns, so that a long queue of one
 * merchant does not delay another.
 */
export class FairQueue {
  private used = 0;
  private readonly owners = new Map<string, Owner>();
  /** Owners with waiting requests, in the order of their turns. */
  private readonly turns = new Set<string>();
  private isDispatching = false;

  constructor(
    private readonly maxSlots: () => number,
    private readonly maxSlotsOf: () => number,
  ) {}

  /**
   * Resolves with a function that releases the slot; rejects with the signal's reason if the signal aborts first. With
   * a pause, other owners can take the slot at once, and this owner only after the pause.
   */
  async take(owner: string, signal?: AbortSignal): Promise<(pauseMs?: number) => void> {
    const state = this.owners.get(owner) ?? { used: 0, waiting: [] };
    this.owners.set(owner, state);
    if (this.used < this.maxSlots() && state.used < this.maxSlotsOf() && state.waiting.length === 0) this.begin(state);
    else await this.waitForTurn(owner, state, signal);
    let isHeld = true;
    return (pauseMs = 0) => {
      if (!isHeld) return;
      isHeld = false;
      this.used -= 1;
      if (pauseMs > 0) {
        setTimeout(() => this.end(owner, state), pauseMs).unref();
        this.dispatchSoon();
      } else this.end(owner, state);
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
    this.forget(owner, state);
    this.dispatchSoon();
  }

  /** Deferred, so that new requests of other owners arrive between two of the same owner. */
  private dispatchSoon(): void {
    if (this.turns.size === 0 || this.isDispatching) return;
    this.isDispatching = true;
    setImmediate(() => this.dispatch());
  }

  private dispatch(): void {
    this.isDispatching = false;
    for (let hasStarted = true; hasStarted; ) {
      hasStarted = false;
      for (const next of [...this.turns]) {
        if (this.used >= this.maxSlots()) return;
        hasStarted = this.giveTurn(next) || hasStarted;
      }
    }
  }

  /** Starts the owner's first request, if it may have another slot, and moves the owner to the end. */
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
