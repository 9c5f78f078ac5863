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
import { forEach, newFleet } from './fleet';
import type { ResultRow } from './measure';
import { costOfEach, describeCost, processorTime, totalCost } from './processorTime';
import type { TemporalServer } from './productionTemporal';
import { endWithBench, startPrograms } from './programs';
import { temporalServers } from './temporal';

const COUNT = 400;
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
      what: `${what}, ${server.name}: ${describeCost(cost)}`,
      per_second: Math.round(perSecond),
      beside: `${name} ${totalCost(beside.cost).toFixed(0)} core-ms, ${Math.round(beside.perSecond)} per second`,
      ratio: totalCost(cost) / totalCost(beside.cost),
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

async function measure(work: () => Promise<void>): Promise<Figures> {
  const [before, began] = [processorTime(), Date.now()];
  await work();
  const seconds = (Date.now() - began) / 1000;
  return { perSecond: COUNT / seconds, cost: costOfEach(before, processorTime(), COUNT) };
}

/** The last of some rounds: the first ones have shorter histories than a subscription of some months. */
async function wakeCold(environment: BenchEnvironment, { address, name }: TemporalServer): Promise<Figures> {
  const temporal = openTemporal(address, 'default');
  await retryUntilAnswered(() => ensureSearchAttributes(temporal));
  const env = { ...environment.variables, TEMPORAL_ADDRESS: address };
  const worker = endWithBench(fork(fromRoot('dist/bench/worker.js'), { env }));
  await once(worker, 'message');
  const woken = async (): Promise<number> => {
    worker.send('how many?');
    return (await once(worker, 'message'))[0].empty;
  };
  const workflowId = (i: number): string => `cold-${i}`;
  await forEach(COUNT, i => temporal.workflow.start('cold', { workflowId: workflowId(i), taskQueue: TASK_QUEUE }));
  await sleep(5000);
  let figures: Figures = { perSecond: 0, cost: {} };
  for (let round = 1; round <= COLD_ROUNDS; round++) {
    const before = await woken();
    figures = await measure(async () => {
      await forEach(COUNT, i => temporal.workflow.getHandle(workflowId(i)).signal(NUDGE));
      while ((await woken()) < before + COUNT) await sleep(100);
    });
    process.stderr.write(`${name}, empty wakes ${round}: ${report(figures)}\n`);
  }
  await forEach(COUNT, i => temporal.workflow.getHandle(workflowId(i)).terminate());
  worker.disconnect();
  await once(worker, 'exit');
  await temporal.connection.close();
  return figures;
}

const report = ({ perSecond, cost }: Figures): string => `${perSecond.toFixed(1)} per second, ${describeCost(cost)}`;

async function renew(
  environment: BenchEnvironment,
  server: TemporalServer,
): Promise<{ months: Figures[]; natural: Figures }> {
  const { db } = environment;
  const { origin, down } = await startPrograms(environment, server.address);
  const fleet = await newFleet(environment, origin, COUNT);
  await sleep(5000);
  const months: Figures[] = [];
  for (let month = 1; month <= MONTHS; month++) {
    const figures = await measure(fleet.renew);
    months.push(figures);
    process.stderr.write(`${server.name}, renewals of month ${month}: ${report(figures)}\n`);
  }

  // Due soon by their own timers: each workflow is told so, and sleeps again.
  await db.$executeRaw`
    with moved as (
      update subscriptions s set version = s.version + 1,
        due_at = now() + make_interval(secs => greatest(m.clock_offset, c.clock_offset, s.clock_offset) + ${NATURAL_DELAY_SECONDS})
      from customers c join merchants m on m.id = c.merchant_id
      where c.id = s.customer_id and s.customer_id = any(${fleet.customerIds}::varchar[])
      returning s.id
    )
    insert into outbox (kind, object_id) select 'nudge', id from moved`;
  await db.$executeRaw`notify deliveries`;
  const before = await fleet.paid();
  while ((await fleet.paid()) === before) await sleep(50);
  const natural = await measure(async () => {
    while ((await fleet.paid()) < before + COUNT) await sleep(50);
  });
  process.stderr.write(`${server.name}, by their timers: ${report(natural)}\n`);
  await down();
  return { months, natural };
}
