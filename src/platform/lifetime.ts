import { setMaxListeners } from 'node:events';
import { ConfigError } from './config/config';
import { createLog } from './log';

/**
 * Runs a process until it is asked to stop, by a signal or because the launcher that started it died; then it finishes
 * its work and exits. A signal may arrive twice (npm and the terminal both send it); the second one has no effect.
 */
export function runProgram(name: string, body: (stop: AbortSignal) => Promise<void>): void {
  process.env.TZ = 'UTC';
  // Whoever looks at the database sees which program holds up another.
  process.env.PGAPPNAME = `recaudo ${name}`;
  const stop = new AbortController();
  // A program has as many loops as it needs, and each waits for the signal.
  setMaxListeners(0, stop.signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  if (process.connected) process.on('disconnect', () => stop.abort());
  body(stop.signal).then(
    () => process.exit(0),
    error => {
      if (stop.signal.aborted && error.name === 'AbortError') process.exit(0);
      if (error instanceof FatalError || error instanceof ConfigError) console.error(error.message);
      else createLog(name).fatal(error);
      process.exit(1);
    },
  );
}

/** A reason not to start. Its message is for the operator and is printed without a stack trace. */
export class FatalError extends Error {}

export const untilStopped = (stop: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (stop.aborted) resolve();
    else stop.addEventListener('abort', () => resolve(), { once: true });
  });
