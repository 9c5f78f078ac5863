/** The /ready report about a dependency that is reachable but does not work. */
import type { Connection } from '@temporalio/client';
import { freePort } from '../../src/local/savedPorts';
import { atTheEnd } from '../harness/flow/atTheEnd';
import { testDatabase } from '../harness/servers/database';
import { getUntil, Program, untilAnswer } from '../harness/servers/program';
import { testNamespace } from '../harness/servers/temporal';
import { inDatabase } from '../harness/world/database';
import { apiVariables } from '../harness/world/secrets';
import { temporalAddress } from '../harness/world/temporal';

const database = testDatabase();
const namespace = testNamespace();
let ready: string;
let worker: Program;

async function start(databaseUrl: string, namespaceName: string) {
  const port = await freePort();
  const variables = {
    ...apiVariables,
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: namespaceName,
  };
  new Program('api', { ...variables, PORT: `${port}` });
  return { worker: new Program('worker', variables), ready: `http://127.0.0.1:${port}/ready` };
}

beforeAll(async () => {
  ({ worker, ready } = await start(database.url(), namespace.name));
});
beforeEach(() => getUntil(ready, 200));

it('a hanging worker is down, although Temporal counts it as connected, and up again when it resumes', async () => {
  atTheEnd(() => worker.process.kill('SIGCONT'));
  worker.process.kill('SIGSTOP');
  await untilAnswer(ready, { status: 503, body: { database: 'up', temporal: 'up', worker: 'down' } });
  await untilAnswer(`${ready}/api`, { status: 200, body: { database: 'up', worker: 'down' } });
  worker.process.kill('SIGCONT');
  await getUntil(ready, 200);
});

/** Ends existing database sessions, because they keep their initial settings. */
const setForDatabase = (change: string): Promise<unknown> =>
  inDatabase(database.url(), async client => {
    const name = new URL(database.url()).pathname.slice(1);
    await client.query(`set transaction_read_only = off; alter database ${name} ${change}`);
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
  });

it.each([
  ['is read-only', 'default_transaction_read_only', 'on'],
  // A file at its size limit causes the same PostgreSQL error as a full disk.
  ['has no room for another file', 'temp_file_limit', '0'],
])('a database that %s is reported as not writable, and the worker as up', async (_, setting, value) => {
  atTheEnd(() => setForDatabase(`reset ${setting}`));
  await setForDatabase(`set ${setting} = ${value}`);
  await untilAnswer(ready, { status: 503, body: { database: 'unwritable', temporal: 'up', worker: 'up' } });
  await untilAnswer(`${ready}/api`, { status: 503, body: { database: 'unwritable' } });
  await setForDatabase(`reset ${setting}`);
  await getUntil(ready, 200);
});

describe('a worker that cannot register its search attributes', () => {
  const other = testDatabase();
  const full = testNamespace();
  /** As many keywords as a namespace can have. */
  const keywords = Array.from({ length: 10 }, (_, i) => `Taken${i}`);
  const operator = () => (full.client().connection as Connection).operatorService;

  it('is not up, although it polls, until it can', async () => {
    const searchAttributes = Object.fromEntries(keywords.map(name => [name, 2]));
    await operator().addSearchAttributes({ namespace: full.name, searchAttributes });
    const { ready: url, worker: own } = await start(other.url(), full.name);
    await own.waitForOutput('search attributes and schedules not ready');
    await untilAnswer(url, { status: 503, body: { database: 'up', temporal: 'up', worker: 'unregistered' } });
    await untilAnswer(`${url}/api`, { status: 200, body: { worker: 'unregistered' } });
    await operator().removeSearchAttributes({ namespace: full.name, searchAttributes: keywords });
    await untilAnswer(url, { status: 200, body: { worker: 'up' } });
  });
});

it('a killed worker is down', async () => {
  await worker.stop('SIGKILL');
  await untilAnswer(ready, { status: 503, body: { database: 'up', temporal: 'up', worker: 'down' } });
});
