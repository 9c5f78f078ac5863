/** A stack in a temporary directory, for benchmarks and tests. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../platform/database/migrations';
import { LIMIT_VARIABLES } from '../platform/limits/settings';
import type { Log } from '../platform/log';
import { fromRoot } from '../platform/root';
import { newPassword } from './postgres/server';
import { freePort } from './savedPorts';
import { newSecrets } from './secrets';
import { respondsAt, Stack } from './stack';

/** Effectively disables all rate limits. */
export const NO_LIMITS = Object.fromEntries(LIMIT_VARIABLES.map(name => [name, '1000000']));

export class DisposableStack extends Stack {
  static async create(name: string, log: Log, options: { yields?: boolean } = {}): Promise<DisposableStack> {
    return new DisposableStack(await mkdtemp(join(tmpdir(), `recaudo-${name}-`)), log, {
      ...options,
      logsToFiles: true,
    });
  }

  /** Returns the URL of a migrated database. */
  override async startPostgres(options: Parameters<Stack['startPostgres']>[0] = {}): Promise<string> {
    const url = await super.startPostgres(options);
    await migrate(url, fromRoot('prisma/migrations'));
    return url;
  }

  /** Starts the acquirer. Returns environment variables for the programs. */
  async startAcquirer(databaseUrl: string, extra: Record<string, string>) {
    const acquirerPort = await freePort();
    const variables = {
      ...newSecrets(),
      ...NO_LIMITS,
      API_KEY_SECRET: newPassword(),
      DATABASE_URL: databaseUrl,
      ACQUIRER_URL: `http://127.0.0.1:${acquirerPort}`,
      ACQUIRER_PORT: `${acquirerPort}`,
      ACQUIRER_JOURNAL: join(this.dataDir, 'journal.ndjson'),
      SMTP_URL: 'smtp://127.0.0.1:1',
      ...extra,
    };
    await this.startProgram('acquirer', variables, respondsAt(`${variables.ACQUIRER_URL}/health`));
    return variables;
  }

  /** Stops everything and removes the directory. */
  async remove(): Promise<void> {
    await this.down();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
