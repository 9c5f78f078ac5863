/** Sends operations: queries and mutations as one request, subscriptions as a stream that stays open until stopped. */
import { createClient } from 'graphql-sse';

export interface Operation {
  query: string;
  operationName?: string;
  variables: Record<string, unknown>;
  headers: Record<string, string>;
}

export interface Answer {
  status: number;
  body: unknown;
  text: string;
  ms: number;
  request_id: string;
}

export async function send({ headers, ...operation }: Operation, signal: AbortSignal): Promise<Answer> {
  const started = performance.now();
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(operation),
    signal,
  });
  const text = await response.text();
  const ms = Math.round(performance.now() - started);
  return { ...read(text), status: response.status, ms, request_id: response.headers.get('request-id') ?? '' };
}

function read(text: string): Pick<Answer, 'body' | 'text'> {
  try {
    const body: unknown = JSON.parse(text);
    return { body, text: JSON.stringify(body, null, 2) };
  } catch {
    return { body: undefined, text };
  }
}

interface StreamHandlers {
  next(result: unknown): void;
  /** With what the server said, if it said anything. */
  failed(answer: Pick<Answer, 'status' | 'text'> | undefined): void;
  complete(): void;
}

/** Returns what stops it. */
export function follow({ headers, ...operation }: Operation, handlers: StreamHandlers): () => void {
  const client = createClient({ url: '/graphql/stream', headers });
  const { next, complete, failed } = handlers;
  const stop = client.subscribe(operation, {
    next,
    complete,
    error: error => {
      const { response } = error as { response?: Response };
      if (!response || response.bodyUsed) return failed(undefined);
      response.text().then(
        text => failed({ status: response.status, text: read(text).text }),
        () => failed(undefined),
      );
    },
  });
  return () => {
    stop();
    client.dispose();
  };
}
