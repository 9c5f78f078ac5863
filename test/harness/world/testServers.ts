/** One real PostgreSQL and one real Temporal server for the whole test run, in a temporary directory. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ManagedProcess } from '../../../src/local/managedProcess';
import { initialisePostgres, newPassword, postgresProcess, postgresUrl } from '../../../src/local/postgres';
import { reporter } from '../../../src/local/progress';
import { freePort } from '../../../src/local/savedPorts';
import { findTemporal } from '../../../src/local/temporal/binary';
import { temporalProcess } from '../../../src/local/temporal/server';
import { waitForTemporal } from '../../../src/local/temporal/waitForTemporal';
import { migrate } from '../../../src/platform/database/migrations';
import { createLog } from '../../../src/platform/log';
import { fromRoot } from '../../../src/platform/root';
import { canaries } from '../cards/canaries';
import { closeBrowser } from './browser';
import { databaseUrl, inDatabase } from './database';
import { stopWorlds } from './world';

/** The data need not survive a crash, so no write waits for the disk. */
const UNSAFE_SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' };

/** Operators can switch pausing on in some servers, and the program must cope with it. */
const TEMPORAL_SETTINGS = { 'frontend.WorkflowPauseEnabled': 'true' };

const processes: ManagedProcess[] = [];
let directory = '';

export async function startServers(): Promise<void> {
  directory = await mkdtemp(join(tmpdir(), 'recaudo-test-'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stopServers().finally(() => process.exit(1)));
  const log = createLog('test');

  const database = { dataDir: directory, port: await freePort(), password: newPassword(), settings: UNSAFE_SETTINGS };
  const startDatabase = async (): Promise<void> => {
    await initialisePostgres(database);
    const postgres = postgresProcess(database, log);
    processes.push(postgres);
    await postgres.up();
    await migrate(postgresUrl(database), fromRoot('prisma/migrations'));
  };
  const port = await freePort([database.port]);
  // fetch() refuses port 10080.
  const uiPort = await freePort([database.port, port, 10_080]);
  const startTemporal = async (): Promise<void> => {
    const binary = await findTemporal(reporter('Temporal server'), new AbortController().signal);
    const options = { dataDir: directory, binary, port, uiPort, namespace: 'default', settings: TEMPORAL_SETTINGS };
    const temporal = temporalProcess(options, log);
    processes.push(temporal);
    await temporal.up();
    await waitForTemporal(`127.0.0.1:${port}`, 'default');
  };
  await Promise.all([startDatabase(), startTemporal()]);
  process.env.TEST_DIRECTORY = directory;
  process.env.TEST_DATABASE_URL = postgresUrl(database);
  process.env.TEST_TEMPORAL_ADDRESS = `127.0.0.1:${port}`;
}

/** Stops everything, and searches everything that the run has written for card numbers. */
export async function stopServers(): Promise<void> {
  // The worlds of other Jest processes ended with those processes; their databases are still there.
  const leaks = await stopWorlds();
  await closeBrowser();
  for (const name of await worldDatabases())
    leaks.push(...(await inDatabase(databaseUrl(name), client => canaries.inTables(client))));
  await Promise.all(processes.splice(0).map(managed => managed.down()));
  leaks.push(...canaries.inFiles(directory));
  await rm(directory, { recursive: true, force: true });
  if (leaks.length > 0) throw new Error(`Card numbers or security codes were written to ${leaks.join(', ')}`);
}

const worldDatabases = (): Promise<string[]> =>
  inDatabase(databaseUrl('postgres'), async client => {
    const { rows } = await client.query<{ datname: string }>(
      `select datname from pg_database where datname like 'world\\_%'`,
    );
    return rows.map(({ datname }) => datname);
  });
