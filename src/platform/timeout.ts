import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves to undefined if the promise rejects or exceeds the timeout. */
export async function withinTimeout<T>(promise: Promise<T>, timeoutMs: number): Promise<T | undefined> {
  const settled = new AbortController();
  const timeout = sleep(timeoutMs, undefined, { signal: settled.signal, ref: false }).catch(() => undefined);
  try {
    return await Promise.race([promise, timeout]);
  } catch {
    return undefined;
  } finally {
    settled.abort();
  }
}
