import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { json } from 'node:stream/consumers';
import { ScheduleOverlapPolicy } from '@temporalio/client';
import { createMerchant, rotateKeys } from '../../src/accounts/merchants/accounts';
import { programVariables } from '../../src/programs/variables';
import { SWEEP_ID } from '../../workflows/contract';
import { atTheEnd } from '../harness/flow/atTheEnd';
import { configProblems } from '../harness/flow/configProblems';
import { eventually } from '../harness/flow/until';
import { testDatabase } from '../harness/servers/database';
import { testPort } from '../harness/servers/port';
import { getUntil, Program, untilAnswer } from '../harness/servers/program';
import { testNamespace } from '../harness/servers/temporal';
import { inDatabase } from '../harness/world/database';
import { apiVariables } from '../harness/world/secrets';
import { temporalAddress } from '../harness/world/temporal';

/** Each program as its own process, as `npm run …` starts it. */
describe('migrate, api and worker as separate processes', () => {
  const database = testDatabase('empty');
  const namespace = testNamespace();
  const variables = () => ({
    DATABASE_URL: database.url(),
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: namespace.name,
  });
  const startApi = async (env: Record<string, string> = {}) => {
    const port = await testPort();
    return {
      url: `http://127.0.0.1:${port}`,
      program: new Program('api', { ...apiVariables, ...variables(), PORT: `${port}`, ...env }),
    };
  };

  it('migrate applies all migrations to an empty database once, even in concurrent processes', async () => {
    const runners = [1, 2, 3].map(() => new Program('migrate', variables()));
    expect(await Promise.all(runners.map(runner => runner.exited))).toEqual([0, 0, 0]);
    const outputs = runners.map(runner => runner.output);
    expect(outputs.filter(output => /applied 20261118000000_baseline/.test(output))).toHaveLength(1);
    expect(outputs.filter(output => output.includes('no pending migrations'))).toHaveLength(2);
    expect(outputs.join()).not.toContain(new URL(database.url()).password);
  });

  /** Shared by all tests. */
  let apis: Awaited<ReturnType<typeof startApi>>[];
  let workers: Program[];

  it('several APIs and workers run on one database and one Temporal server', async () => {
    const production = await testPort();
    apis = [
      await startApi(),
      await startApi({
        PRODUCTION_PORT: `${production}`,
        PRODUCTION_ACQUIRER_URL: 'http://127.0.0.1:2',
        PRODUCTION_ACQUIRER_KEY: 'x'.repeat(32),
      }),
    ];
    await untilAnswer(`${apis[0]?.url}/ready`, {
      status: 503,
      body: { database: 'up', temporal: 'up', worker: 'down' },
    });
    workers = [
      new Program('worker', { ...apiVariables, ...variables() }),
      new Program('worker', { ...apiVariables, ...variables() }),
    ];
    for (const { url } of apis) expect(await getUntil(`${url}/ready`, 200)).toMatchObject({ body: { worker: 'up' } });
    await getUntil(`http://127.0.0.1:${production}/health`, 200);
    for (const { program } of apis) {
      await program.waitForOutput(`Temporal ${temporalAddress()}, namespace ${namespace.name}`);
      expect(program.output).not.toContain(new URL(database.url()).password);
    }
  });

  it('the worker creates a schedule that deletes only expired keys and idempotent replies older than a day', async () => {
    const secret = 'x'.repeat(32);
    const merchant = {
      environment: 'sandbox',
      name: 'Tienda',
      email: 'tienda@example.com',
      phone: '6011234567',
    } as const;
    const { id } = await createMerchant(database.db(), merchant, secret);
    await rotateKeys(database.db(), id, 0, secret);
    const { id: other } = await createMerchant(database.db(), merchant, secret);
    await rotateKeys(database.db(), other, 1, secret);

    const reply = {
      merchant_id: id,
      method: 'POST',
      path: '/',
      body_hash: new Uint8Array(),
      seed: new Uint8Array(),
      lease_until: new Date(),
    };
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    await database.db().idempotentReply.createMany({
      data: [
        { ...reply, key: 'old', creation_date: hoursAgo(24.1) },
        { ...reply, key: 'young', creation_date: hoursAgo(23.9) },
      ],
    });

    const handle = namespace.client().schedule.getHandle(SWEEP_ID);
    // The sweep that the worker began when it started may already be past the keys.
    await eventually(() => handle.trigger(ScheduleOverlapPolicy.ALLOW_ALL));
    const count = (merchant_id: string) => database.db().apiKey.count({ where: { merchant_id } });
    const replies = () => database.db().idempotentReply.findMany({ select: { key: true } });
    await eventually(async () => {
      expect([await count(id), await count(other)]).toEqual([2, 4]);
      expect(await replies()).toEqual([{ key: 'young' }]);
    });
    const { spec, policies } = await handle.describe();
    expect(spec.intervals).toEqual([expect.objectContaining({ every: 600_000 })]);
    expect(policies.overlap).toBe('SKIP');
  });

  it('the API does not wait for connections without a complete request', async () => {
    const [{ url = '', program } = {}] = apis;
    const port = Number(new URL(url).port);
    const silent = connect(port, '127.0.0.1');
    const half = connect(port, '127.0.0.1', () => half.write('GET /health HT'));
    for (const socket of [silent, half]) socket.on('error', () => undefined); // the server closes these sockets
    await Promise.all([once(silent, 'connect'), once(half, 'connect')]);
    // A response to the third connection proves that the server has accepted the two before it.
    await getUntil(`${url}/health`, 200);
    let answer = '';
    for (const socket of [silent, half]) socket.on('data', chunk => (answer += chunk));
    expect(await program?.stop()).toBe(0);
    // If the API waited for the rest of the requests, it would respond that they took too long.
    expect(answer).toBe('');
  });

  it('each program stops after SIGTERM with exit code 0', async () => {
    const programs = [...apis.map(({ program }) => program), ...workers];
    expect(await Promise.all(programs.map(program => program.stop()))).toEqual([0, 0, 0, 0]);
  });

  it('the API finishes a request in flight before it stops', async () => {
    // A database that accepts connections and never answers keeps /ready waiting until its timeout of two seconds.
    const silent = createServer().listen(0, '127.0.0.1').unref();
    atTheEnd(() => silent.close());
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const { url, program } = await startApi({ DATABASE_URL: `postgresql://u:p@127.0.0.1:${port}/silent` });
    // The first connection to Temporal may take longer than those two seconds.
    await untilAnswer(`${url}/ready`, { status: 503, body: { database: 'down', temporal: 'up' } });
    const pendingRequest = request(`${url}/ready`, { headers: { expect: '100-continue' } }).end();
    const response = once(pendingRequest, 'response');
    await once(pendingRequest, 'continue'); // the server has received the request
    const code = program.stop();
    const [answer] = await response;
    expect(answer.statusCode).toBe(503);
    expect(await json(answer)).toMatchObject({ database: 'down', temporal: 'up' });
    expect(await code).toBe(0);
  });

  it('migrate waits while another migration runs, and can be stopped while it waits', async () => {
    await inDatabase(database.url(), async client => {
      await client.query('select pg_advisory_lock(72707369)');
      const blocked = new Program('migrate', variables());
      await blocked.waitForOutput('database postgresql://');
      expect(await blocked.stop()).toBe(0);
    });
  });

  it('/ready reports a database without migrations', async () => {
    const empty = new URL(database.url());
    empty.pathname = '/postgres';
    const { url, program } = await startApi({ DATABASE_URL: empty.toString() });
    await untilAnswer(`${url}/ready`, { status: 503, body: { database: 'unmigrated' } });
    expect(await program.stop()).toBe(0);
  });

  it('a program without its variables lists all missing variables and exits', async () => {
    const program = new Program('migrate', {});
    expect(await program.exited).toBe(1);
    expect(program.output).toMatch(/^DATABASE_URL is missing: .*\n$/);
    const needed = ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'VAULT_KEYS', 'VAULT_FINGERPRINT_KEY', 'ACQUIRER_URL'];
    for (const name of ['api', 'worker'] as const)
      expect(configProblems(programVariables[name], {}).map(line => line.split(' ')[0])).toEqual(needed);
  });
});
