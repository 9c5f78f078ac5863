import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../database/connection';

const MIN_INTERVAL_MS = 20;

/**
 * Wakes whoever delivers, once what was written is committed. Said within the transaction it would make all commits go one behind the
 * other; if it is not said at all, they look by themselves a little later.
 */
export class Announcer {
  private isWanted = false;
  private isEnding = false;
  private saying: Promise<void> | undefined;

  constructor(private readonly db: Database) {}

  announce(): void {
    this.isWanted = true;
    this.saying ??= this.say();
  }

  /** Once it has fallen silent, the database may be closed. */
  async end(): Promise<void> {
    this.isEnding = true;
    await this.saying;
  }

  /** What others do, and word of it whenever they have done it. */
  announceAfter<T extends object>(doing: T): T {
    const told = Object.entries(doing).map(([name, act]) => {
      const tell = async (...given: unknown[]): Promise<unknown> => {
        try {
          return await act(...given);
        } finally {
          this.announce();
        }
      };
      return [name, tell];
    });
    return Object.fromEntries(told) as T;
  }

  private async say(): Promise<void> {
    while (this.isWanted && !this.isEnding) {
      this.isWanted = false;
      await this.db.$executeRaw`notify deliveries`.catch(() => undefined);
      await sleep(MIN_INTERVAL_MS, undefined, { ref: false });
    }
    this.saying = undefined;
  }
}
