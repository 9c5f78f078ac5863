/** The processes of one stack in one directory: how each is started, and the order in which they stop. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../platform/log';
import { fromRoot } from '../platform/root';
import type { Command } from './childProcesses';
import { ManagedProcess, retryUntilAnswered } from './managedProcess';
import { initialisePostgres, newPassword, type PostgresOptions, postgresProcess, postgresUrl } from './postgres/server';
import { reporter } from './progress';
import { freePort } from './savedPorts';
import { findTemporal } from './temporal/binary';
import { type TemporalOptions, temporalProcess } from './temporal/server';

/** By the name of a process: the program that it runs. */
const PROGRAMS = {
  api: 'api',
  worker: 'worker',
  otherworker: 'worker',
  acquirer: 'simulator',
  mail: 'mailbox',
} as const;
type PartName = keyof typeof PROGRAMS;

/** The API stops first, so that requests in flight still find the other parts. */
const STOP_ORDER = [...Object.keys(PROGRAMS), 'temporal', 'postgres'];

interface StackOptions {
  /** The worker and Temporal leave the processor to the API: renewals can wait for a second, clients do not. */
  yields?: boolean;
  /** The programs write to files in DATA_DIR/logs instead of our own output. */
  logsToFiles?: boolean;
}

export class Stack {
  private readonly processes: ManagedProcess[] = [];
  private isStopping = false;

  constructor(
    readonly dataDir: string,
    private readonly log: Log,
    private readonly options: StackOptions = {},
  ) {}

  /** Returns the URL of an empty or earlier database. `beforeStart` is called once the cluster exists. */
  async startPostgres({
    beforeStart,
    ...given
  }: Partial<PostgresOptions> & { beforeStart?: () => void } = {}): Promise<string> {
    const { port = await freePort(), password = newPassword() } = given;
    const options = { ...given, dataDir: this.dataDir, port, password };
    await initialisePostgres(options);
    beforeStart?.();
    await this.start(postgresProcess(options, this.log));
    return postgresUrl(options);
  }

  /** Returns the address of a development server, whose namespace may not be ready yet. */
  async startTemporal(
    given: Partial<TemporalOptions> = {},
    stop: AbortSignal = new AbortController().signal,
  ): Promise<string> {
    const { port = await freePort(), uiPort = await freePort([port]), namespace = 'default' } = given;
    const binary = await findTemporal(reporter('Temporal server'), stop);
    // Nothing is awaited from here until the child exists, so `down` either prevents its start or finds it.
    stop.throwIfAborted();
    const { yields = false } = this.options;
    await this.start(
      temporalProcess({ ...given, dataDir: this.dataDir, binary, port, uiPort, namespace, yields }, this.log),
    );
    return `127.0.0.1:${port}`;
  }

  startProgram(
    name: PartName,
    env: NodeJS.ProcessEnv,
    untilReady: () => Promise<unknown> = async () => undefined,
  ): Promise<ManagedProcess> {
    const program = PROGRAMS[name];
    const { yields = false, logsToFiles } = this.options;
    // Without a limit V8 sizes its heap by the machine's memory; the worker needs only what its workflow cache takes.
    const flags = program === 'worker' ? ['--max-old-space-size=256'] : [];
    const command: Command = {
      name,
      file: process.execPath,
      args: [...flags, fromRoot(`dist/src/programs/${program}.js`)],
      env,
      stopSignal: 'SIGTERM',
      isProgram: true,
      yields: yields && program === 'worker',
      ...(logsToFiles ? { logFile: this.logFile(name) } : {}),
    };
    return this.start(new ManagedProcess(this.dataDir, command, untilReady, this.log));
  }

  logFile(name: PartName): string {
    const directory = join(this.dataDir, 'logs');
    mkdirSync(directory, { recursive: true });
    return join(directory, `${name}.log`);
  }

  /** It is restarted when it exits, until it or the stack is stopped. */
  async start(managed: ManagedProcess): Promise<ManagedProcess> {
    if (this.isStopping) throw new Error(`${managed.name} is not started any more`);
    this.processes.push(managed);
    await managed.up();
    return managed;
  }

  /** The latest of this name. */
  find(name: string): ManagedProcess | undefined {
    return this.processes.findLast(managed => managed.name === name);
  }

  async down(): Promise<void> {
    this.isStopping = true;
    const rank = ({ name }: ManagedProcess): number => STOP_ORDER.indexOf(name);
    for (const managed of this.processes.toSorted((one, other) => rank(one) - rank(other))) await managed.down();
  }
}

/** A wait until the address answers with success. */
export const answersAt = (url: string) => (): Promise<void> =>
  retryUntilAnswered(async () => {
    const { ok, status } = await fetch(url);
    if (!ok) throw new Error(`${url} answered ${status}`);
  });
