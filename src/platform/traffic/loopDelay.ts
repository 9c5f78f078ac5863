import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 20;
const WINDOW_MS = 500;

/** Delay of the event loop in the latest window: nine of ten turns were shorter. */
export class LoopDelay {
  private readonly histogram: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  private since = performance.now();
  private delayMs = 0;

  constructor() {
    this.histogram.enable();
  }

  /** 0 after a time without calls, whose delays say nothing about now. */
  ms(): number {
    const age = performance.now() - this.since;
    if (age < WINDOW_MS) return this.delayMs;
    const isRecent = age < 4 * WINDOW_MS && this.histogram.count > 0;
    this.delayMs = isRecent ? Math.max(0, this.histogram.percentile(90) / 1e6 - RESOLUTION_MS) : 0;
    this.histogram.reset();
    this.since = performance.now();
    return this.delayMs;
  }
}
