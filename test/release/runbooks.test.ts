/** The runbooks for a slow or a restored database, executed on an installation of `npm start`. */
import { execFile } from 'node:child_process';
import { chown, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Client } from 'pg';
import { visa } from '../harness/cards/testCards';
import { eventually } from '../harness/flow/until';
import { payer } from '../harness/merchant/merchantCalls';
import { sendRequest } from '../harness/servers/api';
import { Program } from '../harness/servers/program';
import { testStack } from '../harness/servers/testStack';
import { inDatabase } from '../harness/world/database';

const startStack = testStack();
type Stack = Awaited<ReturnType<typeof startStack>>;

/** A merchant with a customer, a card and a weekly plan. */
async function newShop({ credentials, readJournal }: Stack) {
  const { url, merchant_id, private_key } = credentials;
  const send = (method: string, path: string, body?: object, key = `${Math.random()}`) =>
    sendRequest(`${url}/v1/${merchant_id}${path}`, method, {
      key: private_key,
      ...(body && { body, headers: { 'idempotency-key': key } }),
    });
  const { id: customer } = (await send('POST', '/customers', { ...payer, requires_account: false })).body;
  const { id: source_id } = (await send('POST', `/customers/${customer}/cards`, visa)).body;
  const terms = { name: 'W', amount: 1000, repeat_every: 1, repeat_unit: 'week', status_after_retry: 'unpaid' };
  const { id: plan_id } = (await send('POST', '/plans', { ...terms, trial_days: 0 })).body;
  const path = `/customers/${customer}/subscriptions`;
  return {
    send,
    source_id,
    customer,
    subscribe: async (): Promise<string> => (await send('POST', path, { plan_id, source_id })).body.id,
    standing: async (id: string): Promise<string> => {
      const { body } = await send('GET', `${path}/${id}`);
      return `${body.status} ${body.current_period_number}`;
    },
    chargesOf: async (id: string): Promise<string[]> =>
      (await send('GET', `/customers/${customer}/charges?subscription_id=${id}`)).body
        .map((charge: { id: string }) => charge.id)
        .reverse(),
    charged: async () => (await readJournal()).filter(({ operation }) => operation === 'charge').map(({ key }) => key),
    moveClock: (days: number) => {
      const to = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
      return eventually(async () => expect((await send('POST', '/sandbox/clock', { to })).status).toBe(200), 120);
    },
  };
}

it('reads succeed while the database is read-only, and every request is performed once afterwards', async () => {
  const stack = await startStack();
  const shop = await newShop(stack);
  const id = await shop.subscribe();
  const { customer, source_id, send } = shop;
  const charge = () => {
    const body = { method: 'card', amount: 5000, currency: 'COP', iva: '19', description: 'x', device_session_id: 'd' };
    return send('POST', `/customers/${customer}/charges`, { ...body, source_id }, 'once');
  };
  let moved: Promise<void> | undefined;
  await inDatabase(stack.credentials.database_url, async blocker => {
    await blocker.query('begin; lock table transactions in exclusive mode');
    expect(await charge()).toMatchObject({ status: 503, body: { error_code: 1004 } });
    expect(await send('GET', `/customers/${customer}/charges`)).toMatchObject({ status: 200 });
    moved = shop.moveClock(8);
    await eventually(async () => {
      const { rows } = await blocker.query(`
        select application_name as name from pg_locks join pg_stat_activity using (pid)
        where relation = 'transactions'::regclass and not granted`);
      expect(rows).toEqual([{ name: 'recaudo worker' }]);
    });
    expect(await shop.standing(id)).toBe('active 1');
    await blocker.query('rollback');
  });
  await moved;
  await eventually(async () => expect((await charge()).status).toBe(200));
  expect(await shop.standing(id)).toBe('active 2');
  const charged = await shop.charged();
  expect([charged.length, new Set(charged).size]).toEqual([3, 3]);
  await stack.expectAgreement();
  expect(await stack.launcher.stop()).toBe(0);
});

it('a restored database is put on hold until the audit reports the lost data; then each period is charged once', async () => {
  const stack = await startStack();
  const { installation, launcher, credentials } = stack;
  const shop = await newShop(stack);
  const kept = [await shop.subscribe(), await shop.subscribe()];
  const cluster = join(installation.dataDir, 'postgres');
  await inDatabase(credentials.database_url, client => copyCluster(client, cluster, `${cluster}-copy`));
  // After the copy was made: the acquirer has this charge, the restored database will not.
  const lost = await shop.subscribe();
  await shop.moveClock(8);
  const chargesOfLost = await shop.chargesOf(lost);
  const charged = await shop.charged();
  expect([charged.length, new Set(charged).size]).toEqual([6, 6]);
  expect(await launcher.stop()).toBe(0);

  await rm(cluster, { recursive: true });
  await rename(`${cluster}-copy`, cluster);
  const restored = await stack.startAgain();
  const operator = async (...args: string[]) => {
    const program = new Program('operator', { DATA_DIR: installation.dataDir }, args);
    expect([await program.exited, program.output]).toEqual([0, expect.anything()]);
  };
  await operator('hold', 'everything', '--environment', 'sandbox', '--reason', 'Restored', '--yes');
  /** The acquirer's charges that are missing in the ledger. */
  const missing = async (): Promise<string[]> => {
    const audit = new Program('audit', { DATA_DIR: installation.dataDir });
    expect([await audit.exited, audit.output]).toEqual([1, expect.anything()]);
    return charged.filter(key => audit.output.includes(`charge ${key} of 100000 is unknown here`));
  };
  expect(await missing()).toEqual(charged.slice(2));
  expect((await shop.send('GET', `/customers/${shop.customer}/subscriptions/${lost}`)).status).toBe(404);
  await shop.moveClock(8);
  expect(await Promise.all(kept.map(shop.standing))).toEqual(['active 1', 'active 1']);

  await operator('release', 'everything', '--environment', 'sandbox', '--reason', 'Audited', '--yes');
  await eventually(
    async () => expect(await Promise.all(kept.map(shop.standing))).toEqual(['active 2', 'active 2']),
    120,
  );
  // The acquirer has no new charges: it recognized the keys of its earlier charges.
  expect(await shop.charged()).toEqual(charged);
  expect(await missing()).toEqual(chargesOfLost);
  expect(await restored.stop()).toBe(0);
});

/** Keeps the owner of the files, which differs from the user that runs the test. */
const copy = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to]);

/** Like a physical backup, while the server runs. */
async function copyCluster(client: Client, from: string, to: string): Promise<void> {
  await client.query(`select pg_backup_start('copy', true)`);
  // Files may vanish in the meantime; their contents are in the write-ahead log, which is copied after them.
  await copy(from, to).catch(() => undefined);
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  // The log contains every write until the end of the copy. The server also creates temporary files there.
  await eventually(() => copy(`${from}/pg_wal/.`, join(to, 'pg_wal')));
  const { uid, gid } = await stat(to);
  await writeFile(join(to, 'backup_label'), rows[0]?.labelfile ?? '');
  await chown(join(to, 'backup_label'), uid, gid);
  await rm(join(to, 'postmaster.pid'), { force: true });
}
