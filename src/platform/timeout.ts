import { setTimeout as sleep } from 'node:timers/promises';

/** Undefined when it fails or takes too long. */
export async function withinTimeout<T>(answer: Promise<T>, timeoutMs: number): Promise<T | undefined> {
  const answered = new AbortController();
  const late = sleep(timeoutMs, undefined, { signal: answered.signal, ref: false }).catch(() => undefined);
  try {
    return await Promise.race([answer, late]);
  } catch {
    return undefined;
  } finally {
    answered.abort();
  }
}
