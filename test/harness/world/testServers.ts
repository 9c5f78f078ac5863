/** One real PostgreSQL and one real Temporal server for the whole test run, in a temporary directory. */
import { DisposableStack } from '../../../src/local/disposableStack';
import { ensureNamespace } from '../../../src/local/temporal/namespace';
import { createLog } from '../../../src/platform/log';
import { canaries } from '../cards/canaries';
import { databaseUrl, inDatabase } from './database';
import { stopAtTheEnd } from './endOfRun';

/**
 * The data need not survive a crash, so writes do not wait for the disk. Without autovacuum the statistics of a table do not
 * depend on how long a run takes; it would also start a process each second for the many databases of a run.
 */
const UNSAFE_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_connections: '400',
};

/** Some servers allow operators to enable pausing, which the program must handle. */
const TEMPORAL_SETTINGS = { 'frontend.WorkflowPauseEnabled': 'true' };

let stack: DisposableStack;

export async function startServers(): Promise<void> {
  stack = await DisposableStack.create('test', createLog('test'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stopServers().finally(() => process.exit(1)));
  const startTemporal = async (): Promise<string> => {
    const address = await stack.startTemporal({ settings: TEMPORAL_SETTINGS });
    await ensureNamespace(address);
    return address;
  };
  const [databaseUrl, temporalAddress] = await Promise.all([
    stack.startPostgres({ settings: UNSAFE_SETTINGS }),
    startTemporal(),
  ]);
  process.env.TEST_DIRECTORY = stack.dataDir;
  process.env.TEST_DATABASE_URL = databaseUrl;
  process.env.TEST_TEMPORAL_ADDRESS = temporalAddress;
}

/** Stops everything, and searches everything that the run has written for card numbers. */
export async function stopServers(): Promise<void> {
  // The worlds of other Jest processes ended with those processes; their databases still exist.
  const leaks: string[] = [];
  for (const stop of stopAtTheEnd.splice(0)) leaks.push(...(await stop()));
  for (const name of await worldDatabases())
    leaks.push(...(await inDatabase(databaseUrl(name), client => canaries.inTables(client))));
  await stack.down();
  leaks.push(...canaries.inFiles(stack.dataDir));
  await stack.remove();
  // With --runInBand, this process also runs the tests, and their worlds have yet to exit.
  delete process.env.TEST_DIRECTORY;
  if (leaks.length > 0) throw new Error(`Card numbers or security codes were written to ${leaks.join(', ')}`);
}

const worldDatabases = (): Promise<string[]> =>
  inDatabase(databaseUrl('postgres'), async client => {
    const { rows } = await client.query<{ datname: string }>(
      `select datname from pg_database where datname like 'world\\_%'`,
    );
    return rows.map(({ datname }) => datname);
  });
