import { Breaker } from '../acquirer/breaker';
import type { Waiting } from './waiting';

const FAST_PER_SECOND = 100;

/** What an engine knows of one webhook while it has something for it. */
export interface Endpoint {
  queue: (Waiting & { taken: number })[];
  inFlight: number;
  breaker: Breaker;
  pace: Pace;
  /** When the last attempt was over. */
  idleSince: number;
}

/** How fast an endpoint answers, by its last hundred. */
class Pace {
  private count = 0;
  private since = Date.now();
  private fast = false;

  isFast = (): boolean => this.fast;

  done(): void {
    this.count += 1;
    if (this.count < FAST_PER_SECOND) return;
    this.fast = Date.now() - this.since < 1000;
    this.count = 0;
    this.since = Date.now();
  }
}

export const newEndpoint = (): Endpoint => ({
  queue: [],
  inFlight: 0,
  breaker: new Breaker(),
  pace: new Pace(),
  idleSince: Date.now(),
});
