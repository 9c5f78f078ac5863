/** Sends the simulated acquirer's signed notifications to the gateway and retries until they are accepted. */
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { APPROVED } from '../../gateway/acquirer/codes';
import { sign } from '../../gateway/acquirer/signature';
import type { Log } from '../../platform/log';
import type { PayerDecisions } from './payers';

const MIN_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;

const FINAL_STATUSES = [404, 412];

export class NotificationRefused extends Error {
  constructor(readonly status: number) {
    super(`the gateway returned ${status} for a notification`);
  }
}

export class Notifier {
  private readonly stopping = new AbortController();
  private readonly retries = new Map<string, Promise<void>>();

  constructor(
    private readonly payers: PayerDecisions,
    /** The gateway's notification URLs, one per environment. */
    private readonly urls: () => string[],
    private readonly key: string,
    private readonly log: Log,
  ) {}

  /** After a restart, sends the notifications that were not accepted. */
  resume(): void {
    for (const key of this.payers.unnotified()) void this.notifyInBackground(key);
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.retries.values());
  }

  /** Rejects after the first failure; retries then continue in the background. */
  async notify(key: string): Promise<void> {
    try {
      await this.notifyOnce(key);
    } catch (error) {
      void this.notifyInBackground(key);
      throw error;
    }
  }

  /** Tries each environment until one knows the payment or the merchants of the report. */
  async send(notification: object, kind: 'acquirer' | 'settlement' = 'acquirer'): Promise<void> {
    for (const [i, base] of this.urls().entries()) {
      const url = new URL(kind, base).href;
      const isLast = i === this.urls().length - 1;
      const isKnown = await this.sendTo(url, notification).then(
        () => true,
        error => {
          if (isLast || !(error instanceof NotificationRefused && error.status === 404)) throw error;
          return false;
        },
      );
      if (isKnown) return;
    }
  }

  private async sendTo(url: string, notification: object): Promise<void> {
    const body = JSON.stringify(notification);
    const { statusCode, body: answer } = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', signature: sign(this.key, body) },
      body,
      signal: AbortSignal.timeout(10_000),
    });
    await answer.dump();
    if (statusCode >= 300) throw new NotificationRefused(statusCode);
  }

  private async notifyOnce(key: string): Promise<void> {
    const decision = this.payers.decisionOn(key);
    const outcome = decision?.response === APPROVED ? 'approved' : 'rejected';
    const notification = { type: 'payment', key, outcome, authorization: decision?.authorization ?? null };
    await this.send(notification).catch(error => {
      // Final: a retry would get the same response.
      if (!(error instanceof NotificationRefused && FINAL_STATUSES.includes(error.status))) throw error;
      this.log.warn({ key }, `notification: refused: ${error.message}`);
    });
    await this.payers.markNotified(key);
  }

  private notifyInBackground(key: string): Promise<void> {
    const retry = this.retries.get(key) ?? this.retryUntilNotified(key).finally(() => this.retries.delete(key));
    this.retries.set(key, retry);
    return retry;
  }

  private async retryUntilNotified(key: string): Promise<void> {
    const { signal } = this.stopping;
    for (let backoff = MIN_BACKOFF_MS; !signal.aborted; backoff = Math.min(backoff * 2, MAX_BACKOFF_MS)) {
      await sleep(backoff, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const isNotified = await this.notifyOnce(key).then(
        () => true,
        error => void this.log.warn({ key }, `notification: failed, retrying: ${error.message}`),
      );
      if (isNotified) return;
    }
  }
}
