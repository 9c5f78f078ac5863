/**
 * Cold subscriptions that wake together by their own timers, month after month: CPU time of a renewal, compared with waking
 * an empty workflow on the same server in the same run.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { openTemporal } from '../src/platform/temporal';
import { subscriptionWorkflowId } from '../workflows/subscriptionContract';
import { openColdWorkflows } from './coldWorkflows';
import type { BenchEnvironment } from './environment';
import { type Fleet, forEach, newFleet } from './fleet';
import { countOr, type ResultRow } from './measure';
import { costOfEach, describeCost, describeStolen, hostTime, processorTime, totalCost } from './processorTime';
import { startPrograms } from './programs';
import { growthOfEach, tableSizes } from './sleeping/sizes';
import { SERVERS, type TemporalServer } from './temporal';

const COUNT = countOr(400);
const MONTHS = Number(/--months[ =](\d+)/.exec(process.argv.join(' '))?.[1] ?? 6);
/** From one wave to the next, which must exceed the time of a wave. */
const SECONDS_PER_WAVE = Math.max(30, COUNT / 10);
/** The clock moves this much before a wave, which no sweep should notice. */
const HEAD_START_MS = 2000;

interface Figures {
  perSecond: number;
  /** CPU milliseconds by process type. */
  cost: Record<string, number>;
}

export async function herd(environment: BenchEnvironment): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  const only = process.argv.includes('--production') ? SERVERS.slice(1) : SERVERS;
  for (const startServer of only) {
    const server = await startServer(environment);
    const { months, emptyWakes } = await renew(environment, server);
    const [firstHalf, secondHalf] = [average(months.slice(0, MONTHS / 2)), average(months.slice(MONTHS / 2))];
    const row = (what: string, { perSecond, cost }: Figures, beside: Figures, name: string, wanted: string) => ({
      what: `${what}, ${server.name}: ${describeCost(cost)}`,
      per_second: Math.round(perSecond),
      beside: `${name} ${totalCost(beside.cost).toFixed(0)} core-ms, ${Math.round(beside.perSecond)} per second`,
      ratio: totalCost(cost) / totalCost(beside.cost),
      wanted,
    });
    rows.push(
      row(`${COUNT} cold renewals, ${MONTHS} months`, average(months), average(emptyWakes), 'an empty wake', ''),
      row('the second half of these months', secondHalf, firstHalf, 'the first', '≤ 1.1'),
    );
    await server.down();
  }
  return rows;
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

/** Empty wakes alternate with the months, because the speed of a shared machine varies. */
async function renew(
  environment: BenchEnvironment,
  server: TemporalServer,
): Promise<{ months: Figures[]; emptyWakes: Figures[] }> {
  const measure = async (what: string, work: () => Promise<void>): Promise<Figures> => {
    const [host, before, began] = [hostTime(), processorTime(), Date.now()];
    await work();
    const perSecond = (COUNT * 1000) / (Date.now() - began);
    const figures = { perSecond, cost: costOfEach(before, processorTime(), COUNT) };
    const text = `${perSecond.toFixed(1)} per second, ${totalCost(figures.cost).toFixed(1)} core-ms: ${describeCost(figures.cost)}`;
    process.stderr.write(`${server.name}, ${what}: ${text}; ${describeStolen(host, hostTime())}\n`);
    return figures;
  };
  const { origin, down } = await startPrograms(environment, server.address);
  const cold = await openColdWorkflows(environment, server.address, COUNT);
  const sizes = await temporalSizes(environment, server);
  const fleet = await newFleet(environment, origin, COUNT);
  const [months, emptyWakes]: [Figures[], Figures[]] = [[], []];
  let wave = await startAsleep(environment, server, fleet);
  for (let month = 1; month <= MONTHS; month++) {
    const next = wave + SECONDS_PER_WAVE * 1000 + (month % 3 === 0 ? 90_000 : 0);
    await sleep(wave - HEAD_START_MS - Date.now());
    await moveClock(environment, fleet, next);
    const before = await fleet.paid();
    await sleep(wave - Date.now());
    months.push(
      await measure(`renewals of month ${month}`, async () => {
        while ((await fleet.paid()) < before + COUNT) await sleep(50);
      }),
    );
    if (month % 3 === 0) await cold.wake(async work => void emptyWakes.push(await measure('empty wakes', work)));
    wave = next;
  }
  await sizes?.report();
  await cold.down();
  await down();
  return { months, emptyWakes };
}

/** Starts the workflows again, asleep until the first wave, because they were started with another clock. */
async function startAsleep({ db }: BenchEnvironment, server: TemporalServer, fleet: Fleet): Promise<number> {
  const temporal = openTemporal(server.address, 'default');
  const rows = await db.subscription.findMany({ where: { customer_id: { in: fleet.customerIds } } });
  await forEach(rows.length, i =>
    temporal.workflow.getHandle(subscriptionWorkflowId(rows[i]?.id ?? '')).terminate('measured later'),
  );
  const wave = Date.now() + SECONDS_PER_WAVE * 1000;
  await db.$executeRaw`
    with moved as (
      update subscriptions set version = version + 1,
        clock_offset = ceil(extract(epoch from due_at) - ${wave / 1000}::float)
      where customer_id = any(${fleet.customerIds}::varchar[]) returning id
    )
    insert into outbox (kind, object_id, environment) select 'subscription', id, 'sandbox' from moved`;
  await db.$executeRaw`notify deliveries`;
  await temporal.connection.close();
  return wave;
}

/** Sets their clocks: the charge after the next one is then due at `next` in real time. */
const moveClock = ({ db }: BenchEnvironment, { customerIds }: Fleet, next: number) => db.$executeRaw`
  update subscriptions set version = version + 1,
    clock_offset = ceil(extract(epoch from (due_at at time zone 'America/Bogota' + interval '1 month') at time zone 'America/Bogota')
      - ${next / 1000}::float)
  where customer_id = any(${customerIds}::varchar[])`;

/** The production server's databases, with what each sleeping subscription takes in them. */
async function temporalSizes({ databaseUrl }: BenchEnvironment, { name }: TemporalServer) {
  if (name !== 'production server') return undefined;
  const read = async (database: string) => {
    const client = new Client({ connectionString: databaseUrl.replace(/\/[^/?]*(?=\?|$)/, `/${database}`) });
    await client.connect();
    const sizes = await tableSizes(client);
    await client.end();
    return sizes;
  };
  const before = { temporal: await read('temporal'), visibility: await read('temporal_visibility') };
  return {
    report: async (): Promise<void> => {
      for (const [title, growth] of [
        ['Temporal without search', growthOfEach(before.temporal, await read('temporal'), COUNT)],
        ['search', growthOfEach(before.visibility, await read('temporal_visibility'), COUNT)],
      ] as const) {
        const bytes = Object.values(growth).reduce((sum, table) => sum + table.bytes, 0);
        console.info(`\n${title}: ${bytes} bytes for each subscription after ${MONTHS} months, with its closed runs`);
        console.table(growth);
      }
    },
  };
}
