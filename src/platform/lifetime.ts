import { setMaxListeners } from 'node:events';
import { ConfigError } from './config/config';
import { createLog } from './log';

/**
 * Runs a process until a signal stops it or its launcher dies; it then finishes its work and exits. npm and the
 * terminal may both send a signal; the second one has no effect.
 */
export function runProgram(name: string, body: (stop: AbortSignal) => Promise<void>): void {
  process.env.TZ = 'UTC';
  // pg_stat_activity then shows the program that holds a lock.
  process.env.PGAPPNAME = `recaudo ${name}`;
  const stop = new AbortController();
  // A program has many loops, and each one listens to this signal.
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

/** A reason not to start. The operator sees its message without a stack trace. */
export class FatalError extends Error {}

export const untilStopped = (stop: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (stop.aborted) resolve();
    else stop.addEventListener('abort', () => resolve(), { once: true });
  });
