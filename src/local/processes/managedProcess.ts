import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { FatalError } from '../../platform/lifetime';
import type { Log } from '../../platform/log';
import { type Child, type Command, startChild } from './childProcesses';

/** A child process that is restarted after unexpected exits, until `down` is called. */
export class ManagedProcess {
  private child: Child | undefined;
  private stopping = false;

  constructor(
    private readonly dataDir: string,
    private readonly command: Command,
    /** Succeeds when the process is ready. */
    private readonly probe: () => Promise<unknown>,
    private readonly log: Log,
  ) {}

  get name(): string {
    return this.command.name;
  }

  /** Undefined while the process is down. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Rejects when the child exits or is stopped before it is ready. */
  async up(): Promise<void> {
    const { name, logFile } = this.command;
    if (this.stopping) throw new Error(`${name} is stopping`);
    const child = startChild(this.dataDir, this.command);
    this.child = child;
    const ended = child.exited.then(reason => {
      this.child = undefined;
      throw new FatalError(`${name} exited before it was ready (${reason}).${logFile ? lastLogLines(logFile) : ''}`);
    });
    try {
      // Without a time limit: on a busy machine a start takes minutes, and an exit ends the wait at once.
      const mayRetry = (error: Error): boolean => !(error instanceof FatalError) && this.child === child;
      await Promise.race([retryWhile(mayRetry, this.probe, this.reportWait), ended]);
    } catch (error) {
      ended.catch(() => undefined);
      await child.stop();
      throw error;
    }
    ended.catch(() => this.restart(child));
  }

  async down(): Promise<void> {
    this.stopping = true;
    await this.child?.stop();
  }

  private readonly reportWait = (seconds: number, problem: string): void =>
    this.log.warn(`${this.name}: not ready after ${seconds} s, still waiting because its process runs${problem}`);

  private async restart(child: Child): Promise<void> {
    const reason = await child.exited;
    for (let delayMs = 1000; !this.stopping; delayMs = Math.min(delayMs * 2, 30_000)) {
      this.log.error(`${this.command.name}: exited, restarting: ${reason}`);
      await sleep(delayMs);
      const isStarted = await this.up().then(
        () => true,
        () => false,
      );
      if (isStarted) return;
    }
  }
}

const lastLogLines = (logFile: string): string =>
  ` ${logFile} ends with:\n${readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-5).join('\n')}`;

const PATIENCE_SECONDS = 300;
const REPORT_INTERVAL_MS = 5000;

/** Caps the time charged per attempt, so that a suspended machine does not time out. */
const MAX_ATTEMPT_MS = 5000;

const MIN_PAUSE_MS = 50;
const MAX_PAUSE_MS = 500;
/** Pauses grow with the time waited: a long wait takes less of the processor, and is a tenth longer at most. */
const pauseAfter = (waitedMs: number): number => Math.min(Math.max(waitedMs / 10, MIN_PAUSE_MS), MAX_PAUSE_MS);

/** Retries until success, a FatalError or the timeout. */
export async function retryUntilAnswered<T>(attempt: () => Promise<T>, timeoutSeconds = PATIENCE_SECONDS): Promise<T> {
  const since = performance.now();
  for (let patienceMs = timeoutSeconds * 1000; ; ) {
    const begun = performance.now();
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof FatalError || patienceMs <= 0) throw error;
      await sleep(pauseAfter(begun - since));
      patienceMs -= Math.min(performance.now() - begun, MAX_ATTEMPT_MS);
    }
  }
}

/** Retries without a time limit, until success or another error. Reports every few seconds why it waits. */
export async function retryWhile<T>(
  mayRetry: (error: Error) => boolean,
  attempt: () => Promise<T>,
  report: (seconds: number, problem: string) => void,
): Promise<T> {
  const since = performance.now();
  let problem = '';
  const reports = setInterval(
    () => report(Math.round((performance.now() - since) / 1000), problem),
    REPORT_INTERVAL_MS,
  );
  try {
    for (;;) {
      const begun = performance.now();
      try {
        return await attempt();
      } catch (error) {
        if (!mayRetry(error as Error)) throw error;
        problem = `: ${(error as Error).message}`;
        await sleep(pauseAfter(begun - since));
      }
    }
  } finally {
    clearInterval(reports);
  }
}
