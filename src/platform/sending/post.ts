/**
 * Sends one POST and reads the start of the response, within one timeout. It avoids streams and abort signals, which
 * would double the cost.
 */
import type { Dispatcher } from 'undici';

interface PostRequest {
  path: string;
  headers: Record<string, string | undefined>;
  body: string | Buffer;
}

interface PostResponse {
  status: number;
  text: string;
  /** The header `Retry-After`. */
  retryAfter?: string | undefined;
}

export class ResponseTimeout extends Error {}

const MAX_RESPONSE_BYTES = 64 * 1024;
const MAX_RETURNED_BYTES = 1000;

export function post(dispatcher: Dispatcher, request: PostRequest, timeoutMs: number): Promise<PostResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let [status, length, isFinished] = [0, 0, false];
    let retryAfter: string | undefined;
    let activeRequest: Dispatcher.DispatchController | undefined;
    const finish = (settle: () => void): void => {
      isFinished = true;
      clearTimeout(timer);
      settle();
    };
    // One timeout covers DNS, the connection, the headers and a response that arrives byte by byte.
    const timer = setTimeout(() => {
      finish(() => reject(new ResponseTimeout()));
      activeRequest?.abort(new ResponseTimeout());
    }, timeoutMs);
    const handler: Dispatcher.DispatchHandler = {
      // The timeout may have passed while the request waited for a connection.
      onRequestStart(controller) {
        activeRequest = controller;
        if (isFinished) controller.abort(new ResponseTimeout());
      },
      onResponseStart(_, statusCode, headers) {
        status = statusCode;
        retryAfter = [headers['retry-after']].flat()[0];
      },
      // Closing the connection truncates a long response.
      onResponseData(controller, chunk) {
        if (length < MAX_RETURNED_BYTES) chunks.push(chunk.subarray(0, MAX_RETURNED_BYTES - length));
        length += chunk.length;
        if (isFinished || length <= MAX_RESPONSE_BYTES) return;
        finish(() => resolve({ status, text: textOf(chunks, true), retryAfter }));
        controller.abort(new Error('response too long'));
      },
      onResponseEnd: () =>
        finish(() => resolve({ status, text: textOf(chunks, length > MAX_RETURNED_BYTES), retryAfter })),
      onResponseError: (_, error) => finish(() => reject(error)),
    };
    try {
      dispatcher.dispatch({ method: 'POST', ...request }, handler);
    } catch (error) {
      finish(() => reject(error));
    }
  });
}

/** Drops a truncated character; other invalid bytes become U+FFFD. The database cannot store NUL. */
const textOf = (chunks: Buffer[], isCut: boolean): string =>
  chunks.length === 0 ? '' : new TextDecoder().decode(Buffer.concat(chunks), { stream: isCut }).replaceAll('\0', '');
