/** Restarts of npm start, and two instances on one machine. The first start is tested in test/local/startAndStop. */
import { createTransport } from 'nodemailer';
import type { SavedPorts } from '../../src/local/savedPorts';
import { openTemporal } from '../../src/platform/temporal';
import { visa } from '../harness/cards/testCards';
import { atTheEnd } from '../harness/flow/atTheEnd';
import { sendRequest } from '../harness/servers/api';
import { cleanUpAfterAll, isRunning, LocalInstallation } from '../harness/servers/localInstallation';
import { get, getUntil, Program } from '../harness/servers/program';
import { inDatabase } from '../harness/world/database';

cleanUpAfterAll();

const PART_NAMES = ['api', 'worker', 'acquirer', 'mail', 'temporal', 'postgres'];

describe('npm start, stopped and started again', () => {
  let installation: LocalInstallation;
  /** A start takes seconds, so tests share one launcher where possible. */
  let launcher: Program;
  beforeAll(async () => {
    installation = await LocalInstallation.create();
    launcher = installation.start();
    await launcher.waitForOutput(/Temporal UI {3}http/);
    await getUntil(`${installation.url}/ready`, 200);
  });

  it('runs beside another instance with its own PORT and DATA_DIR, and uses no proxy for local connections', async () => {
    const other = await LocalInstallation.create();
    const proxy = 'http://127.0.0.1:9';
    const env = { http_proxy: proxy, https_proxy: proxy, grpc_proxy: proxy, PGSSLMODE: 'require' };
    const otherLauncher = other.start(env);
    await otherLauncher.waitForOutput(/Temporal UI {3}http/);
    const [first, second] = [await installation.readJson(), await other.readJson()];
    expect(first.merchant_id).not.toBe(second.merchant_id);
    expect(first.temporal_address).not.toBe(second.temporal_address);
    await Promise.all([installation, other].map(({ url }) => getUntil(`${url}/ready`, 200)));
    expect(await otherLauncher.stop()).toBe(0);
    await getUntil(`${installation.url}/ready`, 200);
  });

  it('keeps merchant, rotated keys, addresses, rows, mail and workflows across a restart', async () => {
    const { url, merchant_id, private_key: key, mail_url } = await installation.readJson();
    expect((await sendRequest(`${url}/v1/${merchant_id}/cards`, 'POST', { key, body: visa })).status).toBe(201);
    const { smtp_port } = await installation.readJson<SavedPorts>('embedded.json');
    const mail = { from: 'recaudo@example.com', to: 'maria@example.com', subject: 'Kept', text: 'Hello.' };
    await createTransport(`smtp://127.0.0.1:${smtp_port}`).sendMail(mail);
    expect((await get(`${mail_url}/messages`)).body).toMatchObject([{ subject: 'Kept' }]);
    const rotation = ['rotate-keys', '--id', merchant_id, '--overlap-hours', '0'];
    expect(await new Program('merchant', { DATA_DIR: installation.dataDir }, rotation).exited).toBe(0);
    const before = await installation.readJson();
    expect(before.private_key).not.toBe(key);
    await inDatabase(before.database_url, client => client.query('delete from api_keys where expires_at <= now()'));
    expect(await launcher.stop('SIGTERM')).toBe(0);

    launcher = installation.start();
    await launcher.waitForOutput(/Temporal UI {3}http/);
    expect(await installation.readJson()).toEqual(before);

    const count = async (table: string) =>
      (await inDatabase(before.database_url, client => client.query(`select from ${table}`))).rowCount;
    expect([await count('merchants'), await count('api_keys')]).toEqual([1, 2]);
    expect((await get(`${before.acquirer_url}/journal`)).body).toHaveLength(1);
    expect((await get(`${before.mail_url}/messages`)).body).toMatchObject([{ subject: 'Kept' }]);
    const temporal = openTemporal(before.temporal_address, before.temporal_namespace);
    atTheEnd(() => temporal.connection.close());
    const sweeps = await temporal.workflow.count('WorkflowType = "sweep"');
    expect(sweeps.count).toBeGreaterThanOrEqual(1);
    await temporal.connection.close();
  });

  it('starts after the launcher was killed with SIGKILL, and stops the processes it left running', async () => {
    const leftovers = await Promise.all([
      installation.readProcessRecord('temporal'),
      installation.readProcessRecord('postgres'),
    ]);
    await launcher.stop('SIGKILL');
    expect(leftovers.map(isRunning)).toEqual([true, true]);

    launcher = installation.start();
    await launcher.waitForOutput(/Temporal UI {3}http/);
    await getUntil(`${installation.url}/ready`, 200);
    expect(leftovers.map(isRunning)).toEqual([false, false]);
  });

  it('restarts killed parts', async () => {
    for (const name of PART_NAMES) process.kill((await installation.readProcessRecord(name)).pid, 'SIGKILL');
    await launcher.waitForOutput('postgres: exited, restarting: SIGKILL');
    await getUntil(`${installation.url}/ready`, 200);
    expect(await launcher.stop('SIGHUP')).toBe(0);
  });
});
