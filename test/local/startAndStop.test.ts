import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { hashKey } from '../../src/accounts/merchants/keys';
import type { SavedPorts } from '../../src/local/savedPorts';
import type { Secrets } from '../../src/local/secrets';
import { openDatabase } from '../../src/platform/database/connection';
import { visa } from '../harness/cards/testCards';
import { atTheEnd } from '../harness/flow/atTheEnd';
import { eventually } from '../harness/flow/until';
import { payer } from '../harness/merchant/merchantCalls';
import { sendRequest } from '../harness/servers/api';
import { cleanUpAfterAll, isRunning, LocalInstallation } from '../harness/servers/localInstallation';
import { get, getUntil, Program } from '../harness/servers/program';

cleanUpAfterAll();

const PART_NAMES = ['api', 'worker', 'acquirer', 'mail', 'temporal', 'postgres'];

describe('npm start, started and stopped', () => {
  let installation: LocalInstallation;
  /** A start takes seconds, so tests share one launcher where possible. */
  let launcher: Program;
  beforeAll(async () => {
    installation = await LocalInstallation.create();
  });

  it('starts every part, prints their addresses, and writes credentials.json readable by its owner only', async () => {
    launcher = installation.start({}, 'npm start');
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
      operator_key: expect.stringMatching(/^ok_[0-9a-f]{32}$/),
      graphql_url: `${installation.url}/graphql`,
      temporal_address: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      temporal_ui_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      temporal_namespace: 'default',
      database_url: expect.stringMatching(
        /^postgresql:\/\/recaudo:[0-9a-f]{32}@127\.0\.0\.1:\d+\/recaudo\?sslmode=disable$/,
      ),
      acquirer_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      mail_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      metrics_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/),
    });
    expect(statSync(join(installation.dataDir, 'credentials.json')).mode & 0o777).toBe(0o600);
    for (const value of Object.values(credentials)) expect(launcher.output).toContain(value);
    expect(launcher.output).not.toMatch(/Warning/);
    const [, code] = new RegExp(`${installation.url}/graphql#code=(sc_[0-9a-f]{32}) `).exec(launcher.output) ?? [];
    const signIn = { headers: { origin: installation.url }, body: { code } };
    const session = await sendRequest(`${installation.url}/session`, 'POST', signIn);
    expect([session.status, session.body.merchant_id]).toEqual([201, credentials.merchant_id]);
    const ui = await fetch(credentials.temporal_ui_url ?? '');
    expect([ui.status, ui.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);

    const db = openDatabase(credentials.database_url);
    atTheEnd(() => db.$disconnect());
    const merchants = await db.merchant.findMany({ include: { api_keys: { orderBy: { kind: 'asc' } } } });
    const { API_KEY_SECRET } = await installation.readJson<Secrets>('secrets.json');
    const hash = (key: string) => hashKey(key, API_KEY_SECRET);
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
  });

  it('runs every thread of the worker and of Temporal with a lower priority than the interactive parts', async () => {
    const yieldsOf = async (name: string): Promise<number[]> => {
      const { pid } = await installation.readProcessRecord(name);
      const threads = readdirSync(`/proc/${pid}/task`).flatMap(id => {
        try {
          return [getPriority(Number(id)) - getPriority()];
        } catch {
          return []; // the thread has just ended
        }
      });
      // Kernels with autogroups ignore the priority of a thread outside its session.
      const group = existsSync('/proc/self/autogroup') ? readFileSync(`/proc/${pid}/autogroup`, 'utf8') : '';
      const [, groupPriority] = /nice (\d+)/.exec(group) ?? [];
      return [...new Set([...threads, ...(groupPriority ? [Number(groupPriority)] : [])])];
    };
    const yields = await Promise.all(PART_NAMES.map(async name => [name, await yieldsOf(name)]));
    expect(Object.fromEntries(yields)).toEqual({
      api: [0],
      worker: [10],
      acquirer: [0],
      mail: [0],
      temporal: [10],
      postgres: [0],
    });
  });

  it('saves the keys of its merchant when they are rotated', async () => {
    const { merchant_id, private_key } = await installation.readJson();
    const overlap = ['--overlap-hours', '0'];
    const rotate = new Program('merchant', { DATA_DIR: installation.dataDir }, [
      'rotate-keys',
      '--id',
      merchant_id,
      ...overlap,
    ]);
    expect(await rotate.exited).toBe(0);
    const rotated = await installation.readJson();
    expect(rotated.private_key).not.toBe(private_key);
    expect(rotate.output).toContain(rotated.private_key);
  });

  it('writes only files that only their owner can read', async () => {
    const { url, merchant_id, private_key: key, mail_url } = await installation.readJson();
    const post = (path: string, body: object) => sendRequest(`${url}/v1/${merchant_id}${path}`, 'POST', { key, body });
    const payment = { method: 'card', confirm: false, send_email: true, redirect_url: 'https://shop.example/' };
    const order = { amount: 1000, currency: 'COP', iva: '19', description: 'Order', customer: payer };
    expect((await post('/charges', { ...payment, ...order })).status).toBe(200);
    await eventually(async () => expect((await get(`${mail_url}/messages`)).body).toHaveLength(2));

    const entries = readdirSync(installation.dataDir, { recursive: true, encoding: 'utf8' });
    expect(entries).toEqual(
      expect.arrayContaining(['postgres.log', 'temporal.db', 'acquirer/journal.ndjson', 'processes/api.json']),
    );
    const modes = entries.flatMap(name => {
      const stat = lstatSync(join(installation.dataDir, name), { throwIfNoEntry: false });
      return stat && (stat.mode & 0o077) !== 0 ? [`${(stat.mode & 0o777).toString(8)} ${name}`] : [];
    });
    expect(modes).toEqual([]);
  });

  it('exits with 0 and leaves no process when npm gets SIGTERM', async () => {
    const names = ['launcher', ...PART_NAMES];
    const processes = await Promise.all(names.map(name => installation.readProcessRecord(name)));
    expect(await launcher.stop('SIGTERM')).toBe(0);
    expect(processes.map(isRunning)).toEqual(names.map(() => false));
  });
});
