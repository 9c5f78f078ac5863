import type { FairQueue } from '../../platform/traffic/fairQueue';

/** The slot of one request among those that are being worked on. It is free for others while the request waits. */
export class WorkSlot {
  private release: (() => void) | undefined;
  /** How many parts of the request wait for somebody else. */
  private away = 0;
  private isOver = false;

  constructor(
    private readonly queue: FairQueue,
    private readonly owner: string,
  ) {}

  async take(): Promise<void> {
    const release = await this.queue.take(this.owner);
    // Another part of the request has the slot already, or none needs it any more.
    if (this.release || this.away > 0 || this.isOver) release();
    else this.release = release;
  }

  async yieldSlotWhile<T>(wait: () => Promise<T>): Promise<T> {
    this.away += 1;
    this.free();
    try {
      return await wait();
    } finally {
      this.away -= 1;
      if (this.away === 0) await this.take();
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
