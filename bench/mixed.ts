/** Latency of searches and totals beside that of a GET, in light traffic of three merchants, with the default limits. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchEnvironment } from './environment';
import { openMerchant } from './fleet';
import { openPool } from './measure';
import { percentile, withLimits } from './neighbours';
import { startApi } from './programs';
import type { ResultRow } from './results';
import { fill } from './search';

const MERCHANTS = 3;
const RECORDS = 5000;
const PER_SECOND = 20;
const SECONDS = 90;
const WARM_UP_REQUESTS = 10 * PER_SECOND;

export async function mixed(environment: BenchEnvironment): Promise<ResultRow[]> {
  const { url, down } = await startApi({ ...environment, variables: withLimits(environment) });
  const pool = openPool(environment.databaseUrl);
  const merchants = await Promise.all(Array.from({ length: MERCHANTS }, () => openMerchant(environment, url)));
  for (const { merchant } of merchants) await fill(pool, merchant.id, RECORDS);
  await pool.end();
  const latencies: Record<string, number[]> = {};
  const send = async (i: number, { request }: (typeof merchants)[number], customer: string): Promise<void> => {
    const paths: [kind: string, path: string][] = [
      ['GET', `/customers/${customer}`],
      ['search', `/search?text=maria%20${i % 997}`],
      ['GET', `/customers/${customer}`],
      ['stats', '/stats'],
      ['list', '/charges?limit=1000'],
    ];
    const [kind, path] = paths[Math.floor(i / MERCHANTS) % paths.length] as [string, string];
    const start = performance.now();
    await request('GET', path);
    if (i < WARM_UP_REQUESTS) return;
    latencies[kind] = [...(latencies[kind] ?? []), performance.now() - start];
  };
  const customers = await Promise.all(
    merchants.map(({ request }) => request<{ id: string }[]>('GET', '/customers?limit=1').then(([first]) => first?.id)),
  );
  const sent: Promise<void>[] = [];
  const begun = performance.now();
  for (let i = 0; i < PER_SECOND * SECONDS + WARM_UP_REQUESTS; i++) {
    await sleep(Math.max(0, begun + (i * 1000) / PER_SECOND - performance.now()));
    const merchant = merchants[i % MERCHANTS];
    if (merchant) sent.push(send(i, merchant, customers[i % MERCHANTS] ?? ''));
  }
  await Promise.all(sent);
  await down();
  const p99 = (kind: string): number => percentile(latencies[kind] ?? []);
  return ['search', 'stats'].map(kind => ({
    what: `${kind} in ${PER_SECOND} requests a second of ${MERCHANTS} merchants`,
    per_second: PER_SECOND,
    beside: `p99 ${p99(kind).toFixed(1)} ms, GET ${p99('GET').toFixed(1)} ms`,
    ratio: p99(kind) / p99('GET'),
    target: '≤ 3',
  }));
}
