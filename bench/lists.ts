import { createMerchant } from '../src/accounts/merchants/accounts';
import type { BenchEnvironment } from './environment';
import { measureRequests, medianRates, openPool, type ResultRow } from './measure';

/** Compares pages of ten customers at a thousand rows and at a million. */
export async function lists(environment: BenchEnvironment): Promise<ResultRow[]> {
  const { databaseUrl, url } = environment;
  const pool = openPool(databaseUrl);
  const fill = async (count: number): Promise<BenchMerchant> => {
    const merchant = await newMerchant(environment);
    await pool.query(
      `insert into customers (id, merchant_id, creation_date, name, email, external_id)
       select 'a' || substr(md5($1 || n), 1, 19), $1, timestamptz '2026-01-01 05:00Z' + n * interval '60 days' / $2::int, 'María', 'm@example.com', 'e' || n
       from generate_series(1, $2::int) n`,
      [merchant.id, count],
    );
    await pool.query('vacuum analyze customers');
    return merchant;
  };
  const measurementsOf = (count: number, merchant: BenchMerchant) => {
    const base = { key: merchant.private_key, url, method: 'GET' } as const;
    const path = `/v1/${merchant.id}/customers`;
    return {
      'first page': measureRequests({ ...base, path: () => path }),
      external_id: measureRequests({ ...base, path: i => `${path}?external_id=e${1 + ((i * 7919) % count)}` }),
      'a day in the middle': measureRequests({ ...base, path: () => `${path}?creation=2026-02-01` }),
    };
  };
  const few = await medianRates(measurementsOf(1000, await fill(1000)));
  process.stderr.write('filling in a million customers …\n');
  const many = await medianRates(measurementsOf(1_000_000, await fill(1_000_000)));
  await pool.end();
  return compareCounts('customers', few, many);
}

/** The same for charges, with every filter. */
export async function chargeLists(environment: BenchEnvironment): Promise<ResultRow[]> {
  const { databaseUrl, url } = environment;
  const pool = openPool(databaseUrl);
  const fill = async (count: number): Promise<BenchMerchant> => {
    const merchant = await newMerchant(environment);
    await pool.query(
      `insert into transactions (id, merchant_id, creation_date, operation_date, transaction_type, operation_type, method, status, progress,
         amount, iva, description, order_id, account, cost_rate, cost_fixed)
       select 't' || substr(md5($1 || n), 1, 19), $1, at, at, 'charge', 'in', 'card', case when n % 100 = 0 then 'failed' else 'completed' end,
         'settled', 100000 + n % 5000 * 100, '19', 'Bench', 'o' || n, 'merchant ' || $1, 290, 90000
       from generate_series(1, $2::int) n, lateral (select timestamptz '2026-01-01 05:00Z' + n * interval '60 days' / $2::int as at) d`,
      [merchant.id, count],
    );
    await pool.query('vacuum analyze transactions');
    return merchant;
  };
  const measurementsOf = (count: number, merchant: BenchMerchant) => {
    const base = { key: merchant.private_key, url, method: 'GET' } as const;
    const path = `/v1/${merchant.id}/charges`;
    return {
      'first page': measureRequests({ ...base, path: () => path }),
      order_id: measureRequests({ ...base, path: i => `${path}?order_id=o${1 + ((i * 7919) % count)}` }),
      status: measureRequests({ ...base, path: () => `${path}?status=failed` }),
      'an amount': measureRequests({ ...base, path: i => `${path}?amount=${1000 + (i % 900)}` }),
      'a range of amounts': measureRequests({ ...base, path: () => `${path}?amount[gte]=1100&amount[lte]=1600` }),
      'a day in the middle': measureRequests({ ...base, path: () => `${path}?creation=2026-02-01` }),
    };
  };
  const few = await medianRates(measurementsOf(1000, await fill(1000)));
  process.stderr.write('filling in a million charges …\n');
  const many = await medianRates(measurementsOf(1_000_000, await fill(1_000_000)));
  await pool.end();
  return compareCounts('charges', few, many);
}

interface BenchMerchant {
  id: string;
  private_key: string;
}

/** Each row count has its own merchant, in the same tables. */
const newMerchant = ({ db, apiKeySecret }: BenchEnvironment): Promise<BenchMerchant> =>
  createMerchant(
    db,
    { environment: 'sandbox', name: 'Bench', email: 'bench@example.com', phone: '6011234567' },
    apiKeySecret,
  );

const compareCounts = (resource: string, few: Record<string, number>, many: Record<string, number>): ResultRow[] =>
  Object.keys(few).map(what => ({
    what: `list at 1,000,000 ${resource}: ${what}`,
    per_second: Math.round(many[what] ?? 0),
    beside: `at 1,000 ${Math.round(few[what] ?? 0)}`,
    ratio: (few[what] ?? 0) / (many[what] ?? 1),
    wanted: '≤ 1.5 (time)',
  }));
