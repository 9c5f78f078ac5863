/**
 * Starts what is measured as it runs in production: PostgreSQL with durable settings, the simulator and the API as
 * processes.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMerchant } from '../src/accounts/merchants/accounts';
import { retryUntilAnswered } from '../src/local/managedProcess';
import { initialisePostgres, newPassword, postgresProcess, postgresUrl } from '../src/local/postgres';
import { freePort } from '../src/local/savedPorts';
import { newSecrets } from '../src/local/secrets';
import { type Database, openDatabase } from '../src/platform/database/connection';
import { migrate } from '../src/platform/database/migrations';
import { LIMIT_VARIABLES } from '../src/platform/limits/settings';
import { createLog } from '../src/platform/log';
import { fromRoot } from '../src/platform/root';
import { startProgram, stopProgram } from './programs';

export interface BenchEnvironment {
  databaseUrl: string;
  db: Database;
  url: string;
  merchant: { id: string; private_key: string };
  /** API keys are hashed with it. */
  apiKeySecret: string;
  acquirer: { url: string; key: string };
  dataDir: string;
  /** The environment variables of the programs. */
  variables: Record<string, string | undefined>;
  down(): Promise<void>;
}

/** What is measured is how fast it is, not how fast a merchant may be. */
const noLimits = Object.fromEntries(LIMIT_VARIABLES.map(name => [name, '1000000']));

export async function startBenchEnvironment(): Promise<BenchEnvironment> {
  const dataDir = await mkdtemp(join(tmpdir(), 'recaudo-bench-'));
  const database = { dataDir, port: await freePort(), password: newPassword() };
  await initialisePostgres(database);
  const postgres = postgresProcess(database, createLog('bench'));
  await postgres.up();
  const databaseUrl = postgresUrl(database);
  await migrate(databaseUrl, fromRoot('prisma/migrations'));
  const db = openDatabase(databaseUrl);
  const apiKeySecret = newPassword();
  const merchant = await newMerchant({ db, apiKeySecret });

  const [port, acquirerPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const acquirerUrl = `http://127.0.0.1:${acquirerPort}`;
  const secrets = newSecrets();
  const env = {
    ...process.env,
    ...secrets,
    ACQUIRER_URL: acquirerUrl,
    ACQUIRER_PORT: `${acquirerPort}`,
    ACQUIRER_JOURNAL: join(dataDir, 'journal.ndjson'),
    NODE_ENV: 'production',
    ENVIRONMENT: 'sandbox',
    API_KEY_SECRET: apiKeySecret,
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    PORT: `${port}`,
    PUBLIC_URL: 'https://bench.example',
    TRUSTED_PROXIES: '192.0.2.1',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'bench@bench.example',
    LOG_LEVEL: 'warn',
    ...noLimits,
  };
  const processes = [startProgram('simulator', env), startProgram('api', env)];
  for (const address of [acquirerUrl, url]) await retryUntilAnswered(() => fetch(`${address}/health`));
  const down = async (): Promise<void> => {
    for (const child of processes.reverse()) await stopProgram(child);
    await db.$disconnect();
    await postgres.down();
    await rm(dataDir, { recursive: true, force: true });
  };
  return {
    databaseUrl,
    db,
    url,
    merchant,
    apiKeySecret,
    acquirer: { url: acquirerUrl, key: secrets.ACQUIRER_KEY },
    dataDir,
    variables: env,
    down,
  };
}

export function newMerchant({ db, apiKeySecret }: Pick<BenchEnvironment, 'db' | 'apiKeySecret'>) {
  const details = { environment: 'sandbox', name: 'Bench', email: 'bench@example.com', phone: '6011234567' } as const;
  return createMerchant(db, details, apiKeySecret);
}
