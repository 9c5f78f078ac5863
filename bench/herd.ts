/**
 * Subscriptions that nobody has touched since their last period, all due together: what a renewal costs in processor
 * time, beside the least that waking a workflow can cost on the same server in the same run.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureSearchAttributes } from '../src/background/temporalNamespace';
import { retryUntilAnswered } from '../src/embedded/managedProcess';
import { fromRoot } from '../src/platform/root';
import { openTemporal } from '../src/platform/temporal';
import { NUDGE, TASK_QUEUE } from '../workflows/contract';
import type { BenchEnvironment } from './environment';
import { CONNECTIONS, type ResultRow } from './measure';
import { costOfEach, processorTime } from './processorTime';
import { startPrograms } from './programs';
import { type TemporalServer, temporalServers } from './temporal';

const [, countText = '600'] = /--count[ =](\d+)/.exec(process.argv.join(' ')) ?? [];
const COUNT = Number(countText);
const MONTHS = 12;
const NATURAL_DELAY_SECONDS = 60;
const COLD_ROUNDS = 4;

interface Figures {
  perSecond: number;
  /** Processor milliseconds of each part. */
  cost: Record<string, number>;
}

export async function herd(environment: BenchEnvironment): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  for (const startServer of temporalServers(environment)) {
    const server = await startServer();
    const floor = await wakeCold(environment, server);
    const { months, natural } = await renew(environment, server);
    const [first, last] = [months[0] ?? floor, months.at(-1) ?? floor];
    const row = (
      what: string,
      { perSecond, cost }: Figures,
      beside: Figures,
      name: string,
      wanted: string,
    ): ResultRow => ({
      what: `${what}, ${server.name}: ${describe(cost)}`,
      per_second: Math.round(perSecond),
      beside: `${name} ${total(beside).toFixed(0)} core-ms, ${Math.round(beside.perSecond)} per second`,
      ratio: total({ perSecond, cost }) / total(beside),
      wanted,
    });
    rows.push(
      row(`${COUNT} cold renewals, month 1`, first, floor, 'an empty wake', ''),
      row(`${COUNT} cold renewals, month ${MONTHS}`, last, first, 'month 1', '≤ 1.1'),
      row(`${COUNT} cold renewals, by their timers`, natural, floor, 'an empty wake', ''),
    );
    await server.down();
  }
  return rows;
}

const total = ({ cost }: Figures): number => Object.values(cost).reduce((sum, ms) => sum + ms, 0);
const describe = (cost: Record<string, number>): string =>
  Object.entries(cost)
    .map(([part, ms]) => `${part} ${ms.toFixed(1)}`)
    .join(', ');

async function measure(work: () => Promise<void>): Promise<Figures> {
  const [before, began] = [processorTime(), Date.now()];
  await work();
  const seconds = (Date.now() - began) / 1000;
  return { perSecond: COUNT / seconds, cost: costOfEach(before, processorTime(), COUNT) };
}

const forEach = async (work: (i: number) => Promise<unknown>): Promise<void> => {
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < COUNT) await work(next++);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
};

/** The last of some rounds: the first ones have shorter histories than a subscription of some months. */
async function wakeCold(environment: BenchEnvironment, { address, name }: TemporalServer): Promise<Figures> {
  const temporal = openTemporal(address, 'default');
  await retryUntilAnswered(() => ensureSearchAttributes(temporal));
  const env = { ...environment.variables, TEMPORAL_ADDRESS: address };
  const worker = fork(fromRoot('dist/bench/worker.js'), { env });
  await once(worker, 'message');
  const woken = async (): Promise<number> => {
    worker.send('how many?');
    return (await once(worker, 'message'))[0].empty;
  };
  const workflowId = (i: number): string => `cold-${i}`;
  await forEach(i => temporal.workflow.start('cold', { workflowId: workflowId(i), taskQueue: TASK_QUEUE }));
  await sleep(5000);
  let figures: Figures = { perSecond: 0, cost: {} };
  for (let round = 1; round <= COLD_ROUNDS; round++) {
    const before = await woken();
    figures = await measure(async () => {
      await forEach(i => temporal.workflow.getHandle(workflowId(i)).signal(NUDGE));
      while ((await woken()) < before + COUNT) await sleep(100);
    });
    process.stderr.write(`${name}, empty wakes ${round}: ${report(figures)}\n`);
  }
  await forEach(i => temporal.workflow.getHandle(workflowId(i)).terminate());
  worker.disconnect();
  await once(worker, 'exit');
  await temporal.connection.close();
  return figures;
}

