/** The simulated acquirer tells the gateway what it or others have decided, signed like a real one would, until it has heard. */
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { APPROVED } from '../acquirer/codes';
import { sign } from '../acquirer/signature';
import type { Log } from '../platform/log';
import type { PayerDecisions } from './payers';

const MIN_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

const REFUSED_FOR_GOOD = [404, 412];

class NotificationRefused extends Error {
  constructor(readonly status: number) {
    super(`the gateway answered ${status} to a notification`);
  }
}

export class Notifier {
  private readonly stopping = new AbortController();
  private readonly telling = new Map<string, Promise<void>>();

  constructor(
    private readonly payers: PayerDecisions,
    /** Where the gateway listens, of each environment that it serves. */
    private readonly urls: () => string[],
    private readonly key: string,
    private readonly log: Log,
  ) {}

  /** What was decided before a restart and not heard is told again. */
  resume(): void {
    for (const key of this.payers.unheard()) void this.keepNotifying(key);
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.telling.values());
  }

  /** Over when the gateway has heard, or after the first failure: then it goes on by itself. */
  async notify(key: string): Promise<void> {
    try {
      await this.notifyOnce(key);
    } catch (error) {
      void this.keepNotifying(key);
      throw error;
    }
  }

  /** To whichever environment knows what it is about. */
  async send(notification: object): Promise<void> {
    for (const [i, url] of this.urls().entries()) {
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
      // It has heard, and will say the same the next time.
      if (!(error instanceof NotificationRefused && REFUSED_FOR_GOOD.includes(error.status))) throw error;
      this.log.warn(`${key}: ${error.message}`);
    });
    await this.payers.heard(key);
  }

  private keepNotifying(key: string): Promise<void> {
    const telling = this.telling.get(key) ?? this.persist(key).finally(() => this.telling.delete(key));
    this.telling.set(key, telling);
    return telling;
  }

  private async persist(key: string): Promise<void> {
    const { signal } = this.stopping;
    for (let pause = MIN_PAUSE_MS; !signal.aborted; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      await sleep(pause, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const heard = await this.notifyOnce(key).then(
        () => true,
        error => void this.log.warn(`${key} is told again: ${error.message}`),
      );
      if (heard) return;
    }
  }
}
