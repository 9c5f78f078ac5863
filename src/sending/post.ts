/** One POST and the start of its answer, in one bounded time. Without streams and signals, which cost as much as all the rest. */
import type { Dispatcher } from 'undici';

interface PostRequest {
  path: string;
  headers: Record<string, string | undefined>;
  body: string | Buffer;
}

export class ResponseTimeout extends Error {}

const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_KEPT_BYTES = 1000;

export function post(
  to: Dispatcher,
  request: PostRequest,
  timeoutMs: number,
): Promise<[status: number, answer: string]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let [status, length, over] = [0, 0, false];
    let underway: Dispatcher.DispatchController | undefined;
    const finish = (how: () => void): void => {
      over = true;
      clearTimeout(timer);
      how();
    };
    // One time for everything: the name, the connection, the headers and an answer that comes byte by byte.
    const timer = setTimeout(() => {
      finish(() => reject(new ResponseTimeout()));
      underway?.abort(new ResponseTimeout());
    }, timeoutMs);
    const handler: Dispatcher.DispatchHandler = {
      // Its time may have passed while it waited for a connection: then it is not sent any more.
      onRequestStart(controller) {
        underway = controller;
        if (over) controller.abort(new ResponseTimeout());
      },
      onResponseStart(_, statusCode) {
        status = statusCode;
      },
      // What goes on for too long is left, and its connection with it.
      onResponseData(controller, chunk) {
        if (length < MAX_KEPT_BYTES) chunks.push(chunk.subarray(0, MAX_KEPT_BYTES - length));
        length += chunk.length;
        if (over || length <= MAX_ANSWER_BYTES) return;
        finish(() => resolve([status, textOf(chunks, true)]));
        controller.abort(new Error('enough'));
      },
      onResponseEnd: () => finish(() => resolve([status, textOf(chunks, length > MAX_KEPT_BYTES)])),
      onResponseError: (_, error) => finish(() => reject(error)),
    };
    try {
      to.dispatch({ method: 'POST', ...request }, handler);
    } catch (error) {
      finish(() => reject(error));
    }
  });
}

/** A character that was cut in two is left out; one that never was any is shown as such. The database takes all but NUL. */
const textOf = (chunks: Buffer[], cut: boolean): string =>
  chunks.length === 0 ? '' : new TextDecoder().decode(Buffer.concat(chunks), { stream: cut }).replaceAll('\0', '');
