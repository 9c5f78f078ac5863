/** A machine so busy that PostgreSQL does not get to accept a connection: its process is stopped for a while. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { newKey, newKeyPair } from '../../src/accounts/merchants/keys';
import { prepareEmbeddedDatabase } from '../../src/local/prepareDatabase';
import { Stack } from '../../src/local/stack';
import { newId } from '../../src/platform/identifiers';
import { atTheEnd } from '../harness/flow/atTheEnd';
import { eventually, until } from '../harness/flow/until';
import { cleanUpAfterAll, LocalInstallation } from '../harness/servers/localInstallation';
import { inDatabase } from '../harness/world/database';
import { temporalAddress } from '../harness/world/temporal';

cleanUpAfterAll();

it('npm start waits for PostgreSQL as long as its process runs, and prints why', async () => {
  const installation = await LocalInstallation.create();
  const launcher = installation.start({ TEMPORAL_ADDRESS: temporalAddress() });
  const { pid } = await eventually(() => installation.readProcessRecord('postgres'));
  process.kill(pid, 'SIGSTOP');
  // On a busy machine PostgreSQL may be up before it is stopped: then its schema waits.
  await launcher.waitForOutput(/(postgres|database): not ready after \d+ s, still waiting/);
  process.kill(pid, 'SIGCONT');
  await launcher.waitForOutput('recaudo is up');
});

it('npm start waits while PostgreSQL, once up, accepts no connection for its schema', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'recaudo-starved-'));
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: line => void lines.push(line) });
  const stack = new Stack(dataDir, log);
  atTheEnd(async () => {
    await stack.down();
    rmSync(dataDir, { recursive: true });
  });
  const database_url = await stack.startPostgres();
  const pid = stack.find('postgres')?.pid ?? 0;
  process.kill(pid, 'SIGSTOP');
  const merchant_id = newId('merchant');
  const credentials = { database_url, merchant_id, operator_key: newKey('operator'), ...newKeyPair() };
  const { signal: stop } = new AbortController();
  const prepared = prepareEmbeddedDatabase({ credentials, secret: 'x'.repeat(32), stop }, log);
  await until(() => lines.some(line => /database: not ready after \d+ s, still waiting/.test(line)));
  process.kill(pid, 'SIGCONT');
  expect(await prepared).toHaveLength(2);
  const rows = await inDatabase(database_url, client => client.query('select id from merchants'));
  expect(rows.rows).toEqual([{ id: merchant_id }]);
});
