/**
 * Subscriptions on both Temporal servers: renewals against empty cycles, creations against starts of empty workflows,
 * and the cost of sleeping ones.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { startSubscriptionWorkflow } from '../src/billing/subscriptions/billing/startWorkflow';
import { retryUntilAnswered } from '../src/local/processes/managedProcess';
import { ensureSearchAttributes } from '../src/operations/background/temporalNamespace';
import { openTemporal } from '../src/platform/temporal';
import { TASK_QUEUE } from '../workflows/contract';
import { subscriptionWorkflowId } from '../workflows/subscriptionContract';
import type { BenchEnvironment } from './environment';
import { forEach, openMerchant } from './fleet';
import { comparisonOf, medianRates, type ResultRow } from './measure';
import { startBenchWorker } from './programs';
import { SERVERS, type TemporalServer } from './temporal';

const RENEWING_SUBSCRIPTIONS = 100;
const WINDOW_MS = 7000;
const CREATIONS_PER_ROUND = 600;
const [FEW_SLEEPING, MANY_SLEEPING] = [1000, 10_000];

export async function subscriptions(environment: BenchEnvironment): Promise<ResultRow[]> {
  const merchant = await prepareMerchant(environment);
  const rows: ResultRow[] = [];
  for (const startServer of SERVERS) {
    const server = await startServer(environment);
    const temporal = openTemporal(server.address, 'default');
    await retryUntilAnswered(() => ensureSearchAttributes(temporal), 30);
    rows.push(
      ...(await measureRenewals(environment, server, temporal, await merchant.subscribe(RENEWING_SUBSCRIPTIONS, 0))),
    );
    rows.push(...(await measureCreations(environment, server, temporal, merchant)));
    await temporal.connection.close();
    await server.down();
  }
  return rows;
}

/** Creates a merchant, its customer with a card, and weekly plans. */
async function prepareMerchant(environment: BenchEnvironment) {
  const { request } = await openMerchant(environment, environment.url);
  const post = (path: string, body: object) => request('POST', path, body);
  const { id } = await post('/customers', { name: 'María', email: 'maria@example.com', requires_account: false });
  const card = { holder_name: 'María', card_number: '4242424242424242', cvv2: '123', expiration_month: '12' };
  const source_id = (await post(`/customers/${id}/cards`, { ...card, expiration_year: '99' })).id;
  const plan = { name: 'Weekly', amount: 49900, repeat_every: 1, repeat_unit: 'week', status_after_retry: 'unpaid' };
  const plans = new Map<number, string>();
  for (const trial_days of [0, 300]) plans.set(trial_days, (await post('/plans', { ...plan, trial_days })).id);
  return {
    /** Creates subscriptions on all connections concurrently. */
    subscribe: async (count: number, trial_days: 0 | 300): Promise<string[]> => {
      const ids: string[] = [];
      await forEach(count, async i => {
        ids[i] = (await post(`/customers/${id}/subscriptions`, { plan_id: plans.get(trial_days), source_id })).id;
      });
      return ids;
    },
  };
}

async function measureRenewals(
  environment: BenchEnvironment,
  server: TemporalServer,
  temporal: Client,
  ids: string[],
): Promise<ResultRow[]> {
  await environment.db.outbox.deleteMany();
  await environment.db.$executeRaw`
    update subscriptions set clock_offset = ceil(extract(epoch from due_at - now()))::integer, version = version + 1
    where id = any(${ids}::varchar[])`;
  const worker = await startBenchWorker(environment, server.address);
  const measure = (what: 'empty' | 'renewals', names: string[], start: (i: number) => Promise<unknown>) => async () => {
    await Promise.all(names.map((_, i) => start(i)));
    await sleep(1500);
    const before = await worker.readCounts();
    const began = Date.now();
    await sleep(WINDOW_MS);
    const rate = (1000 * ((await worker.readCounts())[what] - before[what])) / (Date.now() - began);
    await Promise.all(names.map(name => temporal.workflow.getHandle(name).terminate()));
    return rate;
  };
  const emptyIds = ids.map((_, i) => `empty-${i}`);
  const measurements = {
    'empty cycles': measure('empty', emptyIds, i =>
      temporal.workflow.start('empty', { workflowId: `empty-${i}`, taskQueue: TASK_QUEUE }),
    ),
    renewals: measure('renewals', ids.map(subscriptionWorkflowId), i =>
      startSubscriptionWorkflow(environment.db, temporal, TASK_QUEUE, ids[i] ?? ''),
    ),
  };
  const figures = await medianRates(measurements);
  await worker.stop();
  return [withServerName(comparisonOf(figures)('renewals', 'empty cycles', '≥ 1.2'), server)];
}

