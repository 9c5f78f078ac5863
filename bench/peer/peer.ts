/**
 * Renewals of Kill Bill and of recaudo on the production server of Temporal, alternating. Kill Bill is moved by its test
 * clock, and our subscriptions wake by their timers. Both use one PostgreSQL server with durable settings. A payment is
 * approved immediately.
 */
import type { BenchEnvironment } from '../environment';
import { newFleet } from '../fleet';
import { countOr } from '../measure';
import { costOfEach, describeCost, processorTime, totalCost } from '../processorTime';
import { startPrograms } from '../programs';
import type { ResultRow } from '../results';
import { startProductionServer } from '../temporal';
import { startWaves } from '../waves';
import { newPeerFleet } from './fleet';
import { canRunPeer } from './installation';
import { startKillBill } from './server';

const COUNT = countOr(300);
const PAIRS = 3;
/** Not measured, because Java compiles what it runs. */
const WARM_UP_PAIRS = 2;
/** From one wave of ours to the next, which must exceed the time of a pair. */
const SECONDS_PER_PAIR = 60 + COUNT / 5;

interface Renewals {
  perSecond: number;
  coreMs: number;
}

export async function peer(environment: BenchEnvironment): Promise<ResultRow[]> {
  if (!canRunPeer()) {
    console.info('Kill Bill was not measured, because it requires JDK 17 and Maven.');
    return [];
  }
  const killBill = await startKillBill(environment);
  const theirs = await newPeerFleet(killBill, COUNT);
  killBill.pause();
  const server = await startProductionServer(environment);
  const programs = await startPrograms(environment, server.address);
  const ours = await newFleet(environment, programs.origin, COUNT);
  const [peerRuns, ourRuns]: [Renewals[], Renewals[]] = [[], []];
  const waves = await startWaves(environment, server, ours, SECONDS_PER_PAIR);
  for (let pair = -WARM_UP_PAIRS; pair < PAIRS; pair++) {
    killBill.resume();
    const peerRun = await measure('Kill Bill', theirs.renew);
    await theirs.check();
    killBill.pause();
    await waves.next(SECONDS_PER_PAIR, async work => {
      const ourRun = await measure('recaudo', work);
      if (pair >= 0) ourRuns.push(ourRun);
    });
    if (pair >= 0) peerRuns.push(peerRun);
  }
  killBill.resume();
  await programs.down();
  await server.down();
  await killBill.down();
  const [rate, peerRate] = [median(ourRuns, 'perSecond'), median(peerRuns, 'perSecond')];
  const [cost, peerCost] = [median(ourRuns, 'coreMs'), median(peerRuns, 'coreMs')];
  const row = (what: string, beside: string, ratio: number): ResultRow => ({
    what: `${what}, ${COUNT} due at once`,
    per_second: Math.round(rate),
    beside: `Kill Bill, tuned ${beside}`,
    ratio,
  });
  return [
    { ...row('renewals beside a peer', `${Math.round(peerRate)}`, rate / peerRate), target: '≥ 1.5' },
    {
      ...row(`${cost.toFixed(0)} core-ms of a renewal beside a peer`, `${peerCost.toFixed(0)}`, cost / peerCost),
      target: '≤ 1',
    },
  ];
}

async function measure(what: string, renew: () => Promise<void>): Promise<Renewals> {
  const [before, began] = [processorTime(), Date.now()];
  await renew();
  const perSecond = (1000 * COUNT) / (Date.now() - began);
  const cost = costOfEach(before, processorTime(), COUNT);
  process.stderr.write(`${what}: ${perSecond.toFixed(1)} per second, ${describeCost(cost)}\n`);
  return { perSecond, coreMs: totalCost(cost) };
}

const median = (runs: Renewals[], figure: keyof Renewals): number =>
  runs.map(run => run[figure]).sort((a, b) => a - b)[Math.floor(runs.length / 2)] ?? 0;
