import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { NO_LIMITS } from '../../../src/local/disposableStack';
import { omitUndefined } from '../../../src/platform/database/omitUndefined';
import { fromRoot } from '../../../src/platform/root';
import { saveForLeakSearch } from '../cards/canaries';
import { eventually } from '../flow/until';

/** Programs to stop when a test fails. */
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
    const { PATH = '', HOME = '', XDG_CACHE_HOME, NODE_COMPILE_CACHE } = process.env;
    const [file, ...firstArgs] =
      name === 'npm start' ? ['npm', 'start'] : [process.execPath, join(root, `dist/src/programs/${name}.js`)];
    this.process = spawn(file as string, [...firstArgs, ...args], {
      cwd: root,
      env: { PATH, HOME, ...omitUndefined({ XDG_CACHE_HOME, NODE_COMPILE_CACHE }), ...NO_LIMITS, ...env },
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
    await this.untilSucceeds(async () => {
      if (!hasAppeared()) throw new Error(`It did not say ${pattern}`);
    });
  }

  /** Like `untilAnswer`, but fails with the output when the program ends. */
  untilAnswer(url: string, expected: { status: number; body: object }): Promise<void> {
    return this.untilSucceeds(() => expectAnswer(url, expected));
  }

  /** Repeats the attempt while the program runs, and fails with its output when the program ends. */
  private async untilSucceeds(attempt: () => Promise<void>): Promise<void> {
    const ended = this.exited.then(async code => {
      await attempt().catch(error => {
        throw new Error(`It ended with ${code} and said:\n${this.output}`, { cause: error });
      });
    });
    const succeeded = eventually(attempt).catch(error => {
      throw new Error(`${error.message}. It said:\n${this.output}`, { cause: error });
    });
    await Promise.race([succeeded, ended]);
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

/** Repeats the request until it has this response: a first connection may take longer than the check of /ready. */
export const untilAnswer = (url: string, expected: { status: number; body: object }): Promise<void> =>
  eventually(() => expectAnswer(url, expected));

const expectAnswer = async (url: string, expected: { status: number; body: object }): Promise<void> =>
  expect(await get(url)).toMatchObject(expected);