const withServerName = (row: ResultRow, { name }: TemporalServer): ResultRow => ({
  ...row,
  what: `${row.what}, ${name}`,
});

/**
 * Measured until every workflow has started. The API has no Temporal server here, so the worker starts them from the
 * outbox.
 */
async function measureCreations(
  environment: BenchEnvironment,
  server: TemporalServer,
  temporal: Client,
  merchant: Awaited<ReturnType<typeof prepareMerchant>>,
): Promise<ResultRow[]> {
  const worker = await startBenchWorker(environment, server.address);
  let round = 0;
  const measureStarts = async (): Promise<number> => {
    const began = Date.now();
    round++;
    await forEach(CREATIONS_PER_ROUND, i =>
      temporal.workflow.start('waiting', { workflowId: `waiting-${round}-${i}`, taskQueue: TASK_QUEUE }),
    );
    return (1000 * CREATIONS_PER_ROUND) / (Date.now() - began);
  };
  await measureStarts();
  const startRate = [await measureStarts(), await measureStarts(), await measureStarts()].sort((a, b) => a - b)[1] ?? 0;
  await worker.stop();

  const { drained, stop } = await startWorker(environment, server);
  const measureCreation = async (): Promise<{ answered: number; begun: number }> => {
    const began = Date.now();
    await merchant.subscribe(CREATIONS_PER_ROUND, 300);
    const answered = (1000 * CREATIONS_PER_ROUND) / (Date.now() - began);
    await drained();
    return { answered, begun: (1000 * CREATIONS_PER_ROUND) / (Date.now() - began) };
  };
  await measureCreation();
  const runs = [await measureCreation(), await measureCreation(), await measureCreation()].sort(
    (a, b) => a.begun - b.begun,
  );
  const { answered, begun } = runs[1] ?? { answered: 0, begun: 0 };
  const figures = {
    'starts of empty workflows': startRate,
    'subscriptions created and started': begun,
    'subscriptions created': answered,
  };
  const row = comparisonOf(figures);
  const rows = [
    withServerName(row('subscriptions created and started', 'starts of empty workflows', '≥ 0.5'), server),
    withServerName(row('subscriptions created', 'starts of empty workflows', ''), server),
  ];
  await stop();
  if (server.name === 'production server') rows.push(...(await measureSleeping(environment, server, merchant)));
  return rows;
}

/** The worker as it runs in production. */
async function startWorker({ stack, variables, db }: BenchEnvironment, server: TemporalServer) {
  const worker = await stack.startProgram('worker', { ...variables, TEMPORAL_ADDRESS: server.address });
  return {
    pid: worker.pid,
    drained: () =>
      retryUntilAnswered(async () => {
        if ((await db.outbox.count()) > 0) throw new Error('the outbox is not empty');
      }, 1200),
    stop: () => worker.down(),
  };
}

/** Memory of a fresh worker, and size of both databases, for subscriptions that only sleep. */
async function measureSleeping(
  environment: BenchEnvironment,
  server: TemporalServer,
  merchant: Awaited<ReturnType<typeof prepareMerchant>>,
): Promise<ResultRow[]> {
  const { db } = environment;
  const { pid, drained, stop } = await startWorker(environment, server);
  const size = async (database: string): Promise<number> => {
    const [row] = await db.$queryRaw<{ size: bigint }[]>`select pg_database_size(${database}) as size`;
    return Number(row?.size ?? 0);
  };
  const measureUsage = async () => {
    await drained();
    await sleep(15_000);
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return {
      memory: Number(kilobytes) * 1024,
      recaudo: await size('recaudo'),
      temporal: (await size('temporal')) + (await size('temporal_visibility')),
    };
  };
  await merchant.subscribe(FEW_SLEEPING, 300);
  const few = await measureUsage();
  await merchant.subscribe(MANY_SLEEPING - FEW_SLEEPING, 300);
  const many = await measureUsage();
  await stop();
  const memoryGrowthMb = (many.memory - few.memory) / 1e6;
  const bytesPerSubscription = (database: 'recaudo' | 'temporal'): number =>
    Math.round((many[database] - few[database]) / (MANY_SLEEPING - FEW_SLEEPING));
  return [
    {
      what: `the worker's memory grows by ${memoryGrowthMb.toFixed(1)} MB from ${FEW_SLEEPING} to ${MANY_SLEEPING} sleeping subscriptions`,
      per_second: 0,
      beside: '50 MB',
      ratio: memoryGrowthMb / 50,
      wanted: '< 1',
    },
    {
      what: `a sleeping subscription takes ${bytesPerSubscription('recaudo')} bytes here and ${bytesPerSubscription('temporal')} at Temporal`,
      per_second: 0,
      beside: '',
      ratio: 0,
      wanted: '',
    },
  ];
}
