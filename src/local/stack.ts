/** Starts the processes of a stack in a directory, and stops them in order. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../platform/log';
import { fromRoot } from '../platform/root';
import { initialisePostgres, newPassword, type PostgresOptions, postgresProcess, postgresUrl } from './postgres/server';
import type { Command } from './processes/childProcesses';
import { ManagedProcess } from './processes/managedProcess';
import { reporter } from './progress';
import { freePort } from './savedPorts';
import { findTemporal } from './temporal/binary';
import { type TemporalOptions, temporalProcess } from './temporal/server';

/** Program of each process. */
const PROGRAMS = {
  api: 'api',
  worker: 'worker',
  otherworker: 'worker',
  acquirer: 'simulator',
  mail: 'mailbox',
} as const;
type PartName = keyof typeof PROGRAMS;

/** The API stops first, so that requests in flight can still use the other processes. */
const STOP_ORDER = [...Object.keys(PROGRAMS), 'temporal', 'postgres'];

interface StackOptions {
  /** Gives the worker and Temporal lower CPU priority than the API. */
  yields?: boolean;
  /** Programs log to files in DATA_DIR/logs instead of our output. */
  logsToFiles?: boolean;
  /** Called when a program asks for its port. */
  releasePort?: () => Promise<void>;
}

export class Stack {
  private readonly processes: ManagedProcess[] = [];
  private isStopping = false;

  constructor(
    readonly dataDir: string,
    private readonly log: Log,
    private readonly options: StackOptions = {},
  ) {}

  /** Returns the URL of the database, new or existing. Calls `beforeStart` when the cluster exists. */
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

  /** Returns the address of a development server. Its namespace may not be ready yet. */
  async startTemporal(
    given: Partial<TemporalOptions> = {},
    stop: AbortSignal = new AbortController().signal,
  ): Promise<string> {
    const { port = await freePort(), uiPort = await freePort([port]), namespace = 'default' } = given;
    const binary = await findTemporal(reporter('Temporal server'), stop);
    // No await until the child exists, so `down` either prevents the start or finds the child.
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
    probe: () => Promise<unknown> = async () => undefined,
  ): Promise<ManagedProcess> {
    const program = PROGRAMS[name];
    const { yields = false, logsToFiles, releasePort } = this.options;
    // Without a limit, V8 sizes its heap by the machine's memory, far more than the worker needs.
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
      ...(releasePort ? { onMessage: releasePort } : {}),
    };
    return this.start(new ManagedProcess(this.dataDir, command, probe, this.log));
  }

  logFile(name: PartName): string {
    const directory = join(this.dataDir, 'logs');
    mkdirSync(directory, { recursive: true });
    return join(directory, `${name}.log`);
  }

  /** Restarts the program when it exits, until it or the stack is stopped. */
  async start(managed: ManagedProcess): Promise<ManagedProcess> {
    if (this.isStopping) throw new Error(`${managed.name} is not started any more`);
    this.processes.push(managed);
    await managed.up();
    return managed;
  }

  /** Latest process with this name. */
  find(name: string): ManagedProcess | undefined {
    return this.processes.findLast(managed => managed.name === name);
  }

  async down(): Promise<void> {
    this.isStopping = true;
    const rank = ({ name }: ManagedProcess): number => STOP_ORDER.indexOf(name);
    for (const managed of this.processes.toSorted((one, other) => rank(one) - rank(other))) await managed.down();
  }
}

/** Succeeds when the address returns a success status. */
export const respondsAt = (url: string) => async (): Promise<void> => {
  const { ok, status, body } = await fetch(url);
  await body?.cancel();
  if (!ok) throw new Error(`${url} answered ${status}`);
};
