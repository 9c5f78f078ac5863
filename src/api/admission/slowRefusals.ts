import { setTimeout as sleep } from 'node:timers/promises';

const MAX_QUICK_PER_SECOND = 20;
const DELAY_MS = 1000;
/** Limit for all clients, because each delayed response holds a connection. */
const MAX_DELAYED = 2000;

/** Delays responses to clients that ignore rejections, because even a rejection costs time. Retry-After avoids the delay. */
export class SlowRefusals {
  private counts = new Map<string, number>();
  private second = 0;
  private delayed = 0;

  async answer(owner: string): Promise<void> {
    const second = Math.floor(Date.now() / 1000);
    if (second !== this.second) this.counts = new Map();
    this.second = second;
    const count = (this.counts.get(owner) ?? 0) + 1;
    this.counts.set(owner, count);
    if (count <= MAX_QUICK_PER_SECOND || this.delayed >= MAX_DELAYED) return;
    this.delayed += 1;
    await sleep(DELAY_MS, undefined, { ref: false });
    this.delayed -= 1;
  }
}
