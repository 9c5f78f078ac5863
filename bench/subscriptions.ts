/** Subscriptions on both Temporal servers: renewals beside empty cycles, creations beside starts of empty workflows, and what a sleeping one takes. */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { ensureSearchAttributes } from '../src/background/schedules';
import { retryUntilAnswered } from '../src/embedded/managedProcess';
import { FatalError } from '../src/platform/lifetime';
import { fromRoot } from '../src/platform/root';
import { openTemporal } from '../src/platform/temporal';
import { startSubscriptionWorkflow } from '../src/subscriptions/billing/startWorkflow';
import { subscriptionWorkflowId, TASK_QUEUE } from '../workflows/contract';
import { CONNECTIONS, median, type Row, rowsOf } from './measure';
import type { Stand } from './stand';
import { developmentServer, productionServer, type Server } from './temporal';

const FLEET = 100;
const WINDOW_MS = 7000;
const CREATED = 600;
const [FEW, MANY] = [1000, 10_000];

export async function subscriptions(stand: Stand): Promise<Row[]> {
  const shop = await openShop(stand);
  const rows: Row[] = [];
  for (const raise of [developmentServer, (dataDir: string) => productionServer(dataDir, stand.databaseUrl)]) {
    const server = await raise(stand.dataDir);
    const temporal = openTemporal(server.address, 'default');
    await retryUntilAnswered(() => ensureSearchAttributes(temporal), 30);
    rows.push(...(await renewals(stand, server, temporal, await shop.subscribe(FLEET, 0))));
    rows.push(...(await creations(stand, server, temporal, shop)));
    await temporal.connection.close();
    await server.down();
  }
  return rows;
}

/** A customer with a card, and a weekly plan. */
async function openShop({ url, merchant }: Stand) {
  const post = async (path: string, body: object): Promise<{ id: string }> => {
    const response = await fetch(`${url}/v1/${merchant.id}${path}`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${merchant.private_key}:`).toString('base64')}` },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string };
  };
  const { id } = await post('/customers', { name: 'María', email: 'maria@example.com', requires_account: false });
  const card = { holder_name: 'María', card_number: '4242424242424242', cvv2: '123', expiration_month: '12' };
  const source_id = (await post(`/customers/${id}/cards`, { ...card, expiration_year: '39' })).id;
  const plan = { name: 'Weekly', amount: 49900, repeat_every: 1, repeat_unit: 'week', status_after_retry: 'unpaid' };
  const plans = new Map<number, string>();
  for (const trial_days of [0, 300]) plans.set(trial_days, (await post('/plans', { ...plan, trial_days })).id);
  return {
    /** As many at once as there are connections. */
    subscribe: async (count: number, trial_days: 0 | 300): Promise<string[]> => {
      const ids: string[] = [];
      const client = async (): Promise<void> => {
        while (ids.length < count) {
          const place = ids.push('') - 1;
          ids[place] = (await post(`/customers/${id}/subscriptions`, { plan_id: plans.get(trial_days), source_id })).id;
        }
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, client));
      return ids;
    },
  };
}

const environmentOf = (stand: Stand, { address }: Server) => ({ ...stand.environment, TEMPORAL_ADDRESS: address });

async function renewals(stand: Stand, server: Server, temporal: Client, ids: string[]): Promise<Row[]> {
  await stand.db.outbox.deleteMany();
  await stand.db.$executeRaw`
    update subscriptions set clock_offset = ceil(extract(epoch from due_at - now()))::integer, version = version + 1
    where id = any(${ids}::varchar[])`;
  const worker = fork(fromRoot('dist/bench/worker.js'), { env: environmentOf(stand, server) });
  await once(worker, 'message');
  const count = async (): Promise<{ empty: number; renewals: number }> => {
    worker.send('how many?');
    return (await once(worker, 'message'))[0];
  };
  const window = (what: 'empty' | 'renewals', names: string[], start: (i: number) => Promise<unknown>) => async () => {
    await Promise.all(names.map((_, i) => start(i)));
    await sleep(1500);
    const before = await count();
    const began = Date.now();
    await sleep(WINDOW_MS);
    const rate = (1000 * ((await count())[what] - before[what])) / (Date.now() - began);
    await Promise.all(names.map(name => temporal.workflow.getHandle(name).terminate()));
    return rate;
  };
  const empties = ids.map((_, i) => `empty-${i}`);
  const windows = {
    'empty cycles': window('empty', empties, i =>
      temporal.workflow.start('empty', { workflowId: `empty-${i}`, taskQueue: TASK_QUEUE }),
    ),
    renewals: window('renewals', ids.map(subscriptionWorkflowId), i =>
      startSubscriptionWorkflow(stand.db, temporal, ids[i] ?? ''),
    ),
  };
  const figures = await median(windows);
  worker.disconnect();
  await once(worker, 'exit');
  return [named(rowsOf(figures)('renewals', 'empty cycles', '≥ 1.2'), server)];
}

