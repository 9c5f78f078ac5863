/** The event stream: one connection per page, resumed after a disconnection. */
import { signal } from '@preact/signals';
import { createClient, NetworkError } from 'graphql-sse';
import { isSignedOut, markReconnected } from '../../shared/api/ask';
import { graphql, type ResultOf, textOf } from '../../shared/api/graphql';

const EVENTS = graphql(`
  subscription Live($after: String) {
    events(after: $after) { id name object_id event_date }
  }
`);

export type LiveEvent = ResultOf<typeof EVENTS>['events'];
type Listener = (event: LiveEvent) => void;

const MAX_EVENTS = 200;
const MAX_PAUSE_MS = 30_000;

/** Newest first. */
export const liveEvents = signal<LiveEvent[]>([]);
export const isLive = signal(false);
const listeners = new Set<Listener>();

/** Returns the function that removes the listener. */
export function onEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Ends early when the browser is online again. */
const pause = (ms: number): Promise<void> =>
  new Promise(resolve => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener('online', end);
  });

/** Runs until the session ends. */
export async function followEvents(stop: AbortSignal): Promise<void> {
  let after: string | undefined;
  let wasLost = false;
  for (let pauseMs = 0; !stop.aborted; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2 + 1000)) {
    if (pauseMs > 0) await pause(pauseMs);
    const connected = (): void => {
      isLive.value = true;
      pauseMs = 0;
      // Events may have been missed meanwhile.
      if (wasLost) markReconnected();
      wasLost = false;
    };
    const client = createClient({
      url: '/graphql/stream',
      retryAttempts: 0,
      // The server responds after the subscription has started, so no later event is missed.
      fetchFn: async (...request: Parameters<typeof fetch>) => {
        const response = await fetch(...request);
        if (response.ok) connected();
        return response;
      },
    });
    stop.addEventListener('abort', () => client.dispose(), { once: true });
    const events = client.iterate<ResultOf<typeof EVENTS>>({ query: textOf(EVENTS), variables: { after } });
    try {
      for await (const { data } of events) {
        if (!data) continue;
        after = data.events.id;
        liveEvents.value = [data.events, ...liveEvents.value].slice(0, MAX_EVENTS);
        for (const listener of listeners) listener(data.events);
      }
    } catch (error) {
      // Other errors are retried with a backoff.
      if (error instanceof NetworkError && error.response?.status === 401) isSignedOut.value = !stop.aborted;
    }
    isLive.value = false;
    wasLost = true;
    client.dispose();
    if (isSignedOut.value) return;
  }
}
