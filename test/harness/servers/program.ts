import { type ChildProcess, spawn } from 'node:child_process';
import { retryUntilAnswered } from '../../../src/embedded/managedProcess';
import { fromRoot } from '../../../src/platform/root';
import { keepForSearch } from '../cards/canaries';

/** A compiled program of ours as somebody would run it, and what it said. */
export class Program {
  output = '';
  readonly process: ChildProcess;
  readonly exited: Promise<number | null>;
  private static readonly all = new Set<Program>();

  constructor(
    name:
      | 'api'
      | 'worker'
      | 'migrate'
      | 'merchant'
      | 'simulator'
      | 'mailbox'
      | 'rotateVault'
      | 'audit'
      | 'embedded'
      | 'npm start',
    env: Record<string, string>,
    args: string[] = [],
  ) {
    const { PATH = '', HOME = '', XDG_CACHE_HOME } = process.env;
    const [file, ...before] =
      name === 'npm start' ? ['npm', 'start'] : [process.execPath, fromRoot(`dist/src/programs/${name}.js`)];
    this.process = spawn(file as string, [...before, ...args], {
      cwd: fromRoot(),
      env: { PATH, HOME, ...(XDG_CACHE_HOME ? { XDG_CACHE_HOME } : {}), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream?.on('data', chunk => {
        this.output += chunk;
      });
    }
    this.exited = new Promise(resolve => this.process.once('close', resolve));
    Program.all.add(this);
    this.exited.then(() => {
      Program.all.delete(this);
      keepForSearch('program.log', this.output);
    });
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.process.kill(signal);
    return this.exited;
  }

  /** Resolves when the program has said this. */
  async says(words: string | RegExp, seconds = 30): Promise<void> {
    const said = (): boolean => (typeof words === 'string' ? this.output.includes(words) : words.test(this.output));
    const heard = retryUntilAnswered(async () => {
      if (!said()) throw new Error(`It did not say ${words}, but:\n${this.output}`);
    }, seconds);
    const ended = this.exited.then(code => {
      if (!said()) throw new Error(`It ended with ${code} and said:\n${this.output}`);
    });
    await Promise.race([heard, ended]);
  }

  /** For afterAll: a test that failed half way leaves nothing running. */
  static async stopAll(): Promise<void> {
    await Promise.all([...Program.all].map(program => program.stop()));
  }
}

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

export async function get(url: string): Promise<Answer> {
  const response = await fetch(url);
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

/** Asks until the answer has this status. */
export const getUntil = (url: string, status: number, seconds = 30): Promise<Answer> =>
  retryUntilAnswered(async () => {
    const answer = await get(url);
    if (answer.status !== status) throw new Error(`${url} answered ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }, seconds);
