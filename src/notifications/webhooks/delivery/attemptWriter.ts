import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../platform/database/connection';
import type { Log } from '../../../platform/log';
import { toApiError } from '../../../platform/toApiError';
import { type AttemptResult, type FailedWebhook, recordAttempts } from './attempts/rows';
import { disableWebhooks } from './disable';

const MAX_BATCH_ROWS = 2000;
/**
 * An SQL statement costs as much as about fifty rows, so the writer waits for more results between statements. If the
 * process is killed meanwhile, the results are lost and their deliveries are sent again.
 */
const BATCH_WAIT_MS = 100;
const RETRY_DELAY_MS = 500;
/** Limit for a log line, because a batch may have thousands. */
const MAX_NAMED_DELIVERIES = 20;
/** Delay before a delivery whose result cannot be written is sent again. */
const UNWRITABLE_DELAY_MS = 60_000;

interface WriteJob {
  result: AttemptResult;
  onWritten: () => void;
}

/** Writes the results of attempts in batches, one statement at a time. */
export class AttemptWriter {
  private readonly queue: WriteJob[] = [];
  private running: Promise<void> | undefined;
  private isFinishing = false;

  constructor(
    private readonly db: Database,
    private readonly log: Log,
  ) {}

  add(result: AttemptResult, onWritten: () => void): void {
    this.queue.push({ result, onWritten });
    this.running ??= this.run();
  }

  /** Resolves when every result is written or given up. */
  async finish(): Promise<void> {
    this.isFinishing = true;
    await this.running;
  }

  private async run(): Promise<void> {
    while (this.queue.length > 0) {
      await this.write(this.queue.splice(0, MAX_BATCH_ROWS));
      if (this.queue.length < MAX_BATCH_ROWS / 2 && !this.isFinishing) await sleep(BATCH_WAIT_MS);
    }
    this.running = undefined;
  }

  private async write(batch: WriteJob[]): Promise<void> {
    try {
      const results = batch.map(({ result }) => result);
      const failed = await recordAttempts(this.db, results);
      for (const { onWritten } of batch) onWritten();
      if (failed.length > 0) await this.disable(failed);
    } catch (error) {
      if (toApiError(error).retryable) await this.requeue(batch, error);
      else if (batch.length === 1) this.giveUp(batch, error);
      else await this.writeHalves(batch);
    }
  }

  /** A webhook that cannot be disabled is disabled at its next failure. */
  private async disable(failed: FailedWebhook[]): Promise<void> {
    const webhooks = failed.map(({ webhook_id }) => webhook_id);
    await disableWebhooks(this.db, failed).catch(({ message }) =>
      this.log.warn({ webhooks }, `delivery: disabling webhooks failed: ${message}`),
    );
  }

  /** Bisects the batch to isolate a result that cannot be written. */
  private async writeHalves(batch: WriteJob[]): Promise<void> {
    const middle = Math.ceil(batch.length / 2);
    await this.write(batch.slice(0, middle));
    await this.write(batch.slice(middle));
  }

  /** Keeps results until the database is available; otherwise the deliveries would be sent again. */
  private async requeue(batch: WriteJob[], error: unknown): Promise<void> {
    if (this.isFinishing) return this.giveUp(batch, error);
    this.queue.unshift(...batch);
    await sleep(RETRY_DELAY_MS);
  }

  private giveUp(batch: WriteJob[], error: unknown): void {
    const webhooks = [...new Set(batch.map(({ result }) => result.webhook_id))];
    const deliveries = batch.slice(0, MAX_NAMED_DELIVERIES).map(({ result }) => result.id);
    this.log.warn(
      { webhooks, deliveries },
      `delivery: results not stored, sending ${batch.length} again: ${(error as Error).message}`,
    );
    for (const { onWritten } of batch) setTimeout(onWritten, UNWRITABLE_DELAY_MS).unref();
  }
}
