import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../database/connection';
import type { Log } from '../../platform/log';
import { toApiError } from '../../platform/toApiError';
import { type AttemptResult, isDelivered, recordAttempts } from './recordAttempts';
import { recordDelivered } from './recordDelivered';

const MAX_BATCH_ROWS = 2000;
/** A statement costs as much as some fifty entries: after one, more are waited for. Who is killed meanwhile has sent them for nothing. */
const BATCH_WAIT_MS = 100;
const PAUSE_MS = 500;
/** How long one that cannot be written down is left alone before it is sent again. */
const UNWRITABLE_PAUSE_MS = 60_000;

interface WriteJob {
  attempted: AttemptResult;
  written: () => void;
}

const isDeliveredAtOnce = (one: AttemptResult): boolean => one.attempts === 0 && isDelivered(one);

/** Writes down what became of attempts: one statement after the other, each for all that came meanwhile. */
export class AttemptWriter {
  private readonly entries: WriteJob[] = [];
  private running: Promise<void> | undefined;
  private ending = false;

  constructor(
    private readonly db: Database,
    private readonly log: Log,
  ) {}

  add(attempted: AttemptResult, written: () => void): void {
    this.entries.push({ attempted, written });
    this.running ??= this.run();
  }

  /** When all is written, or cannot be. */
  async end(): Promise<void> {
    this.ending = true;
    await this.running;
  }

  private async run(): Promise<void> {
    while (this.entries.length > 0) {
      await this.write(this.entries.splice(0, MAX_BATCH_ROWS));
      if (this.entries.length < MAX_BATCH_ROWS / 2 && !this.ending) await sleep(BATCH_WAIT_MS);
    }
    this.running = undefined;
  }

  private async write(batch: WriteJob[]): Promise<void> {
    try {
      const all = batch.map(({ attempted }) => attempted);
      const [arrived, others] = [all.filter(isDeliveredAtOnce), all.filter(one => !isDeliveredAtOnce(one))];
      // Last what arrived: then nobody fails.
      if (others.length > 0) await recordAttempts(this.db, others);
      if (arrived.length > 0) await recordDelivered(this.db, arrived);
      for (const { written } of batch) written();
    } catch (error) {
      if (toApiError(error).kind === 'unavailable') await this.waitWith(batch, error);
      else if (batch.length === 1) this.leave(batch, error);
      else await this.writeHalves(batch);
    }
  }

  /** One that cannot be written down is found without all the others being written one by one. */
  private async writeHalves(batch: WriteJob[]): Promise<void> {
    const middle = Math.ceil(batch.length / 2);
    await this.write(batch.slice(0, middle));
    await this.write(batch.slice(middle));
  }

  /** What is known is kept until the database is back: forgotten, it would be sent once more. */
  private async waitWith(batch: WriteJob[], error: unknown): Promise<void> {
    if (this.ending) return this.leave(batch, error);
    this.entries.unshift(...batch);
    await sleep(PAUSE_MS);
  }

  private leave(batch: WriteJob[], error: unknown): void {
    this.log.warn(`${batch.length} deliveries are made again: ${(error as Error).message}`);
    for (const { written } of batch) setTimeout(written, UNWRITABLE_PAUSE_MS).unref();
  }
}
