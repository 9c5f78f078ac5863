/** What is tortured: PostgreSQL, Temporal, the acquirer, the API and two workers, each started again when it dies. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import type { Command } from '../src/local/childProcesses';
import { readJson } from '../src/local/jsonFile';
import { ManagedProcess, retryUntilAnswered } from '../src/local/managedProcess';
import { initialisePostgres, newPassword, postgresProcess, postgresUrl } from '../src/local/postgres';
import { freePort } from '../src/local/savedPorts';
import { newSecrets } from '../src/local/secrets';
import { findTemporal } from '../src/local/temporal/binary';
import { temporalProcess } from '../src/local/temporal/server';
import { type Database, openDatabase } from '../src/platform/database/connection';
import { migrate } from '../src/platform/database/migrations';
import { LIMIT_VARIABLES } from '../src/platform/limits/settings';
import { fromRoot } from '../src/platform/root';
import { AcquirerLink } from './acquirerLink';
import { Disk } from './disk';
import { WrongClock } from './wrongClock';

/** `otherworker` is the one whose clock goes wrong. */
export const PARTS = ['api', 'worker', 'otherworker', 'acquirer', 'postgres', 'temporal'] as const;
export type Part = (typeof PARTS)[number];

/** The run itself says which part was killed. */
const log = pino({ level: 'silent' });
const noLimits = Object.fromEntries(LIMIT_VARIABLES.map(name => [name, '1000000']));

export class TortureStack {
  private readonly processes: ManagedProcess[] = [];

  private constructor(
    readonly dataDir: string,
    readonly url: string,
    readonly databaseUrl: string,
    /** A database of the same server that nothing depends on. */
    readonly otherDatabaseUrl: string,
    readonly acquirerUrl: string,
    readonly apiKeySecret: string,
    readonly otherWorkerUrl: string,
    readonly link: AcquirerLink,
    readonly disk: Disk | undefined,
    readonly clock: WrongClock | undefined,
    readonly db: Database,
  ) {}

  static async start(): Promise<TortureStack> {
    const dataDir = mkdtempSync(join(tmpdir(), 'recaudo-torture-'));
    const diskPath = join(dataDir, 'disk');
    const [port, acquirerPort, temporalPort, uiPort, metricsPort, databasePort] = await Promise.all(
      Array.from({ length: 6 }, () => freePort()),
    );
    const local = (number: number | undefined): string => `http://127.0.0.1:${number}`;
    const disk = Disk.mount(diskPath);
    const database = { dataDir, port: databasePort ?? 0, password: newPassword() };
    const link = await AcquirerLink.open(acquirerPort ?? 0);
    const stack = new TortureStack(
      dataDir,
      local(port),
      postgresUrl(database),
      postgresUrl(database, 'postgres'),
      local(acquirerPort),
      newPassword(),
      local(metricsPort),
      link,
      disk,
      WrongClock.at(join(dataDir, 'clock')),
      openDatabase(postgresUrl(database)),
    );
    try {
      const binary = await findTemporal(console.info, new AbortController().signal);
      await initialisePostgres(database);
      if (disk) disk.take(join(dataDir, 'postgres'));
      // Old log files of the server would fill the small disk.
      await stack.add(postgresProcess({ ...database, settings: { max_wal_size: '128MB' } }, log));
      await migrate(stack.databaseUrl, fromRoot('prisma/migrations'));
      const temporal = { dataDir, binary, port: temporalPort ?? 0, uiPort: uiPort ?? 0, namespace: 'default' };
      await stack.add(temporalProcess(temporal, log));
      const env = {
        ...newSecrets(),
        ...noLimits,
        DATABASE_URL: stack.databaseUrl,
        TEMPORAL_ADDRESS: `127.0.0.1:${temporalPort}`,
        API_KEY_SECRET: stack.apiKeySecret,
        PORT: `${port}`,
        ACQUIRER_URL: link.url,
        ACQUIRER_PORT: `${acquirerPort}`,
        ACQUIRER_JOURNAL: join(dataDir, 'journal.ndjson'),
        NOTIFICATION_URL: `${stack.url}/notifications/acquirer`,
        SMTP_URL: 'smtp://127.0.0.1:1',
      };
      const otherEnv = { ...env, METRICS_PORT: `${metricsPort}`, ...stack.clock?.variables };
      await stack.addProgram('acquirer', 'simulator', env, `${stack.acquirerUrl}/health`);
      await stack.addProgram('api', 'api', env, `${stack.url}/health`);
      await stack.addProgram('worker', 'worker', env);
      await stack.addProgram('otherworker', 'worker', otherEnv, stack.otherWorkerUrl);
      await stack.untilReady();
      return stack;
    } catch (error) {
      await stack.down();
      throw error;
    }
  }

  async untilReady(): Promise<void> {
    await retryUntilAnswered(async () => {
      const { status } = await fetch(`${this.url}/ready`);
      if (status !== 200) throw new Error(`/ready answers ${status}`);
    }, 120);
  }

  /** Undefined while it is down. */
  pidOf(part: Part): number | undefined {
    const { pid } = readJson<{ pid: number }>(join(this.dataDir, 'processes', `${part}.json`)) ?? {};
    return pid;
  }

  async down(): Promise<void> {
    await this.db.$disconnect();
    for (const managed of this.processes.reverse()) await managed.down();
    this.link.close();
    this.disk?.unmount();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  private async add(managed: ManagedProcess): Promise<void> {
    this.processes.push(managed);
    await managed.up();
  }

  /** Ends with this process. All that it says, in all its lives, is in one file. */
  private async addProgram(name: Part, program: string, env: object, answers?: string): Promise<void> {
    const logFile = join(this.logs, `${name}.log`);
    const flags = program === 'worker' ? ['--max-old-space-size=256'] : [];
    const command: Command = {
      name,
      file: '/bin/sh',
      args: [
        '-c',
        'exec "$0" "$@" >> "$LOG_FILE" 2>&1',
        process.execPath,
        ...flags,
        fromRoot(`dist/src/programs/${program}.js`),
      ],
      env: { ...env, LOG_FILE: logFile },
      stopSignal: 'SIGTERM',
    };
    const untilAnswer = () => (answers ? retryUntilAnswered(() => fetch(answers)) : Promise.resolve());
    await this.add(new ManagedProcess(this.dataDir, command, untilAnswer, log));
  }

  private get logs(): string {
    const path = join(this.dataDir, 'logs');
    mkdirSync(path, { recursive: true });
    return path;
  }
}
