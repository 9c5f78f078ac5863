/** Records the last use of keys, to the minute, in batches and without delaying requests. */
import type { Database } from '../../platform/database/connection';
import { writeKeyUses } from './rows';

const DELAY_MS = 1000;
/** Minimum time between two writes for one key. */
const INTERVAL_MS = 60_000;

export class KeyUses {
  /** Uses to be written, and the times of recent writes. */
  private readonly pending = new Map<string, number>();
  private readonly written = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly db: Database) {}

  note(key_id: string): void {
    const now = Date.now();
    if (now - (this.written.get(key_id) ?? 0) < INTERVAL_MS) return;
    this.pending.set(key_id, now);
    this.timer ??= setTimeout(() => void this.write(), DELAY_MS).unref();
  }

  async write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const uses = [...this.pending];
    this.pending.clear();
    const now = Date.now();
    for (const [key_id, at] of this.written) if (now - at >= INTERVAL_MS) this.written.delete(key_id);
    if (uses.length === 0) return;
    for (const [key_id] of uses) this.written.set(key_id, now);
    // A failed write is dropped: a later use of the key is recorded instead.
    await writeKeyUses(this.db, uses).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.write();
  }
}
