import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { openDatabase } from '../../src/database/connection';
import { retryUntilAnswered } from '../../src/embedded/managedProcess';
import type { SavedPorts } from '../../src/embedded/savedPorts';
import { hashKey } from '../../src/merchants/keys';
import { openTemporal } from '../../src/platform/temporal';
import { variables } from '../../src/platform/variables';
import { visa } from '../harness/cards/testCards';
import { ask } from '../harness/servers/api';
import { inDatabase } from '../harness/servers/database';
import { cleanUpAfterwards, Home, isRunning } from '../harness/servers/localInstallation';
import { get, getUntil, Program } from '../harness/servers/program';
import { temporalAddress } from '../harness/servers/temporal';

cleanUpAfterwards();

/** Command lines of processes that name this directory. */
const runningIn = (directory: string): string[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')];
      } catch {
        return [];
      }
    })
    .filter(command => command.includes(directory));

const parts = ['api', 'worker', 'acquirer', 'mail', 'temporal', 'postgres'];

describe('npm start, stopped and started again', () => {
  let home: Home;
  beforeAll(async () => {
    home = await Home.make();
  });

  it('brings up every part, prints where they are, and writes credentials.json for its owner only', async () => {
    const launcher = home.start();
    await launcher.says(/Temporal UI {3}http/);
    const credentials = await home.json();
    expect(await getUntil(`${home.url}/ready`, 200)).toEqual({
      status: 200,
      body: { database: 'up', temporal: 'up', worker: 'up' },
    });
    expect(await get(`${home.url}/health`)).toEqual({ status: 200, body: { status: 'up' } });
    expect(credentials).toEqual({
      url: home.url,
      merchant_id: expect.stringMatching(/^m[a-z0-9]{19}$/),
      private_key: expect.stringMatching(/^sk_[0-9a-f]{32}$/),
      public_key: expect.stringMatching(/^pk_[0-9a-f]{32}$/),
      graphql_url: `${home.url}/graphql`,
      temporal_address: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      temporal_ui_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      temporal_namespace: 'default',
      database_url: expect.stringMatching(
        /^postgresql:\/\/recaudo:[0-9a-f]{32}@127\.0\.0\.1:\d+\/recaudo\?sslmode=disable$/,
      ),
      acquirer_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      mail_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    });
    expect(statSync(join(home.dataDir, 'credentials.json')).mode & 0o777).toBe(0o600);
    for (const value of Object.values(credentials)) expect(launcher.output).toContain(value);
    const ui = await fetch(credentials.temporal_ui_url ?? '');
    expect([ui.status, ui.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);

    const db = openDatabase(credentials.database_url);
    const merchants = await db.merchant.findMany({ include: { api_keys: { orderBy: { kind: 'asc' } } } });
    await db.$disconnect();
    const hash = (key: string) => hashKey(key, variables.API_KEY_SECRET.defaultValue);
    expect(merchants).toMatchObject([
      {
        id: credentials.merchant_id,
        environment: 'sandbox',
        api_keys: [
          { kind: 'private', hash: hash(credentials.private_key) },
          { kind: 'public', hash: hash(credentials.public_key) },
        ],
      },
    ]);

    const saved = await ask(`${home.url}/v1/${credentials.merchant_id}/cards`, 'POST', {
      key: credentials.private_key,
      body: visa,
    });
    expect(saved.status).toBe(201);
    const journal = await get(`${credentials.acquirer_url}/journal`);
    expect(journal.body).toMatchObject([{ operation: 'verify', key: `verify-${saved.body.id}`, outcome: 'approved' }]);
    const { smtp_port } = await home.json<SavedPorts>('embedded.json');
    const mail = { from: 'recaudo@example.com', to: 'maria@example.com', subject: 'Kept', text: 'Hello.' };
    await createTransport(`smtp://127.0.0.1:${smtp_port}`).sendMail(mail);
    expect((await get(`${credentials.mail_url}/messages`)).body).toMatchObject([{ subject: 'Kept' }]);
    expect(statSync(join(home.dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);

    const processes = await Promise.all(parts.map(name => home.process(name)));
    expect(processes.map(isRunning)).toEqual(parts.map(() => true));
    expect(await launcher.stop('SIGTERM')).toBe(0);
    expect(processes.map(isRunning)).toEqual(parts.map(() => false));
  });

  it('finds everything again: merchant, addresses, rows and workflows', async () => {
    const before = await home.json();
    const launcher = home.start();
    await launcher.says(/Temporal UI {3}http/);
    expect(await home.json()).toEqual(before);

    const { rowCount } = await inDatabase(before.database_url, client => client.query('select from merchants'));
    expect(rowCount).toBe(1);
    expect((await get(`${before.acquirer_url}/journal`)).body).toHaveLength(1);
    expect((await get(`${before.mail_url}/messages`)).body).toMatchObject([{ subject: 'Kept' }]);
    const temporal = openTemporal(before.temporal_address, before.temporal_namespace);
    const { count } = await temporal.workflow.count('WorkflowType = "sweep"');
    expect(count).toBeGreaterThanOrEqual(1);
    await temporal.connection.close();
    expect(await launcher.stop('SIGINT')).toBe(0);
  });

  it('starts after its launcher was killed with SIGKILL, and ends what that one left running', async () => {
    const killed = home.start();
    await killed.says(/Temporal UI {3}http/);
    const left = await Promise.all([home.process('temporal'), home.process('postgres')]);
    await killed.stop('SIGKILL');
    expect(left.map(isRunning)).toEqual([true, true]);

    const launcher = home.start();
    await launcher.says(/Temporal UI {3}http/);
    await getUntil(`${home.url}/ready`, 200);
    expect(left.map(isRunning)).toEqual([false, false]);
    expect(await launcher.stop('SIGHUP')).toBe(0);
  });

  it('starts a part again that was killed', async () => {
    const launcher = home.start();
    await launcher.says(/Temporal UI {3}http/);
    await getUntil(`${home.url}/ready`, 200);
    for (const name of parts) process.kill((await home.process(name)).pid, 'SIGKILL');
    await launcher.says('postgres ended (SIGKILL) and is started again');
    await getUntil(`${home.url}/ready`, 200);
    expect(await launcher.stop()).toBe(0);
  });
});

describe('npm start', () => {
  it('runs beside another one with its own PORT and DATA_DIR', async () => {
    const homes = [await Home.make(), await Home.make()];
    const launchers = homes.map(home => home.start());
    await Promise.all(launchers.map(launcher => launcher.says(/Temporal UI {3}http/)));
    const [one, other] = await Promise.all(homes.map(home => home.json()));
    expect(one?.merchant_id).not.toBe(other?.merchant_id);
    expect(one?.temporal_address).not.toBe(other?.temporal_address);
    await Promise.all(homes.map(home => getUntil(`${home.url}/ready`, 200)));
    expect(await Promise.all(launchers.map(launcher => launcher.stop()))).toEqual([0, 0]);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'through npm, which is sent %s, ends with 0 and leaves nothing',
    async signal => {
      const home = await Home.make();
      const npm = home.start({}, 'npm start');
      await getUntil(`${home.url}/health`, 200);
      const processes = await Promise.all(
        ['launcher', 'api', 'worker', 'acquirer', 'mail', 'postgres'].map(name => home.process(name)),
      );
      expect(await npm.stop(signal)).toBe(0);
      expect(processes.map(isRunning)).toEqual(processes.map(() => false));
    },
  );

  it('stopped in its very first moments starts nothing more', async () => {
    const home = await Home.make();
    const launcher = home.start();
    // The record of the launcher comes first; from then on the signal finds it looking for its Temporal server.
    await retryUntilAnswered(() => home.process('launcher'), 10);
    expect(await launcher.stop()).toBe(0);
    expect(readdirSync(join(home.dataDir, 'processes'))).toEqual([]);
    expect(runningIn(home.dataDir)).toEqual([]);
  });

  it('keeps one launcher of ten that start on one DATA_DIR at once, also after one was killed', async () => {
    const home = await Home.make();
    for (const _ of ['on an empty directory', 'over the record of a dead one']) {
      const launchers = Array.from({ length: 10 }, () => home.start({ TEMPORAL_ADDRESS: temporalAddress() }));
      await getUntil(`${home.url}/health`, 200);
      const living = launchers.filter(({ process }) => process.exitCode === null && process.signalCode === null);
      const codes = await Promise.all(
        launchers.filter(launcher => !living.includes(launcher)).map(launcher => launcher.exited),
      );
      expect(codes).toEqual(Array(9).fill(1));
      await living[0]?.stop('SIGKILL');
    }
  });

  it('leaves the keys of its merchant alone once they were rotated', async () => {
    const home = await Home.make();
    const env = { TEMPORAL_ADDRESS: temporalAddress() };
    const first = home.start(env);
    await getUntil(`${home.url}/health`, 200);
    const { merchant_id, private_key, database_url } = await home.json();
    const rotate = new Program('merchant', { DATA_DIR: home.dataDir }, [
      'rotate-keys',
      '--id',
      merchant_id,
      '--overlap-hours',
      '0',
    ]);
    expect(await rotate.exited).toBe(0);
    await inDatabase(database_url, client => client.query('delete from api_keys where expires_at <= now()'));
    await first.stop();

    const second = home.start(env);
    await getUntil(`${home.url}/health`, 200);
    const rotated = await home.json();
    expect(rotated.private_key).not.toBe(private_key);
    expect(rotate.output).toContain(rotated.private_key);
    const { rowCount } = await inDatabase(database_url, client => client.query('select from api_keys'));
    expect(rowCount).toBe(2);
    expect(await second.stop()).toBe(0);
  });

  it('does not send what stays on this machine through a proxy', async () => {
    const home = await Home.make();
    const proxy = 'http://127.0.0.1:9';
    const launcher = home.start({ http_proxy: proxy, https_proxy: proxy, grpc_proxy: proxy, PGSSLMODE: 'require' });
    await getUntil(`${home.url}/ready`, 200);
    expect(await launcher.stop()).toBe(0);
  });

  it('can be stopped while it is still coming up, leaving nothing behind', async () => {
    const home = await Home.make();
    const launcher = home.start();
    await getUntil(`${home.url}/health`, 200);
    const processes = await Promise.all(['api', 'worker', 'postgres'].map(name => home.process(name)));
    expect(await launcher.stop()).toBe(0);
    expect(processes.map(isRunning)).toEqual([false, false, false]);
  });
});
