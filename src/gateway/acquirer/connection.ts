/** HTTP connections to an acquirer. A fair queue keeps one merchant from using all of them. */
import { Pool } from 'undici';
import type { Log } from '../../platform/log';
import { inClientSpan, traceHeaders } from '../../platform/tracing/spans';
import { FairQueue } from '../../platform/traffic/fairQueue';
import { type BreakerStates, Breakers } from './breakers';
import { NoAnswerError } from './port';
import { type JsonObject, readAnswer } from './readAnswer';

export interface ConnectionOptions {
  url: string;
  /** Sent as a header, for a simulated acquirer that serves both environments. */
  environment?: string;
  /** The credential issued by the acquirer. */
  key: string;
  log: Log;
  /** Timeout of one operation, including its retry and the wait for a connection. */
  timeoutMs?: number;
}

/** Connection errors without an answer. The idempotency key makes a retry safe. */
const RETRYABLE_ERRORS = /^(ECONNREFUSED|ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_CONNECT_TIMEOUT)$/;
const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 100;
const MAX_CONNECTIONS_OF_MERCHANT = 50;

export class AcquirerConnection {
  private readonly pool: Pool;
  private readonly path: string;
  private readonly timeoutMs: number;
  private readonly breakers = new Breakers();
  private readonly queue = new FairQueue(
    () => MAX_CONNECTIONS,
    () => MAX_CONNECTIONS_OF_MERCHANT,
  );

  constructor(private readonly options: ConnectionOptions) {
    const { origin, pathname } = new URL(options.url);
    this.path = pathname.replace(/\/$/, '');
    this.timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const timeouts = { headersTimeout: this.timeoutMs, bodyTimeout: this.timeoutMs };
    this.pool = new Pool(origin, { connections: MAX_CONNECTIONS, ...timeouts });
  }

  breakerStates(): BreakerStates {
    return this.breakers.states();
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  /** Returns undefined if the acquirer does not know the key. Retries a broken connection once within the timeout. */
  async send(
    merchant_id: string,
    method: 'GET' | 'POST',
    path: string,
    body?: JsonObject,
  ): Promise<JsonObject | undefined> {
    if (!this.breakers.allowsRequest(merchant_id)) throw new NoAnswerError('circuit breaker open', false);
    const signal = AbortSignal.timeout(this.timeoutMs);
    const release = await this.queue.take(merchant_id, signal).catch(() => {
      throw this.noAnswer(describeRequest(path, body), 'no free connection', false);
    });
    try {
      const name = `acquirer ${path.split('/')[1]}`;
      return await inClientSpan(name, { merchant_id }, () => this.request(merchant_id, method, path, body, signal));
    } finally {
      release();
    }
  }

  private async request(
    merchant_id: string,
    method: 'GET' | 'POST',
    path: string,
    body: JsonObject | undefined,
    signal: AbortSignal,
  ): Promise<JsonObject | undefined> {
    const request = {
      method,
      path: `${this.path}${path}`,
      headers: {
        authorization: `Bearer ${this.options.key}`,
        'content-type': 'application/json',
        // The acquirer's settlement reports name the merchant.
        ...(merchant_id && { merchant: merchant_id }),
        ...(this.options.environment && { environment: this.options.environment }),
        ...traceHeaders(),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal,
    };
    const described = describeRequest(path, body);
    let mayHaveArrived = false;
    for (let attempt = 1; ; attempt++) {
      try {
        const { statusCode, body: stream } = await this.pool.request(request);
        const json = await readAnswer(stream);
        this.breakers.recordSuccess(merchant_id);
        if (statusCode === 404 && method === 'GET' && json?.known === false) return undefined;
        if (statusCode === 200 && json) return json;
        throw this.noAnswer(described, `status ${statusCode}${json ? '' : ' without JSON'}`, true);
      } catch (error) {
        if (error instanceof NoAnswerError) throw error;
        const { code, name } = error as NodeJS.ErrnoException;
        mayHaveArrived ||= code !== 'ECONNREFUSED';
        if (attempt === 1 && RETRYABLE_ERRORS.test(String(code))) continue;
        this.breakers.recordFailure(merchant_id);
        throw this.noAnswer(described, typeof code === 'string' ? code : name, mayHaveArrived);
      }
    }
  }

  noAnswer(request: string, reason: string, sent: boolean): NoAnswerError {
    this.options.log.warn({ request }, `acquirer: no answer: ${reason}`);
    return new NoAnswerError(reason, sent);
  }
}

/** Path and idempotency key for the log. The rest of a body can hold card data. */
export const describeRequest = (path: string, body?: JsonObject): string =>
  typeof body?.key === 'string' ? `${path} ${body.key}` : path;
