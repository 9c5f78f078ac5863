import type { ServerResponse } from 'node:http';
import type { ApiError } from '../../../platform/errors';
import { toApiError } from '../../../platform/toApiError';

const HEARTBEAT_INTERVAL_MS = 10_000;

/** Server-sent events to one client. */
export class EventStream {
  private reason: ApiError | undefined;
  private readonly ended = new AbortController();

  constructor(
    private readonly response: ServerResponse,
    private readonly headers: Record<string, string>,
  ) {}

  /** Aborted when the stream ends. */
  get signal(): AbortSignal {
    return this.ended.signal;
  }

  /** Idempotent. */
  readonly end = (reason?: ApiError): void => {
    this.reason ??= reason;
    this.ended.abort();
  };

  /** Sends what `work` sends and, when it is done, last words; those say the reason, if there is one. */
  async run(work: () => Promise<void>, sendLastWords: (reason: ApiError | undefined) => void): Promise<void> {
    const { response } = this;
    const leave = (): void => this.end();
    response.once('close', leave);
    // No close event follows if the client has already disconnected.
    if (response.destroyed) this.end();
    else this.begin();
    // Proxies close idle connections.
    const heartbeat = setInterval(() => response.writableNeedDrain || response.write(':\n\n'), HEARTBEAT_INTERVAL_MS);
    try {
      await work();
    } catch (error) {
      this.reason ??= toApiError(error);
    } finally {
      clearInterval(heartbeat);
      response.off('close', leave);
      // A client that does not read would keep the connection open.
      if (response.destroyed || response.writableNeedDrain) response.destroy();
      else {
        sendLastWords(this.reason);
        response.end();
      }
    }
  }

  send(event: 'next' | 'complete', data?: object): boolean {
    return this.response.write(`event: ${event}\ndata: ${data ? JSON.stringify(data) : ''}\n\n`);
  }

  /** Also waits until the client has received the data, has disconnected, or the stream has ended. */
  async sendAndDrain(event: 'next' | 'complete', data?: object): Promise<void> {
    if (!this.send(event, data)) await this.drained();
  }

  private begin(): void {
    this.response.writeHead(200, {
      ...this.headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      // A closing server would otherwise wait for further requests on this connection.
      connection: 'close',
    });
    this.response.write(':\n\n');
  }

  private drained(): Promise<void> {
    const { response, signal } = this;
    return new Promise(resolve => {
      const proceed = (): void => {
        response.off('drain', proceed);
        signal.removeEventListener('abort', proceed);
        resolve();
      };
      if (signal.aborted) return resolve();
      response.on('drain', proceed);
      signal.addEventListener('abort', proceed);
    });
  }
}
