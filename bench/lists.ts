import { type BenchEnvironment, newMerchant } from './environment';
import { measureRequests, medianRates, openPool } from './measure';
import type { ResultRow } from './results';

interface ListedResource {
  resource: 'customers' | 'charges';
  table: string;
  /** Inserts $2 rows for the merchant $1. */
  fill: string;
  /** Query of request `i` among `count` rows, by name of the measurement. */
  queries: Record<string, (i: number, count: number) => string>;
}

/** Compares pages of ten customers at a thousand rows and at a million. */
export const lists = (environment: BenchEnvironment): Promise<ResultRow[]> =>
  compareCounts(environment, {
    resource: 'customers',
    table: 'customers',
    fill: `insert into customers (id, merchant_id, creation_date, name, email, external_id)
       select 'a' || substr(md5($1 || n), 1, 19), $1, timestamptz '2026-01-01 05:00Z' + n * interval '60 days' / $2::int, 'María', 'm@example.com', 'e' || n
       from generate_series(1, $2::int) n`,
    queries: {
      'first page': () => '',
      external_id: (i, count) => `?external_id=e${1 + ((i * 7919) % count)}`,
      'a day in the middle': () => '?creation=2026-02-01',
    },
  });

/** The same for charges, with every filter. */
export const chargeLists = (environment: BenchEnvironment): Promise<ResultRow[]> =>
  compareCounts(environment, {
    resource: 'charges',
    table: 'transactions',
    fill: `insert into transactions (id, merchant_id, creation_date, operation_date, transaction_type, operation_type, method, status, progress,
         amount, iva, description, order_id, account, cost_rate, cost_fixed)
       select 't' || substr(md5($1 || n), 1, 19), $1, at, at, 'charge', 'in', 'card', case when n % 100 = 0 then 'failed' else 'completed' end,
         'settled', 100000 + n % 5000 * 100, '19', 'Bench', 'o' || n, 'merchant ' || $1, 290, 90000
       from generate_series(1, $2::int) n, lateral (select timestamptz '2026-01-01 05:00Z' + n * interval '60 days' / $2::int as at) d`,
    queries: {
      'first page': () => '',
      order_id: (i, count) => `?order_id=o${1 + ((i * 7919) % count)}`,
      status: () => '?status=failed',
      'an amount': i => `?amount=${1000 + (i % 900)}`,
      'a range of amounts': () => '?amount[gte]=1100&amount[lte]=1600',
      'a day in the middle': () => '?creation=2026-02-01',
    },
  });

/** Each row count has a separate merchant in the same table. */
async function compareCounts(
  environment: BenchEnvironment,
  { resource, table, fill, queries }: ListedResource,
): Promise<ResultRow[]> {
  const pool = openPool(environment.databaseUrl);
  const measureAt = async (count: number): Promise<Record<string, number>> => {
    const merchant = await newMerchant(environment);
    await pool.query(fill, [merchant.id, count]);
    await pool.query(`vacuum analyze ${table}`);
    const base = { key: merchant.private_key, url: environment.url, method: 'GET' } as const;
    const path = `/v1/${merchant.id}/${resource}`;
    const measurements = Object.entries(queries).map(([what, query]) => [
      what,
      measureRequests({ ...base, path: i => path + query(i, count) }),
    ]);
    return medianRates(Object.fromEntries(measurements));
  };
  const few = await measureAt(1000);
  process.stderr.write(`filling in a million ${resource} …\n`);
  const many = await measureAt(1_000_000);
  await pool.end();
  return Object.keys(few).map(what => ({
    what: `list at 1,000,000 ${resource}: ${what}`,
    per_second: Math.round(many[what] ?? 0),
    beside: `at 1,000 ${Math.round(few[what] ?? 0)}`,
    ratio: (few[what] ?? 0) / (many[what] ?? 1),
    target: '≤ 1.5',
  }));
}
