import autocannon from 'autocannon';
import { Pool } from 'pg';

export const CONNECTIONS = 16;
export const WINDOW_S = 4;
const ROUNDS = 3;

/** How many a second, in one window. */
export type Window = () => Promise<number>;

/** Raw pg from this process: the same statement, as many at once as there are connections. */
export function statements(pool: Pool, ask: (pool: Pool, i: number) => Promise<unknown>): Window {
  return async () => {
    let done = 0;
    const until = Date.now() + WINDOW_S * 1000;
    const client = async (): Promise<void> => {
      while (Date.now() < until) await ask(pool, done++);
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, client));
    return done / WINDOW_S;
  };
}

export interface Requests {
  url: string;
  method: 'GET' | 'POST';
  /** An API key, or a bearer's credential. */
  key?: string;
  keyOf?: (i: number) => string;
  bearer?: string;
  /** Each request may differ. */
  body?: (i: number) => string;
  path?: (i: number) => string;
}

/** HTTP from this process, kept-alive connections. An answer that is not a success ends the run. */
export function requests(asked: Requests): Window {
  return async () => {
    const result = await load(asked);
    return result['2xx'] / (result.duration || WINDOW_S);
  };
}

/** How long answers take at a given rate, in milliseconds. */
export async function latency(asked: Requests, perSecond: number): Promise<{ p50: number; p99: number }> {
  const { p50, p99 } = (await load(asked, perSecond)).latency;
  return { p50, p99 };
}

let sent = 0;

async function load({ url, method, key = '', keyOf, bearer, body, path }: Requests, overallRate?: number) {
  const authorization = (i: number): string =>
    bearer ? `Bearer ${bearer}` : `Basic ${Buffer.from(`${keyOf?.(i) ?? key}:`).toString('base64')}`;
  const headers = { 'content-type': 'application/json' };
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: WINDOW_S,
    ...(overallRate ? { overallRate: Math.round(overallRate) } : {}),
    requests: [
      {
        method,
        headers: { ...headers, authorization: authorization(0) },
        setupRequest: request => {
          const i = sent++;
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

/** The windows take turns, so that whatever else the machine does meets all of them. The middle one counts. */
export async function median(windows: Record<string, Window>): Promise<Record<string, number>> {
  const figures = Object.fromEntries(Object.keys(windows).map(name => [name, [] as number[]]));
  for (const window of Object.values(windows)) await window(); // warm
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, window] of Object.entries(windows)) {
      figures[name]?.push(await window());
      process.stderr.write('.');
    }
  }
  process.stderr.write('\n');
  return Object.fromEntries(
    Object.entries(figures).map(([name, list]) => [name, list.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0]),
  );
}

/** Errors of idle connections come when the stand is taken down. */
export const openPool = (connectionString: string): Pool =>
  new Pool({ connectionString, max: CONNECTIONS }).on('error', () => undefined);

export interface Row {
  what: string;
  per_second: number;
  beside: string;
  ratio: number;
  wanted: string;
}

/** A row of the table: a figure beside another one of the same run. */
export const rowsOf =
  (figures: Record<string, number>) =>
  (what: string, beside: string, wanted: string): Row => {
    const per_second = figures[what] ?? 0;
    return {
      what,
      per_second: Math.round(per_second),
      beside: `${beside} ${Math.round(figures[beside] ?? 0)}`,
      ratio: per_second / (figures[beside] ?? 1),
      wanted,
    };
  };
