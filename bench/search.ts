import type { Pool } from 'pg';
import { type BenchEnvironment, newMerchant } from './environment';
import { comparisonOf, countOr, durationOf, measureReads, measureStatements, medianRates, openPool } from './measure';
import type { ResultRow } from './results';

const USUAL_COUNT = 1_000_000;
const MAX_MILLISECONDS = 50;

/** Typical searches among a million customers and a million charges. */
const TEXTS: Record<string, string> = {
  'a full name': 'andrés restrepo 77',
  'a common name': 'maría',
  'a common domain': 'example.com',
  'no match': 'zyxwvut',
  'an e-mail address': 'c123456@example.com',
  'part of a phone number': '3001234',
  'an order': 'order-654321',
  'an amount': '1234.00',
  'four digits of a card': '4321',
};

/** Searches among 1,000,000 customers and 1,000,000 charges (or `--count N`), compared with a lookup of a customer by e-mail. */
export async function search(environment: BenchEnvironment): Promise<ResultRow[]> {
  const { databaseUrl, url } = environment;
  const count = countOr(USUAL_COUNT);
  const pool = openPool(databaseUrl);
  const merchant = await newMerchant(environment);
  process.stderr.write(`filling in ${count} customers and charges …\n`);
  await fill(pool, merchant.id, count);
  const lookup = measureStatements(
    pool,
    () =>
      pool.query(
        `select * from customers where merchant_id = $1 and lower(email) = 'c123456@example.com' and status = 'active'`,
        [merchant.id],
      ),
    1,
  );
  const searches = Object.entries(TEXTS).map(
    ([what, text]) => [what, measureReads(url, merchant, `/search?text=${encodeURIComponent(text)}`)] as const,
  );
  const figures = await medianRates({ ...Object.fromEntries(searches), lookup });
  await pool.end();
  const inMilliseconds = Object.keys(TEXTS).map(what =>
    durationOf(`search among ${count}: ${what}`, figures[what], MAX_MILLISECONDS),
  );
  return [comparisonOf(figures)('an e-mail address', 'lookup', '≥ 0.02'), ...inMilliseconds];
}

export async function fill(pool: Pool, merchant_id: string, count: number): Promise<void> {
  await pool.query(
    `insert into customers (id, merchant_id, creation_date, name, last_name, email, phone_number, external_id)
     select 'a' || substr(md5($1 || n), 1, 19), $1, timestamptz '2026-01-01 05:00Z' + n * interval '60 days' / $2::int,
       (array['María', 'José', 'Luz', 'Carlos', 'Ana', 'Andrés', 'Sofía', 'Juan', 'Valentina', 'Óscar', 'Gloria', 'Hernán'])[1 + n % 12],
       (array['Gómez', 'Rodríguez', 'Restrepo', 'Muñoz', 'García', 'Londoño', 'Pérez'])[1 + n % 7] || ' ' || n % 997,
       'c' || n || '@example.com', '300' || lpad((n * 7 % 10000000)::text, 7, '0'), 'client-' || n
     from generate_series(1, $2::int) n`,
    [merchant_id, count],
  );
  await pool.query(
    `insert into transactions (id, merchant_id, creation_date, operation_date, transaction_type, operation_type, method, status, progress,
       amount, iva, description, order_id, "authorization", card, account, cost_rate, cost_fixed)
     select 't' || substr(md5($1 || n), 1, 19), $1, at, at, 'charge', 'in', 'card', 'completed', 'settled', 100000 + n % 500000 * 100,
       '19', 'Bench', 'order-' || n, lpad((n::bigint * 7919 % 1000000)::text, 6, '0'),
       jsonb_build_object('card_number', '411111XXXXXX' || lpad((n % 10000)::text, 4, '0'), 'creation_date', '2026-01-01T05:00:00Z'), 'merchant ' || $1, 290, 90000
     from generate_series(1, $2::int) n, lateral (select timestamptz '2026-01-01 05:00Z' + n * interval '60 days' / $2::int as at) d`,
    [merchant_id, count],
  );
  await pool.query('vacuum analyze customers, transactions');
}
