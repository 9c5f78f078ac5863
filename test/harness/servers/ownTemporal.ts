/**
 * A Temporal server that one test can kill: the production server on PostgreSQL if Go can build it, and otherwise
 * another development server.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { retryUntilAnswered } from '../../../src/local/processes/managedProcess';
import { Stack } from '../../../src/local/stack';
import { ensureNamespace } from '../../../src/local/temporal/namespace';
import { installProductionTemporal } from '../../../src/local/temporal/production';
import { createLog } from '../../../src/platform/log';
import { atTheEnd } from '../flow/atTheEnd';

interface OwnTemporal {
  address: string;
  /** Kills the server, and starts it again with its data. */
  killAndStart(): Promise<void>;
}

/** Few connections for each of its four services, because the tests share one PostgreSQL. */
const PRODUCTION = { connections: 3 };

export async function startOwnTemporal(): Promise<OwnTemporal> {
  const dataDir = mkdtempSync(join(tmpdir(), 'recaudo-temporal-'));
  atTheEnd(() => rmSync(dataDir, { recursive: true, force: true }));
  const stack = new Stack(dataDir, createLog('test'));
  const hasGo = spawnSync('go', ['version']).status === 0;
  const address = hasGo ? await startProduction(stack) : await stack.startTemporal();
  atTheEnd(() => stack.down());
  await ensureNamespace(address);
  const pid = (): number => stack.find('temporal')?.pid ?? 0;
  return {
    address,
    killAndStart: async () => {
      const killed = pid();
      process.kill(killed, 'SIGKILL');
      await retryUntilAnswered(async () => {
        if ([0, killed].includes(pid())) throw new Error('Temporal has not started again');
      });
      await ensureNamespace(address);
    },
  };
}

async function startProduction(stack: Stack): Promise<string> {
  const options = { dataDir: stack.dataDir, databaseUrl: process.env.TEST_DATABASE_URL ?? '', ...PRODUCTION };
  const temporal = await installProductionTemporal(options);
  atTheEnd(() => temporal.dropDatabases());
  await stack.start(temporal.newProcess());
  return temporal.address;
}
