/**
 * Thousands of subscriptions due at once, on Temporal's production server: lateness of charges, effect on API requests and
 * on a merchant with ten subscriptions, and scaling with workers.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchEnvironment } from './environment';
import { type Fleet, newFleet } from './fleet';
import { countOr } from './measure';
import { peakMemory } from './processorTime';
import { startPrograms } from './programs';
import type { ResultRow, Target } from './results';
import { startProductionServer } from './temporal';

const COUNT = countOr(5000);
const FEW = 10;
/** One move of the few's clock may be lucky. */
const MOVES_OF_FEW = 5;
const BETWEEN_MOVES_MS = 2000;
const SAMPLE = 600;
const IDLE_MS = 20_000;
const PAUSE_MS = 50;
const HEAD_START_MS = 3000;
const CARD = {
  holder_name: 'M',
  card_number: '5555555555554444',
  cvv2: '123',
  expiration_month: '12',
  expiration_year: '99',
};
const CHARGE = { method: 'card', amount: 1000, currency: 'COP', iva: '19', description: 'x', device_session_id: 'd' };

export async function drain(environment: BenchEnvironment): Promise<ResultRow[]> {
  const server = await startProductionServer(environment);
  const { origin, addWorker, down } = await startPrograms(environment, server.address);
  const sample = await newFleet(environment, origin, Math.min(SAMPLE, COUNT));
  const rows = [...(await addWorkers(sample, addWorker))];
  await down();

  const one = await startPrograms(environment, server.address);
  const caller = await newFleet(environment, one.origin, 1);
  const [littleOne, large] = [
    await newFleet(environment, one.origin, FEW),
    await newFleet(environment, one.origin, COUNT),
  ];
  rows.push(...(await drainBeside(environment, large, littleOne, caller)));
  await one.down();
  await server.down();
  return rows;
}

const row = (what: string, per_second: number, beside: string, ratio: number, target?: Target): ResultRow => ({
  what,
  per_second: Math.round(per_second),
  beside,
  ratio,
  target,
});

/** Sequential steps of one month on the same subscriptions, so later steps have longer histories. */
async function addWorkers(fleet: Fleet, addWorker: () => Promise<void>): Promise<ResultRow[]> {
  const rates: number[] = [];
  const measure = async (): Promise<void> => {
    await sleep(5000);
    const began = Date.now();
    await fleet.renew();
    rates.push((1000 * fleet.count) / (Date.now() - began));
    process.stderr.write(`${fleet.count} renewals: ${rates.at(-1)?.toFixed(1)} per second\n`);
  };
  await measure();
  await addWorker();
  await measure();
  await addWorker();
  await addWorker();
  await measure();
  const [one = 1, two = 0, four = 0] = rates;
  const beside = `one worker ${Math.round(one)}`;
  return [
    row(`${fleet.count} renewals, two workers`, two, beside, two / one),
    row(`${fleet.count} renewals, four workers`, four, beside, four / one),
  ];
}

async function drainBeside({ stack }: BenchEnvironment, large: Fleet, few: Fleet, caller: Fleet): Promise<ResultRow[]> {
  const alone = await secondsOf(() => few.renew());
  const { id: source_id } = await caller.request('POST', `/customers/${caller.customerIds[0]}/cards`, CARD);
  const idle = await callUntil(caller, source_id, sleep(IDLE_MS));
  const journal = (): number =>
    readFileSync(join(stack.dataDir, 'journal.ndjson'), 'utf8').split('"approved"').length - 1;
  const [approvedBefore, paidBefore] = [journal(), await large.paid()];

  const lateness: number[] = [];
  const began = Date.now();
  let isOver = false;
  const draining = large.renew().finally(() => {
    isOver = true;
  });
  const watching = (async () => {
    for (let done = 0; !isOver; await sleep(200)) {
      const now = (await large.paid()) - paidBefore;
      const late = (Date.now() - began) / 1000;
      if (Math.floor(now / 500) > Math.floor(done / 500))
        process.stderr.write(`${now} of ${COUNT} in ${late.toFixed(0)} s\n`);
      for (; done < now; done++) lateness.push(late);
    }
  })();
  await sleep(HEAD_START_MS);
  const besides: number[] = [];
  const moving = (async () => {
    do {
      besides.push(await secondsOf(() => few.renew()));
      await sleep(BETWEEN_MOVES_MS);
    } while (besides.length < MOVES_OF_FEW && !isOver);
  })();
  const busy = await callUntil(caller, source_id, draining);
  await watching;
  const seconds = (Date.now() - began) / 1000;
  await moving;
  besides.sort((a, b) => a - b);
  const [beside, worst] = [besides[Math.floor(besides.length / 2)] ?? 0, besides.at(-1) ?? 0];
  const twice = journal() - approvedBefore - COUNT - FEW * besides.length - busy.charges;
  if (twice !== 0) throw new Error(`the acquirer has approved ${twice} charges more than there should be`);

  const quantile = (q: number): number => lateness[Math.floor(q * lateness.length)] ?? seconds;
  process.stderr.write(`peak memory in MB: ${JSON.stringify(peakMemory())}\n`);
  const rate = COUNT / seconds;
  const each = `${COUNT} due at once`;
  return [
    row(`${each}, seconds late: p50 ${quantile(0.5).toFixed(0)}, p99 ${quantile(0.99).toFixed(0)}`, rate, '', 1),
    row(
      `GET customer meanwhile, p99 ${busy.get.toFixed(0)} ms`,
      0,
      `idle ${idle.get.toFixed(1)}`,
      busy.get / idle.get,
      '≤ 3',
    ),
    row(
      `POST charge meanwhile, p99 ${busy.post.toFixed(0)} ms`,
      0,
      `idle ${idle.post.toFixed(1)}`,
      busy.post / idle.post,
      '≤ 3',
    ),
    row(
      `another's ${FEW} meanwhile, ${beside.toFixed(1)} s, at most ${worst.toFixed(1)}`,
      FEW / beside,
      `alone ${alone.toFixed(1)} s`,
      worst - alone,
      '≤ 2',
    ),
  ];
}

/** 99th percentile of the requests of a merchant with ordinary traffic, in milliseconds. */
async function callUntil({ customerIds: [id], request }: Fleet, source_id: string, end: Promise<unknown>) {
  const charge = { ...CHARGE, source_id };
  const [gets, posts]: [number[], number[]] = [[], []];
  let isOver = false;
  const ended = end.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    gets.push(1000 * (await secondsOf(() => request('GET', `/customers/${id}`))));
    posts.push(1000 * (await secondsOf(() => request('POST', `/customers/${id}/charges`, charge))));
    await sleep(PAUSE_MS);
  }
  await ended;
  const p99 = (list: number[]): number => list.sort((a, b) => a - b)[Math.floor(0.99 * list.length)] ?? 0;
  return { get: p99(gets), post: p99(posts), charges: posts.length };
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = Date.now();
  await work();
  return (Date.now() - began) / 1000;
}
