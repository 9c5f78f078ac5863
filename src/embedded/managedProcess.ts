import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { FatalError } from '../platform/lifetime';
import type { Log } from '../platform/log';
import { type Child, type Command, startChild } from './childProcesses';

/** A child that is kept running: started again when it ends by itself, until it is taken down. */
export class ManagedProcess {
  private child?: Child;
  private stopping = false;

  constructor(
    private readonly dataDir: string,
    private readonly command: Command,
    /** Resolves when the child is ready for work. */
    private readonly ready: () => Promise<unknown>,
    private readonly log: Log,
  ) {}

  /** Rejects when the child ends, or is taken down, before it is ready. */
  async up(): Promise<void> {
    const { name, logFile } = this.command;
    if (this.stopping) throw new Error(`${name} is not started any more`);
    const child = startChild(this.dataDir, this.command);
    this.child = child;
    const ended = child.exited.then(reason => {
      throw new FatalError(`${name} ended before it was ready (${reason}).${logFile ? ending(logFile) : ''}`);
    });
    try {
      await Promise.race([this.ready(), ended]);
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

  private async restart(child: Child): Promise<void> {
    const reason = await child.exited;
    for (let pause = 1000; !this.stopping; pause = Math.min(pause * 2, 30_000)) {
      this.log.error(`${this.command.name} ended (${reason}) and is started again`);
      await sleep(pause);
      const started = await this.up().then(
        () => true,
        () => false,
      );
      if (started) return;
    }
  }
}

const ending = (logFile: string): string =>
  ` ${logFile} ends with:\n${readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-5).join('\n')}`;

/** Asks again and again until the question is answered without an error. */
export async function retryUntilAnswered<T>(ask: () => Promise<T>, seconds: number): Promise<T> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof FatalError || Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
}
