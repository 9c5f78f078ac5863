/** Starts one real PostgreSQL and one real Temporal server for the whole test run, in a temporary directory. */
import { execFileSync } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../../src/database/migrations';
import type { ManagedProcess } from '../../../src/embedded/managedProcess';
import { initialisePostgres, newPassword, postgresProcess, postgresUrl } from '../../../src/embedded/postgres';
import { reporter } from '../../../src/embedded/progress';
import { freePort } from '../../../src/embedded/savedPorts';
import { findTemporal } from '../../../src/embedded/temporal/binary';
import { temporalProcess } from '../../../src/embedded/temporal/server';
import { waitForTemporal } from '../../../src/embedded/temporal/waitForTemporal';
import { createLog } from '../../../src/platform/log';
import { fromRoot } from '../../../src/platform/root';
import { findBrowser } from '../browser/executable.cjs';
import teardown from './globalTeardown';

interface TestServers {
  directory: string;
  processes: ManagedProcess[];
}

declare global {
  var testServers: TestServers;
}

/** The data need not survive a crash, so no write waits for the disk. */
const UNSAFE_SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' };

/** What operators can do on some servers, and what the program must bear. */
const TEMPORAL_SETTINGS = { 'frontend.WorkflowPauseEnabled': 'true' };

export default async function setup(): Promise<void> {
  // The tests run what is built, also when Jest is called directly.
  execFileSync(process.execPath, [fromRoot('build.mjs')], { stdio: 'inherit' });
  const dataDir = await mkdtemp(join(tmpdir(), 'recaudo-test-'));
  const testServers: TestServers = { directory: dataDir, processes: [] };
  globalThis.testServers = testServers;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => teardown().finally(() => process.exit(1)));
  }
  chooseBrowser();
  const log = createLog('test');

  const database = { dataDir, port: await freePort(), password: newPassword(), settings: UNSAFE_SETTINGS };
  const startDatabase = async (): Promise<void> => {
    await initialisePostgres(database);
    const postgres = postgresProcess(database, log);
    testServers.processes.push(postgres);
    await postgres.up();
    await migrate(postgresUrl(database), fromRoot('prisma/migrations'));
  };
  const port = await freePort([database.port]);
  // fetch() asks nothing at port 10080.
  const uiPort = await freePort([database.port, port, 10_080]);
  const startTemporal = async (): Promise<void> => {
    const binary = await findTemporal(reporter('Temporal server'), new AbortController().signal);
    const options = { dataDir, binary, port, uiPort, namespace: 'default', settings: TEMPORAL_SETTINGS };
    const temporal = temporalProcess(options, log);
    testServers.processes.push(temporal);
    await temporal.up();
    await waitForTemporal(`127.0.0.1:${port}`, 'default');
  };
  await Promise.all([startDatabase(), startTemporal()]);
  process.env.TEST_DIRECTORY = dataDir;
  process.env.TEST_DATABASE_URL = postgresUrl(database);
  process.env.TEST_TEMPORAL_ADDRESS = `127.0.0.1:${port}`;
}

/** Said once for the whole run. Without a browser only the tests that need one fail. */
function chooseBrowser(): void {
  try {
    const browser = findBrowser();
    console.info(`Browser: ${browser.name}`);
    process.env.TEST_BROWSER = JSON.stringify(browser);
  } catch (error) {
    process.env.TEST_BROWSER_PROBLEM = (error as Error).message;
    console.warn(process.env.TEST_BROWSER_PROBLEM);
  }
}