const named = (row: Row, { name }: Server): Row => ({ ...row, what: `${row.what}, ${name}` });

/** Until every workflow has begun; the API itself knows of no Temporal at all here. */
async function creations(
  stand: Stand,
  server: Server,
  temporal: Client,
  shop: Awaited<ReturnType<typeof openShop>>,
): Promise<Row[]> {
  const bench = fork(fromRoot('dist/bench/worker.js'), { env: environmentOf(stand, server) });
  await once(bench, 'message');
  let round = 0;
  const starts = async (): Promise<number> => {
    const began = Date.now();
    const names = Array.from({ length: CREATED }, (_, i) => `waiting-${round}-${i}`);
    round++;
    const rest = [...names];
    const client = async (): Promise<void> => {
      for (let name = rest.pop(); name; name = rest.pop())
        await temporal.workflow.start('waiting', { workflowId: name, taskQueue: TASK_QUEUE });
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, client));
    return (1000 * CREATED) / (Date.now() - began);
  };
  await starts();
  const floor = [await starts(), await starts(), await starts()].sort((a, b) => a - b)[1] ?? 0;
  bench.disconnect();
  await once(bench, 'exit');

  const { drained, stop } = startWorker(stand, server);
  const create = async (): Promise<{ answered: number; begun: number }> => {
    const began = Date.now();
    await shop.subscribe(CREATED, 300);
    const answered = (1000 * CREATED) / (Date.now() - began);
    await drained();
    return { answered, begun: (1000 * CREATED) / (Date.now() - began) };
  };
  await create();
  const runs = [await create(), await create(), await create()].sort((a, b) => a.begun - b.begun);
  const { answered, begun } = runs[1] ?? { answered: 0, begun: 0 };
  const figures = {
    'starts of empty workflows': floor,
    'subscriptions created and begun': begun,
    'subscriptions created': answered,
  };
  const row = rowsOf(figures);
  const rows = [
    named(row('subscriptions created and begun', 'starts of empty workflows', '≥ 0.5'), server),
    named(row('subscriptions created', 'starts of empty workflows', ''), server),
  ];
  await stop();
  if (server.name === 'production server') rows.push(...(await sleeping(stand, server, shop)));
  return rows;
}

/** The worker as it runs in earnest. */
function startWorker(stand: Stand, server: Server) {
  const worker = spawn(process.execPath, ['--max-old-space-size=192', fromRoot('dist/src/programs/worker.js')], {
    env: environmentOf(stand, server),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return {
    pid: worker.pid,
    drained: () =>
      retryUntilAnswered(async () => {
        if (worker.exitCode !== null) throw new FatalError(`The worker ended with ${worker.exitCode}`);
        if ((await stand.db.outbox.count()) > 0) throw new Error('the outbox is not empty');
      }, 1200),
    stop: async () => {
      worker.kill('SIGTERM');
      await once(worker, 'exit');
    },
  };
}

/** What the memory of a fresh worker and both databases take for those that only sleep. */
async function sleeping(stand: Stand, server: Server, shop: Awaited<ReturnType<typeof openShop>>): Promise<Row[]> {
  const { db } = stand;
  const { pid, drained, stop } = startWorker(stand, server);
  const size = async (database: string): Promise<number> => {
    const [found] = await db.$queryRaw<{ size: bigint }[]>`select pg_database_size(${database}) as size`;
    return Number(found?.size ?? 0);
  };
  const look = async () => {
    await drained();
    await sleep(15_000);
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return {
      memory: Number(kilobytes) * 1024,
      own: await size('recaudo'),
      temporal: (await size('temporal')) + (await size('temporal_visibility')),
    };
  };
  await shop.subscribe(FEW, 300);
  const few = await look();
  await shop.subscribe(MANY - FEW, 300);
  const many = await look();
  await stop();
  const grown = (many.memory - few.memory) / 1e6;
  const each = (what: 'own' | 'temporal'): number => Math.round((many[what] - few[what]) / (MANY - FEW));
  return [
    {
      what: `the worker's memory grows by ${grown.toFixed(1)} MB from ${FEW} to ${MANY} sleeping subscriptions`,
      per_second: 0,
      beside: '50 MB',
      ratio: grown / 50,
      wanted: '< 1',
    },
    {
      what: `a sleeping subscription takes ${each('own')} bytes here and ${each('temporal')} at Temporal`,
      per_second: 0,
      beside: '',
      ratio: 0,
      wanted: '',
    },
  ];
}
