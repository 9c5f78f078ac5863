/**
 * Sends one POST and reads the start of its answer, all within one timeout. Without streams and abort signals, which
 * would cost as much as all the rest.
 */
import type { Dispatcher } from 'undici';

interface PostRequest {
  path: string;
  headers: Record<string, string | undefined>;
  body: string | Buffer;
}

export class ResponseTimeout extends Error {}

const MAX_RESPONSE_BYTES = 64 * 1024;
const MAX_RETURNED_BYTES = 1000;

export function post(
  dispatcher: Dispatcher,
  request: PostRequest,
  timeoutMs: number,
): Promise<[status: number, answer: string]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let [status, length, isFinished] = [0, 0, false];
    let activeRequest: Dispatcher.DispatchController | undefined;
    const finish = (settle: () => void): void => {
      isFinished = true;
      clearTimeout(timer);
      settle();
    };
    // One timeout for everything: DNS, the connection, the headers and an answer that comes byte by byte.
    const timer = setTimeout(() => {
      finish(() => reject(new ResponseTimeout()));
      activeRequest?.abort(new ResponseTimeout());
    }, timeoutMs);
    const handler: Dispatcher.DispatchHandler = {
      // If the timeout has passed while it waited for a connection, it is not sent any more.
      onRequestStart(controller) {
        activeRequest = controller;
        if (isFinished) controller.abort(new ResponseTimeout());
      },
      onResponseStart(_, statusCode) {
        status = statusCode;
      },
      // An answer that is too long is cut off by closing its connection.
      onResponseData(controller, chunk) {
        if (length < MAX_RETURNED_BYTES) chunks.push(chunk.subarray(0, MAX_RETURNED_BYTES - length));
        length += chunk.length;
        if (isFinished || length <= MAX_RESPONSE_BYTES) return;
        finish(() => resolve([status, textOf(chunks, true)]));
        controller.abort(new Error('enough'));
      },
      onResponseEnd: () => finish(() => resolve([status, textOf(chunks, length > MAX_RETURNED_BYTES)])),
      onResponseError: (_, error) => finish(() => reject(error)),
    };
    try {
      dispatcher.dispatch({ method: 'POST', ...request }, handler);
    } catch (error) {
      finish(() => reject(error));
    }
  });
}

/** Drops a character that was cut in two; other invalid bytes become U+FFFD. The database stores anything but NUL. */
const textOf = (chunks: Buffer[], isCut: boolean): string =>
  chunks.length === 0 ? '' : new TextDecoder().decode(Buffer.concat(chunks), { stream: isCut }).replaceAll('\0', '');
