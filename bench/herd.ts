/**
 * Cold subscriptions that wake together by their own timers, month after month: CPU time of a renewal, compared with waking
 * an empty workflow on the same server in the same run, and what a sleeping subscription takes in the databases.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openColdWorkflows } from './coldWorkflows';
import type { BenchEnvironment } from './environment';
import { newFleet } from './fleet';
import { countOr } from './measure';
import { costOfEach, describeCost, describeStolen, hostTime, processorTime, totalCost } from './processorTime';
import { startPrograms } from './programs';
import type { ResultRow, Target } from './results';
import { printScale, RECORDED } from './scale';
import { growthOfEach, readStorage, type StorageReading } from './storage';
import { startDevelopmentServer, startProductionServer, type TemporalServer } from './temporal';
import { startWaves } from './waves';

const COUNT = countOr(300);
const MONTHS = Number(/--months[ =](\d+)/.exec(process.argv.join(' '))?.[1] ?? 4);
/** From one wave to the next, which must exceed the time of a wave. */
const SECONDS_PER_WAVE = Math.max(30, COUNT / 10);
/** Waves before each wave of empty workflows, which takes this many seconds more. */
const MONTHS_PER_EMPTY_WAKE = 2;
const SECONDS_PER_EMPTY_WAKE = 30 + COUNT / 10;
/** Time to read the storage before a wave. */
const READING_MS = 3000;
/** The last runs are closed, and searchable, by then. */
const UNTIL_WRITTEN_MS = 2000;

interface Figures {
  perSecond: number;
  /** CPU milliseconds by process type. */
  cost: Record<string, number>;
}

interface Storage {
  /** A subscription that sleeps until its first charge. */
  open: StorageReading;
  /** A renewal: the closed run that it leaves, and its own rows. */
  renewal: StorageReading;
}

/** On Temporal's production server. Prints what one million and 50 million subscriptions need by these figures. */
export async function herd(environment: BenchEnvironment): Promise<ResultRow[]> {
  const server = await startProductionServer(environment);
  const readings: StorageReading[] = [];
  const read = async () => void readings.push(await readStorage(environment.databaseUrl));
  const { months, emptyWakes } = await renew(environment, server, read);
  await server.down();
  const [creation, ...waves] = pairsOf(readings);
  const storage = { open: growthOfEach(creation ? [creation] : [], COUNT), renewal: growthOfEach(waves, COUNT) };
  report(storage, average(months), average(emptyWakes));
  return toRows(server, months, emptyWakes);
}

const pairsOf = (readings: StorageReading[]): [StorageReading, StorageReading][] =>
  readings.flatMap((before, i) => {
    const after = readings[i + 1];
    return i % 2 === 0 && after ? [[before, after]] : [];
  });

/** On the server of `npm start`. */
export async function developmentHerd(environment: BenchEnvironment): Promise<ResultRow[]> {
  const server = await startDevelopmentServer(environment);
  const { months, emptyWakes } = await renew(environment, server, async () => undefined);
  await server.down();
  return toRows(server, months, emptyWakes);
}

function toRows({ name }: TemporalServer, months: Figures[], emptyWakes: Figures[]): ResultRow[] {
  const [firstHalf, secondHalf] = [average(months.slice(0, MONTHS / 2)), average(months.slice(MONTHS / 2))];
  const row = (what: string, { perSecond, cost }: Figures, floor: Figures, beside: string, target?: Target) => ({
    what: `${what}, ${name}: ${describeCost(cost)}`,
    per_second: Math.round(perSecond),
    beside: `${beside} ${totalCost(floor.cost).toFixed(0)} core-ms, ${Math.round(floor.perSecond)} per second`,
    ratio: totalCost(cost) / totalCost(floor.cost),
    target,
  });
  return [
    row(`core-ms of ${COUNT} cold renewals, ${MONTHS} months`, average(months), average(emptyWakes), 'an empty wake'),
    row('core-ms of the second half of these months', secondHalf, firstHalf, 'the first half', '≤ 1.1'),
  ];
}

/** Closed runs are kept for the namespace's retention, so the scale counts them separately. */
function report({ open, renewal }: Storage, { cost }: Figures, { cost: floor }: Figures): void {
  console.info(
    `\nEach of ${COUNT} subscriptions asleep, and each of their ${MONTHS} renewals (a closed run at Temporal)`,
  );
  console.table(
    Object.fromEntries(
      (['temporal', 'temporal_visibility', 'recaudo'] as const).map(name => [
        name,
        {
          'bytes asleep': Math.round(open.bytes[name]),
          'rows asleep': Number(open.rows[name].toFixed(1)),
          'bytes of a renewal': Math.round(renewal.bytes[name]),
          'rows of a renewal': Number(renewal.rows[name].toFixed(1)),
          'commits of a renewal': Number(renewal.commits[name].toFixed(1)),
        },
      ]),
    ),
  );
  console.info(`Write-ahead log of a renewal: ${Math.round(renewal.log)} bytes`);
  const temporalPostgresMs = Math.min(floor.PostgreSQL ?? 0, cost.PostgreSQL ?? 0);
  printScale({
    ...RECORDED,
    workerMs: cost.worker ?? 0,
    temporalMs: cost.Temporal ?? 0,
    temporalPostgresMs,
    ownPostgresMs: (cost.PostgreSQL ?? 0) - temporalPostgresMs,
    temporalCommits: renewal.commits.temporal + renewal.commits.temporal_visibility,
    ownCommits: renewal.commits.recaudo,
    logBytes: renewal.log,
    openBytes: open.bytes.temporal,
    closedBytes: renewal.bytes.temporal,
    openSearchBytes: open.bytes.temporal_visibility,
    closedSearchBytes: renewal.bytes.temporal_visibility,
  });
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

const isFollowedByEmptyWake = (month: number): boolean => month % MONTHS_PER_EMPTY_WAKE === 0;

/**
 * Empty wakes alternate with the months, because the speed of a shared machine varies. Calls `readStorage` before and
 * after the fleet is created, and before and after each month.
 */
async function renew(
  environment: BenchEnvironment,
  server: TemporalServer,
  readStorage: () => Promise<void>,
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
  await readStorage();
  const fleet = await newFleet(environment, origin, COUNT);
  const [months, emptyWakes]: [Figures[], Figures[]] = [[], []];
  await readStorage();
  const waves = await startWaves(environment, server, fleet, SECONDS_PER_WAVE);
  for (let month = 1; month <= MONTHS; month++) {
    await waves.sleepUntilBefore(READING_MS);
    await readStorage();
    await waves.next(
      SECONDS_PER_WAVE + (isFollowedByEmptyWake(month) ? SECONDS_PER_EMPTY_WAKE : 0),
      async work => void months.push(await measure(`renewals of month ${month}`, work)),
    );
    await sleep(UNTIL_WRITTEN_MS);
    await readStorage();
    if (isFollowedByEmptyWake(month))
      await cold.wake(async work => void emptyWakes.push(await measure('empty wakes', work)));
  }
  await cold.down();
  await down();
  return { months, emptyWakes };
}
