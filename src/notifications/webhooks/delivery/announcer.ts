import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../platform/database/connection';
import { wakeWorkers } from '../../../platform/database/outbox';

const MIN_INTERVAL_MS = 20;

/**
 * Wakes the workers after new deliveries and outbox rows are committed. NOTIFY within the transaction would serialize all
 * commits; workers find the rows of a lost notification at their next poll.
 */
export class Announcer {
  private isRequested = false;
  private isClosing = false;
  private notifying: Promise<void> | undefined;

  constructor(private readonly db: Database) {}

  announce(): void {
    this.isRequested = true;
    this.notifying ??= this.notify();
  }

  /** Resolves when no SQL statement is running, so that the database may be closed. */
  async close(): Promise<void> {
    this.isClosing = true;
    await this.notifying;
  }

  /** Wraps functions so that each announces when it settles. */
  announceAfter<T extends object>(functions: T): T {
    const announcing = Object.entries(functions).map(([name, call]) => {
      const callAndAnnounce = async (...args: unknown[]): Promise<unknown> => {
        try {
          return await call(...args);
        } finally {
          this.announce();
        }
      };
      return [name, callAndAnnounce];
    });
    return Object.fromEntries(announcing) as T;
  }

  private async notify(): Promise<void> {
    while (this.isRequested && !this.isClosing) {
      this.isRequested = false;
      await wakeWorkers(this.db);
      await sleep(MIN_INTERVAL_MS, undefined, { ref: false });
    }
    this.notifying = undefined;
  }
}