const report = ({ perSecond, cost }: Figures): string => `${perSecond.toFixed(1)} per second, ${describe(cost)}`;

async function renew(
  environment: BenchEnvironment,
  server: TemporalServer,
): Promise<{ months: Figures[]; natural: Figures }> {
  const { db } = environment;
  const { request, down } = await startPrograms(environment, server.address);
  const customerIds = await subscribe(request);
  await retryUntilAnswered(async () => {
    if ((await db.outbox.count()) > 0) throw new Error('not all have begun');
  });
  await sleep(5000);
  const paid = (): Promise<number> =>
    db.transaction.count({ where: { status: 'completed', customer_id: { in: customerIds } } });
  const today = new Date();
  const months: Figures[] = [];
  for (let month = 0; month < MONTHS; month++) {
    const day = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + month, today.getUTCDate() + 8));
    const to = day.toISOString().slice(0, 10);
    const before = await paid();
    const figures = await measure(async () => {
      while (typeof (await request('POST', '/sandbox/clock', { to })).to === 'string');
    });
    if ((await paid()) !== before + COUNT) throw new Error(`${(await paid()) - before} of ${COUNT} were charged`);
    months.push(figures);
    process.stderr.write(`${server.name}, renewals of month ${month + 1}: ${report(figures)}\n`);
  }

  // Due soon by their own timers: each workflow is told so, and sleeps again.
  await db.$executeRaw`
    with moved as (
      update subscriptions s set version = s.version + 1,
        due_at = now() + make_interval(secs => greatest(m.clock_offset, c.clock_offset, s.clock_offset) + ${NATURAL_DELAY_SECONDS})
      from customers c join merchants m on m.id = c.merchant_id
      where c.id = s.customer_id and s.customer_id = any(${customerIds}::varchar[])
      returning s.id
    )
    insert into outbox (kind, object_id) select 'nudge', id from moved`;
  await db.$executeRaw`notify deliveries`;
  const before = await paid();
  while ((await paid()) === before) await sleep(50);
  const natural = await measure(async () => {
    while ((await paid()) < before + COUNT) await sleep(50);
  });
  process.stderr.write(`${server.name}, by their timers: ${report(natural)}\n`);
  await down();
  return { months, natural };
}

/** Each of its own customer, with a card of its own. */
async function subscribe(request: Awaited<ReturnType<typeof startPrograms>>['request']): Promise<string[]> {
  const terms = { amount: 49_900, repeat_every: 1, repeat_unit: 'month', status_after_retry: 'unpaid', trial_days: 5 };
  const { id: plan_id } = await request('POST', '/plans', { name: 'Monthly', ...terms });
  const card = { holder_name: 'María', card_number: '4242424242424242', cvv2: '123', expiration_month: '12' };
  const ids: string[] = [];
  await forEach(async i => {
    const customer = { name: 'María', email: `maria${i}@example.com`, requires_account: false };
    const id = (await request('POST', '/customers', customer)).id ?? '';
    const { id: source_id } = await request('POST', `/customers/${id}/cards`, { ...card, expiration_year: '99' });
    await request('POST', `/customers/${id}/subscriptions`, { plan_id, source_id });
    ids.push(id);
  });
  return ids;
}
