/**
 * Cold subscriptions, all due together: CPU time of a renewal, compared with waking an empty workflow on the same server in
 * the same run.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startColdWorkflows } from './coldWorkflows';
import type { BenchEnvironment } from './environment';
import { newFleet } from './fleet';
import type { ResultRow } from './measure';
import { costOfEach, describeCost, describeStolen, hostTime, processorTime, totalCost } from './processorTime';
import { startPrograms } from './programs';
import { SERVERS, type TemporalServer } from './temporal';

const COUNT = 400;
const MONTHS = 12;
const NATURAL_DELAY_SECONDS = 60;

interface Figures {
  perSecond: number;
  /** CPU milliseconds by process type. */
  cost: Record<string, number>;
}

export async function herd(environment: BenchEnvironment): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  for (const startServer of SERVERS) {
    const server = await startServer(environment);
    const { months, emptyWakes, natural } = await renew(environment, server);
    const floor = typical(emptyWakes);
    const [firstHalf, secondHalf] = [typical(months.slice(0, MONTHS / 2)), typical(months.slice(MONTHS / 2))];
    const year = typical(months);
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
      row(`${COUNT} cold renewals, a year`, year, floor, 'an empty wake', ''),
      row('the same without what only a charge needs', withoutCharge(year, floor), floor, 'an empty wake', '≤ 1.3'),
      row(`${COUNT} cold renewals, the second half-year`, secondHalf, firstHalf, 'the first', '≤ 1.1'),
      row(`${COUNT} cold renewals, by their timers`, natural, floor, 'an empty wake', ''),
      row('the same without what only a charge needs', withoutCharge(natural, floor), floor, 'an empty wake', '≤ 1.3'),
    );
    await server.down();
  }
  return rows;
}

/** Interquartile mean: excludes outliers caused by other load. */
function typical(figures: Figures[]): Figures {
  const quarter = Math.floor(figures.length / 4);
  const sorted = figures.toSorted((a, b) => totalCost(a.cost) - totalCost(b.cost));
  return average(sorted.slice(quarter, figures.length - quarter));
}

const average = (months: Figures[]): Figures => ({
  perSecond: months.length / months.reduce((sum, { perSecond }) => sum + 1 / perSecond, 0),
  cost: Object.fromEntries(
    Object.keys(months[0]?.cost ?? {}).map(part => [
      part,
      months.reduce((sum, { cost }) => sum + (cost[part] ?? 0), 0) / months.length,
    ]),
  ),
});

/** Acquirer, API and queries of a charge, which empty workflows do not have. */
const withoutCharge = ({ perSecond, cost }: Figures, floor: Figures): Figures => ({
  perSecond,
  cost: {
    PostgreSQL: Math.min(cost.PostgreSQL ?? 0, floor.cost.PostgreSQL ?? 0),
    Temporal: cost.Temporal ?? 0,
    worker: cost.worker ?? 0,
  },
});

async function measure(work: () => Promise<void>): Promise<Figures> {
  const [before, began] = [processorTime(), Date.now()];
  await work();
  const seconds = (Date.now() - began) / 1000;
  return { perSecond: COUNT / seconds, cost: costOfEach(before, processorTime(), COUNT) };
}

const report = ({ perSecond, cost }: Figures): string => `${perSecond.toFixed(1)} per second, ${describeCost(cost)}`;

/** Empty wakes alternate with the months, because the speed of a shared machine varies. */
async function renew(
  environment: BenchEnvironment,
  server: TemporalServer,
): Promise<{ months: Figures[]; emptyWakes: Figures[]; natural: Figures }> {
  const { db } = environment;
  const measureAndTell = async (what: string, work: () => Promise<void>): Promise<Figures> => {
    const before = hostTime();
    const figures = await measure(work);
    process.stderr.write(`${server.name}, ${what}: ${report(figures)}; ${describeStolen(before, hostTime())}\n`);
    return figures;
  };
  const { origin, down } = await startPrograms(environment, server.address);
  const cold = await startColdWorkflows(environment, server.address, COUNT);
  const fleet = await newFleet(environment, origin, COUNT);
  await cold.wake();
  const [months, emptyWakes]: [Figures[], Figures[]] = [[], []];
  for (let month = 1; month <= MONTHS; month++) {
    months.push(await measureAndTell(`renewals of month ${month}`, fleet.renew));
    if (month % 2 === 0) emptyWakes.push(await measureAndTell('empty wakes', cold.wake));
  }

  // Due soon by their own timers: each workflow is nudged and sleeps again.
  await db.$executeRaw`
    with moved as (
      update subscriptions s set version = s.version + 1,
        due_at = now() + make_interval(secs => greatest(m.clock_offset, c.clock_offset, s.clock_offset) + ${NATURAL_DELAY_SECONDS})
      from customers c join merchants m on m.id = c.merchant_id
      where c.id = s.customer_id and s.customer_id = any(${fleet.customerIds}::varchar[])
      returning s.id
    )
    insert into outbox (kind, object_id, environment) select 'nudge', id, 'sandbox' from moved`;
  await db.$executeRaw`notify deliveries`;
  const before = await fleet.paid();
  while ((await fleet.paid()) === before) await sleep(50);
  const natural = await measureAndTell('by their timers', async () => {
    while ((await fleet.paid()) < before + COUNT) await sleep(50);
  });
  await cold.down();
  await down();
  return { months, emptyWakes, natural };
}
