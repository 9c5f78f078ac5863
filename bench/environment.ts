/**
 * Starts the measured processes as in production: PostgreSQL with durable settings, the simulator and the API.
 */

import { createMerchant } from '../src/accounts/merchants/accounts';
import { DisposableStack } from '../src/local/disposableStack';
import { freePort } from '../src/local/savedPorts';
import { respondsAt } from '../src/local/stack';
import { type Database, openDatabase } from '../src/platform/database/connection';
import { createLog } from '../src/platform/log';

export interface BenchEnvironment {
  stack: DisposableStack;
  databaseUrl: string;
  db: Database;
  url: string;
  merchant: { id: string; private_key: string };
  /** API_KEY_SECRET. */
  apiKeySecret: string;
  acquirer: { url: string; key: string };
  /** Environment variables of the programs. */
  variables: Record<string, string>;
  down(): Promise<void>;
}

export async function startBenchEnvironment(): Promise<BenchEnvironment> {
  const stack = await DisposableStack.create('bench', createLog('bench'), { yields: true });
  const databaseUrl = await stack.startPostgres();
  const db = openDatabase(databaseUrl);
  const port = await freePort();
  const variables = await stack.startAcquirer(databaseUrl, {
    NODE_ENV: 'production',
    ENVIRONMENT: 'sandbox',
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    PORT: `${port}`,
    PUBLIC_URL: 'https://bench.example',
    TRUSTED_PROXIES: '192.0.2.1',
    MAIL_FROM: 'bench@bench.example',
    LOG_LEVEL: 'warn',
  });
  const url = `http://127.0.0.1:${port}`;
  await stack.startProgram('api', variables, respondsAt(`${url}/health`));
  const { API_KEY_SECRET: apiKeySecret, ACQUIRER_URL, ACQUIRER_KEY } = variables;
  return {
    stack,
    databaseUrl,
    db,
    url,
    merchant: await newMerchant({ db, apiKeySecret }),
    apiKeySecret,
    acquirer: { url: ACQUIRER_URL, key: ACQUIRER_KEY },
    variables,
    down: async () => {
      await db.$disconnect();
      await stack.remove();
    },
  };
}

export function newMerchant({ db, apiKeySecret }: Pick<BenchEnvironment, 'db' | 'apiKeySecret'>) {
  const details = { environment: 'sandbox', name: 'Bench', email: 'bench@example.com', phone: '6011234567' } as const;
  return createMerchant(db, details, apiKeySecret);
}
