import { ConfigError } from './config';
import { createLog } from './log';

/**
 * The life of a process: it runs until it is asked to stop, by a signal or by the death of the launcher that started it,
 * finishes what it has begun, and exits. The signal may come twice (npm and the terminal both send it); once counts.
 */
export function runProgram(part: string, body: (stop: AbortSignal) => Promise<void>): void {
  process.env.TZ = 'UTC';
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  if (process.connected) process.on('disconnect', () => stop.abort());
  body(stop.signal).then(
    () => process.exit(0),
    error => {
      if (stop.signal.aborted && error.name === 'AbortError') process.exit(0);
      if (error instanceof FatalError || error instanceof ConfigError) console.error(error.message);
      else createLog(part).fatal(error);
      process.exit(1);
    },
  );
}

/** A reason not to start that its message tells in full: printed as it is, without a stack. */
export class FatalError extends Error {}

export const untilStopped = (stop: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (stop.aborted) resolve();
    else stop.addEventListener('abort', () => resolve(), { once: true });
  });
