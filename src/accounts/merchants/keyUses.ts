/** Notes when keys were last used, to the minute or so. No request waits for it, and none writes by itself. */
import type { Database } from '../../platform/database/connection';
import { writeKeyUses } from './rows';

const DELAY_MS = 1000;
/** A key that is used all the time is written once in this while. */
const INTERVAL_MS = 60_000;

export class KeyUses {
  /** When each key was used that is to be written, and when those were written that need not be for a while. */
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

  /** What was used since the last time, in one statement. */
  async write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const uses = [...this.pending];
    this.pending.clear();
    const now = Date.now();
    for (const [key_id, at] of this.written) if (now - at >= INTERVAL_MS) this.written.delete(key_id);
    if (uses.length === 0) return;
    for (const [key_id] of uses) this.written.set(key_id, now);
    // Of what a database cannot take, the next use tells.
    await writeKeyUses(this.db, uses).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.write();
  }
}
