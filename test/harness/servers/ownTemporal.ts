/**
 * A Temporal server of the test's own, which it can kill: the production server on PostgreSQL where Go can build it, and
 * otherwise another development server.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProductionServer } from '../../../bench/productionTemporal';
import { reporter } from '../../../src/local/progress';
import { findTemporal } from '../../../src/local/temporal/binary';
import { temporalProcess } from '../../../src/local/temporal/server';
import { waitForTemporal } from '../../../src/local/temporal/waitForTemporal';
import { createLog } from '../../../src/platform/log';
import { atTheEnd } from '../flow/atTheEnd';
import { testPort } from './port';

interface OwnTemporal {
  address: string;
  /** Kills it, and starts it again with what it holds. */
  killAndStart(): Promise<void>;
}

/** Few connections for each of its four services: the tests share one PostgreSQL. */
const PRODUCTION = { shards: 4, connections: 3 };

export async function startOwnTemporal(): Promise<OwnTemporal> {
  const dataDir = mkdtempSync(join(tmpdir(), 'recaudo-temporal-'));
  atTheEnd(() => rmSync(dataDir, { recursive: true, force: true }));
  return spawnSync('go', ['version']).status === 0 ? startProduction(dataDir) : startDevelopment(dataDir);
}

async function startProduction(dataDir: string): Promise<OwnTemporal> {
  const place = { dataDir, databaseUrl: process.env.TEST_DATABASE_URL ?? '' };
  const server = await startProductionServer(place, PRODUCTION);
  atTheEnd(() => server.down());
  return {
    address: server.address,
    killAndStart: async () => {
      await server.stop('SIGKILL');
      await server.start();
    },
  };
}

async function startDevelopment(dataDir: string): Promise<OwnTemporal> {
  const binary = await findTemporal(reporter('Temporal server'), new AbortController().signal);
  const [port, uiPort] = [await testPort(), await testPort()];
  const start = async () => {
    const server = temporalProcess({ dataDir, binary, port, uiPort, namespace: 'default' }, createLog('test'));
    await server.up();
    await waitForTemporal(`127.0.0.1:${port}`, 'default');
    return server;
  };
  let server = await start();
  atTheEnd(() => server.down());
  return {
    address: `127.0.0.1:${port}`,
    killAndStart: async () => {
      await server.down();
      server = await start();
    },
  };
}
