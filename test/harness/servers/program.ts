import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { LIMIT_VARIABLES } from '../../../src/limits/settings';
import { fromRoot } from '../../../src/platform/root';
import { saveForLeakSearch } from '../cards/canaries';
import { eventually } from '../flow/until';

/** The tests of the limits set those that they are about. */
const noLimits = Object.fromEntries(LIMIT_VARIABLES.map(name => [name, '1000000']));

/** So that a failed test leaves nothing running. */
const running = new Set<Program>();

/** One of the compiled programs, run as a child process, and its output. */
export class Program {
  output = '';
  readonly process: ChildProcess;
  readonly exited: Promise<number | null>;

  constructor(
    name:
      | 'api'
      | 'worker'
      | 'migrate'
      | 'merchant'
      | 'operator'
      | 'simulator'
      | 'mailbox'
      | 'rotateVault'
      | 'audit'
      | 'checkProduction'
      | 'embedded'
      | 'npm start',
    env: Record<string, string>,
    args: string[] = [],
    root = fromRoot(),
  ) {
    const { PATH = '', HOME = '', XDG_CACHE_HOME } = process.env;
    const [file, ...firstArgs] =
      name === 'npm start' ? ['npm', 'start'] : [process.execPath, join(root, `dist/src/programs/${name}.js`)];
    this.process = spawn(file as string, [...firstArgs, ...args], {
      cwd: root,
      env: { PATH, HOME, ...(XDG_CACHE_HOME ? { XDG_CACHE_HOME } : {}), ...noLimits, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream?.on('data', chunk => {
        this.output += chunk;
      });
    }
    this.exited = new Promise(resolve => this.process.once('close', resolve));
    running.add(this);
    this.exited.then(() => {
      running.delete(this);
      saveForLeakSearch('program.log', this.output);
    });
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.process.kill(signal);
    return this.exited;
  }

  /** Resolves when this text has appeared in the output. */
  async waitForOutput(pattern: string | RegExp): Promise<void> {
    const hasAppeared = (): boolean =>
      typeof pattern === 'string' ? this.output.includes(pattern) : pattern.test(this.output);
    const appeared = eventually(async () => {
      if (!hasAppeared()) throw new Error(`It did not say ${pattern}, but:\n${this.output}`);
    });
    const ended = this.exited.then(code => {
      if (!hasAppeared()) throw new Error(`It ended with ${code} and said:\n${this.output}`);
    });
    await Promise.race([appeared, ended]);
  }
}

afterAll(() => Promise.all([...running].map(program => program.stop())));

export interface JsonResponse {
  status: number;
  body: Record<string, unknown>;
}

export async function get(url: string): Promise<JsonResponse> {
  const response = await fetch(url);
  return { status: response.status, body: (await response.json()) as JsonResponse['body'] };
}

/** Repeats the request until the response has this status. */
export const getUntil = (url: string, status: number, timeoutSeconds?: number): Promise<JsonResponse> =>
  eventually(async () => {
    const answer = await get(url);
    if (answer.status !== status) throw new Error(`${url} answered ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }, timeoutSeconds);

/** Repeats the request until this is the answer: a first connection may take longer than the check of /ready allows. */
export const untilAnswer = (url: string, expected: { status: number; body: object }): Promise<void> =>
  eventually(async () => expect(await get(url)).toMatchObject(expected));
