import autocannon from 'autocannon';
import { Pool } from 'pg';
import type { ResultRow, Target } from './results';

export const CONNECTIONS = 16;
export const WINDOW_SECONDS = 3;

/** Value of `--count N`. */
export const countOr = (usual: number): number => Number(/--count[ =](\d+)/.exec(process.argv.join(' '))?.[1] ?? usual);

const ROUNDS = 3;

/** Measures one window; returns the rate per second. */
export type Measurement = () => Promise<number>;

/** Raw pg from this process: the same query on all connections concurrently. */
export function measureStatements(
  pool: Pool,
  execute: (pool: Pool, i: number) => Promise<unknown>,
  connections = CONNECTIONS,
): Measurement {
  return async () => {
    let done = 0;
    const deadline = Date.now() + WINDOW_SECONDS * 1000;
    const client = async (): Promise<void> => {
      while (Date.now() < deadline) await execute(pool, done++);
    };
    await Promise.all(Array.from({ length: connections }, client));
    return done / WINDOW_SECONDS;
  };
}

export interface RequestOptions {
  url: string;
  method: 'GET' | 'POST';
  /** An API key; `bearer` is used instead for the acquirer. */
  key?: string;
  keyOf?: (i: number) => string;
  bearer?: string;
  /** `body` and `path` receive the number of the request. */
  body?: (i: number) => string;
  path?: (i: number) => string;
  connections?: number;
}

/** HTTP from this process over keep-alive connections. Any response other than 2xx aborts the run. */
export function measureRequests(options: RequestOptions): Measurement {
  return async () => {
    const result = await sendLoad(options);
    return result['2xx'] / (result.duration || WINDOW_SECONDS);
  };
}

/** Sequential GET requests of a merchant. */
export const measureReads = (url: string, { id, private_key }: { id: string; private_key: string }, path: string) =>
  measureRequests({ url, key: private_key, method: 'GET', path: () => `/v1/${id}${path}`, connections: 1 });

/** Latency at a given rate, in milliseconds. */
export async function measureLatency(
  options: RequestOptions,
  perSecond: number,
): Promise<{ p50: number; p99: number }> {
  const { p50, p99 } = (await sendLoad(options, perSecond)).latency;
  return { p50, p99 };
}

let requestCount = 0;

async function sendLoad(options: RequestOptions, overallRate?: number) {
  const { url, method, key = '', keyOf, bearer, body, path, connections = CONNECTIONS } = options;
  const authorization = (i: number): string =>
    bearer ? `Bearer ${bearer}` : `Basic ${Buffer.from(`${keyOf?.(i) ?? key}:`).toString('base64')}`;
  const headers = { 'content-type': 'application/json' };
  const result = await autocannon({
    url,
    connections,
    duration: WINDOW_SECONDS,
    ...(overallRate ? { overallRate: Math.round(overallRate) } : {}),
    requests: [
      {
        method,
        headers: { ...headers, authorization: authorization(0) },
        setupRequest: request => {
          const i = requestCount++;
          return {
            ...request,
            ...(keyOf ? { headers: { ...headers, authorization: authorization(i) } } : {}),
            ...(path ? { path: path(i) } : {}),
            ...(body ? { body: body(i) } : {}),
          };
        },
      },
    ],
    verifyBody: text => !String(text).includes('"errors"'),
  });
  if (result.non2xx + result.errors + result.mismatches > 0)
    throw new Error(`${result.non2xx} answers of ${url} were no success`);
  return result;
}

/**
 * Measurements are interleaved, so that other load on the machine affects all of them. Returns the median of the
 * rounds.
 */
export async function medianRates(measurements: Record<string, Measurement>): Promise<Record<string, number>> {
  const figures = Object.fromEntries(Object.keys(measurements).map(name => [name, [] as number[]]));
  for (const measure of Object.values(measurements)) await measure(); // warm-up
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, window] of Object.entries(measurements)) {
      figures[name]?.push(await window());
      process.stderr.write('.');
    }
  }
  process.stderr.write('\n');
  return Object.fromEntries(
    Object.entries(figures).map(([name, list]) => [name, list.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0]),
  );
}

/** Idle connections raise errors when the environment is shut down; they are ignored. */
export const openPool = (connectionString: string): Pool =>
  new Pool({ connectionString, max: CONNECTIONS }).on('error', () => undefined);

/** Returns a function that adds a row comparing two figures of the same run. */
export const comparisonOf =
  (figures: Record<string, number>) =>
  (what: string, beside: string, target?: Target): ResultRow => {
    const per_second = figures[what] ?? 0;
    return {
      what,
      per_second: Math.round(per_second),
      beside: `${beside} ${Math.round(figures[beside] ?? 0)}`,
      ratio: per_second / (figures[beside] ?? 1),
      target,
    };
  };

/** Adds a row with the mean time of sequential runs. */
export function durationOf(what: string, perSecond: number | undefined, maxMilliseconds: number): ResultRow {
  const milliseconds = 1000 / (perSecond ?? 1);
  return {
    what: `${what}, in ms`,
    per_second: Math.round(milliseconds),
    beside: `at most ${maxMilliseconds}`,
    ratio: milliseconds / maxMilliseconds,
    target: '≤ 1',
  };
}
