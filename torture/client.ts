/** A merchant's client: retries until a final response, and counts responses. */
import { setTimeout as sleep } from 'node:timers/promises';
import { formatMoment } from '../workflows/calendar';
import { between, type Random } from './random';

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the run reads a few members of many shapes
  body: any;
}

/** Share of requests that it aborts before the response. */
const HANG_UP_RATE = 0.03;
const MAX_WAIT_MS = 40_000;
/**
 * Maximum time to a final response. Unknown outcomes are looked up every ten minutes, and a lookup may meet a fault. The
 * sweep finds lost workflows sooner.
 */
const PATIENCE_MS = 2_400_000;

/** Number of responses of all clients by kind. */
export const answers = new Map<string, number>();
const count = (outcome: string): void => void answers.set(outcome, (answers.get(outcome) ?? 0) + 1);
export const unanswered = (): number => (answers.get('no answer') ?? 0) + (answers.get('1004') ?? 0);

export class Client {
  private keys = 0;

  constructor(
    private readonly url: string,
    private readonly key: string,
    private readonly name: string,
    private readonly random: Random,
  ) {}

  get(path: string): Promise<Answer> {
    return this.insist('GET', path);
  }

  /** Polls until the resource matches; failed attempts are retried. */
  async getUntil(path: string, isWanted: (body: Answer['body']) => boolean | Promise<boolean>): Promise<void> {
    for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(200)) {
      const { body } = await this.get(path);
      if (await Promise.resolve(isWanted(body)).catch(() => false)) return;
      if (Date.now() > deadline) throw new Error(`${path} is still ${JSON.stringify(body)}`);
    }
  }

  /** Retries with one Idempotency-Key. */
  post(path: string, body: object): Promise<Answer> {
    return this.insist('POST', path, body, { 'idempotency-key': `${this.name}-${this.keys++}` });
  }

  /** Repeating a target waits for the same move, so no key is needed. */
  async moveClock(to: number): Promise<void> {
    const { status, body } = await this.insist('POST', '/sandbox/clock', { to: formatMoment(to) });
    if (status !== 200) throw new Error(`the clock of ${this.url} was not moved: ${status} ${JSON.stringify(body)}`);
  }

  put(path: string, body: object): Promise<Answer> {
    return this.insist('PUT', path, body);
  }

  delete(path: string): Promise<Answer> {
    return this.insist('DELETE', path);
  }

  private async insist(method: string, path: string, body?: object, headers: object = {}): Promise<Answer> {
    let isInDoubt = false;
    let latest: Answer | undefined;
    for (
      const deadline = Date.now() + PATIENCE_MS;
      Date.now() < deadline;
      await sleep(between(this.random, 200, 600))
    ) {
      const answer = await this.ask(method, path, body, headers).catch(() => undefined);
      count(describe(answer));
      latest = answer ?? latest;
      const isFinal = answer !== undefined && answer.status < 500 && answer.status !== 202;
      // During a suspension, the outcome of a request without a response is available later.
      if (isFinal && !(isInDoubt && answer.status === 423)) return answer;
      isInDoubt = true;
    }
    const detail = `the latest response was ${latest?.status} ${JSON.stringify(latest?.body)}`;
    throw new Error(`no final response to ${method} ${path} within ${PATIENCE_MS / 1000} s; ${detail}`);
  }

  private async ask(method: string, path: string, body: object | undefined, headers: object): Promise<Answer> {
    const hangsUp = this.random() < HANG_UP_RATE;
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Basic ${Buffer.from(`${this.key}:`).toString('base64')}`, ...headers },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(hangsUp ? between(this.random, 1, 200) : MAX_WAIT_MS),
    });
    const text = await response.text();
    return { status: response.status, body: text ? JSON.parse(text) : undefined };
  }
}

const describe = (answer: Answer | undefined): string =>
  answer === undefined ? 'no answer' : answer.status < 300 ? `${answer.status}` : `${answer.body?.error_code}`;
