import type { FairQueue } from '../../platform/traffic/fairQueue';

/** The work slot of one request, released while the request waits for external I/O. */
export class WorkSlot {
  private release: (() => void) | undefined;
  /** Number of pending external waits of the request. */
  private pendingWaits = 0;
  private isOver = false;

  constructor(
    private readonly queue: FairQueue,
    private readonly owner: string,
  ) {}

  async take(): Promise<void> {
    const release = await this.queue.take(this.owner);
    // Another wait has ended and taken the slot, or the request no longer needs it.
    if (this.release || this.pendingWaits > 0 || this.isOver) release();
    else this.release = release;
  }

  async yieldSlotWhile<T>(io: () => Promise<T>): Promise<T> {
    this.pendingWaits += 1;
    this.free();
    try {
      return await io();
    } finally {
      this.pendingWaits -= 1;
      if (this.pendingWaits === 0) await this.take();
    }
  }

  end(): void {
    this.isOver = true;
    this.free();
  }

  private free(): void {
    this.release?.();
    this.release = undefined;
  }
}
