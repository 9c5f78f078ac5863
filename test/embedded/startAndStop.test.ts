import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { openDatabase } from '../../src/database/connection';
import type { SavedPorts } from '../../src/embedded/savedPorts';
import { hashKey } from '../../src/merchants/keys';
import { openTemporal } from '../../src/platform/temporal';
import { variables } from '../../src/platform/variables';
import { visa } from '../harness/cards/testCards';
import { eventually } from '../harness/flow/until';
import { sendRequest } from '../harness/servers/api';
import { inDatabase } from '../harness/servers/database';
import { cleanUpAfterAll, isRunning, LocalInstallation } from '../harness/servers/localInstallation';
import { get, getUntil, Program } from '../harness/servers/program';
import { temporalAddress } from '../harness/servers/temporal';

cleanUpAfterAll();

/** Command lines of running processes that contain this directory. */
const commandsNaming = (directory: string): string[] =>
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

const PART_NAMES = ['api', 'worker', 'acquirer', 'mail', 'temporal', 'postgres'];

describe('npm start, stopped and started again', () => {
  let installation: LocalInstallation;
  beforeAll(async () => {
    installation = await LocalInstallation.create();
  });

  it('starts every part, prints their addresses, and writes credentials.json readable by its owner only', async () => {
    const launcher = installation.start();
    await launcher.waitForOutput(/Temporal UI {3}http/);
    const credentials = await installation.readJson();
    expect(await getUntil(`${installation.url}/ready`, 200)).toEqual({
      status: 200,
      body: { database: 'up', temporal: 'up', worker: 'up' },
    });
    expect(await get(`${installation.url}/health`)).toEqual({ status: 200, body: { status: 'up' } });
    expect(credentials).toEqual({
      url: installation.url,
      merchant_id: expect.stringMatching(/^m[a-z0-9]{19}$/),
      private_key: expect.stringMatching(/^sk_[0-9a-f]{32}$/),
      public_key: expect.stringMatching(/^pk_[0-9a-f]{32}$/),
      graphql_url: `${installation.url}/graphql`,
      temporal_address: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      temporal_ui_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      temporal_namespace: 'default',
      database_url: expect.stringMatching(
        /^postgresql:\/\/recaudo:[0-9a-f]{32}@127\.0\.0\.1:\d+\/recaudo\?sslmode=disable$/,
      ),
      acquirer_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      mail_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    });
    expect(statSync(join(installation.dataDir, 'credentials.json')).mode & 0o777).toBe(0o600);
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

    const saved = await sendRequest(`${installation.url}/v1/${credentials.merchant_id}/cards`, 'POST', {
      key: credentials.private_key,
      body: visa,
    });
    expect(saved.status).toBe(201);
    const journal = await get(`${credentials.acquirer_url}/journal`);
    expect(journal.body).toMatchObject([{ operation: 'verify', key: `verify-${saved.body.id}`, outcome: 'approved' }]);
    const { smtp_port } = await installation.readJson<SavedPorts>('embedded.json');
    const mail = { from: 'recaudo@example.com', to: 'maria@example.com', subject: 'Kept', text: 'Hello.' };
    await createTransport(`smtp://127.0.0.1:${smtp_port}`).sendMail(mail);
    expect((await get(`${credentials.mail_url}/messages`)).body).toMatchObject([{ subject: 'Kept' }]);
    expect(statSync(join(installation.dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);

    const processes = await Promise.all(PART_NAMES.map(name => installation.readProcessRecord(name)));
    expect(processes.map(isRunning)).toEqual(PART_NAMES.map(() => true));
    expect(await launcher.stop('SIGTERM')).toBe(0);
    expect(processes.map(isRunning)).toEqual(PART_NAMES.map(() => false));
  });

  it('keeps merchant, addresses, rows, mail and workflows over a restart', async () => {
    const before = await installation.readJson();
    const launcher = installation.start();
    await launcher.waitForOutput(/Temporal UI {3}http/);
    expect(await installation.readJson()).toEqual(before);

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

  it('starts after the launcher was killed with SIGKILL, and stops the processes it left running', async () => {
    const killed = installation.start();
    await killed.waitForOutput(/Temporal UI {3}http/);
    const leftovers = await Promise.all([
      installation.readProcessRecord('temporal'),
      installation.readProcessRecord('postgres'),
    ]);
    await killed.stop('SIGKILL');
    expect(leftovers.map(isRunning)).toEqual([true, true]);

    const launcher = installation.start();
    await launcher.waitForOutput(/Temporal UI {3}http/);
    await getUntil(`${installation.url}/ready`, 200);
    expect(leftovers.map(isRunning)).toEqual([false, false]);
    expect(await launcher.stop('SIGHUP')).toBe(0);
  });

  it('restarts parts that were killed', async () => {
    const launcher = installation.start();
    await launcher.waitForOutput(/Temporal UI {3}http/);
    await getUntil(`${installation.url}/ready`, 200);
    for (const name of PART_NAMES) process.kill((await installation.readProcessRecord(name)).pid, 'SIGKILL');
    await launcher.waitForOutput('postgres ended (SIGKILL) and is started again');
    await getUntil(`${installation.url}/ready`, 200);
    expect(await launcher.stop()).toBe(0);
  });
});

describe('npm start', () => {
  it('runs alongside another one that has its own PORT and DATA_DIR', async () => {
    const installations = [await LocalInstallation.create(), await LocalInstallation.create()];
    const launchers = installations.map(installation => installation.start());
    await Promise.all(launchers.map(launcher => launcher.waitForOutput(/Temporal UI {3}http/)));
    const [first, second] = await Promise.all(installations.map(installation => installation.readJson()));
    expect(first?.merchant_id).not.toBe(second?.merchant_id);
    expect(first?.temporal_address).not.toBe(second?.temporal_address);
    await Promise.all(installations.map(installation => getUntil(`${installation.url}/ready`, 200)));
    expect(await Promise.all(launchers.map(launcher => launcher.stop()))).toEqual([0, 0]);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('exits with 0 and leaves no process when npm gets %s', async signal => {
    const installation = await LocalInstallation.create();
    const npm = installation.start({}, 'npm start');
    await getUntil(`${installation.url}/health`, 200);
    const processes = await Promise.all(
      ['launcher', 'api', 'worker', 'acquirer', 'mail', 'postgres'].map(name => installation.readProcessRecord(name)),
    );
    expect(await npm.stop(signal)).toBe(0);
    expect(processes.map(isRunning)).toEqual(processes.map(() => false));
  });

  it('starts nothing more when it is stopped in its first moments', async () => {
    const installation = await LocalInstallation.create();
    const launcher = installation.start();
    // The launcher's record is written first; from then on it is looking for its Temporal server.
    await eventually(() => installation.readProcessRecord('launcher'));
    expect(await launcher.stop()).toBe(0);
    expect(readdirSync(join(installation.dataDir, 'processes'))).toEqual([]);
    expect(commandsNaming(installation.dataDir)).toEqual([]);
  });

  it('lets one of ten launchers on the same DATA_DIR win, also after the previous one was killed', async () => {
    const installation = await LocalInstallation.create();
    for (const _ of ['on an empty directory', 'with the record of a dead launcher']) {
      const launchers = Array.from({ length: 10 }, () => installation.start({ TEMPORAL_ADDRESS: temporalAddress() }));
      await getUntil(`${installation.url}/health`, 200);
      const winners = launchers.filter(({ process }) => process.exitCode === null && process.signalCode === null);
      const codes = await Promise.all(
        launchers.filter(launcher => !winners.includes(launcher)).map(launcher => launcher.exited),
      );
      expect(codes).toEqual(Array(9).fill(1));
      await winners[0]?.stop('SIGKILL');
    }
  });

  it('does not restore the keys of its merchant after they were rotated', async () => {
    const installation = await LocalInstallation.create();
    const env = { TEMPORAL_ADDRESS: temporalAddress() };
    const first = installation.start(env);
    await getUntil(`${installation.url}/health`, 200);
    const { merchant_id, private_key, database_url } = await installation.readJson();
    const rotate = new Program('merchant', { DATA_DIR: installation.dataDir }, [
      'rotate-keys',
      '--id',
      merchant_id,
      '--overlap-hours',
      '0',
    ]);
    expect(await rotate.exited).toBe(0);
    await inDatabase(database_url, client => client.query('delete from api_keys where expires_at <= now()'));
    await first.stop();

    const second = installation.start(env);
    await getUntil(`${installation.url}/health`, 200);
    const rotated = await installation.readJson();
    expect(rotated.private_key).not.toBe(private_key);
    expect(rotate.output).toContain(rotated.private_key);
    const { rowCount } = await inDatabase(database_url, client => client.query('select from api_keys'));
    expect(rowCount).toBe(2);
    expect(await second.stop()).toBe(0);
  });

  it('does not use a proxy for local connections', async () => {
    const installation = await LocalInstallation.create();
    const proxy = 'http://127.0.0.1:9';
    const launcher = installation.start({
      http_proxy: proxy,
      https_proxy: proxy,
      grpc_proxy: proxy,
      PGSSLMODE: 'require',
    });
    await getUntil(`${installation.url}/ready`, 200);
    expect(await launcher.stop()).toBe(0);
  });

  it('can be stopped while it is still starting, and leaves no process', async () => {
    const installation = await LocalInstallation.create();
    const launcher = installation.start();
    await getUntil(`${installation.url}/health`, 200);
    const processes = await Promise.all(
      ['api', 'worker', 'postgres'].map(name => installation.readProcessRecord(name)),
    );
    expect(await launcher.stop()).toBe(0);
    expect(processes.map(isRunning)).toEqual([false, false, false]);
  });
});
