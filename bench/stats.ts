import type { Pool } from 'pg';
import { type BenchEnvironment, newMerchant } from './environment';
import { comparisonOf, countOr, durationOf, measureReads, measureStatements, medianRates, openPool } from './measure';
import type { ResultRow } from './results';

const USUAL_COUNT = 100_000;
const MAX_MILLISECONDS = 200;

/** Lower bound: one scan of the subscriptions and one of a month's charges. */
const FLOOR = [
  'select status, plan_id, count(*) from subscriptions where merchant_id = $1 group by status, plan_id',
  `select status, count(*), sum(amount) from transactions where merchant_id = $1 and transaction_type = 'charge'
     and progress = 'settled' and creation_date >= now() - interval '30 days' group by status`,
];

/** Statistics of a merchant with 100,000 subscriptions (or `--count N`), each charged monthly. */
export async function stats(environment: BenchEnvironment): Promise<ResultRow[]> {
  const { databaseUrl, url } = environment;
  const count = countOr(USUAL_COUNT);
  const pool = openPool(databaseUrl);
  const merchant = await newMerchant(environment);
  process.stderr.write(`filling in ${count} subscriptions and ${3 * count} charges …\n`);
  await fill(pool, merchant.id, count);
  const figures = await medianRates({
    stats: measureReads(url, merchant, '/stats'),
    'two passes': measureStatements(
      pool,
      async () => {
        for (const text of FLOOR) await pool.query(text, [merchant.id]);
      },
      1,
    ),
  });
  await pool.end();
  return [
    comparisonOf(figures)('stats', 'two passes', '≥ 0.2'),
    durationOf(`stats of ${count} subscriptions`, figures.stats, MAX_MILLISECONDS),
  ];
}

/** Spread over two years and ten plans; 5 % have ended, 5 % wait for a retry. */
async function fill(pool: Pool, merchant_id: string, count: number): Promise<void> {
  const id = (letter: string): string => `'${letter}' || substr(md5($1 || n), 1, 19)`;
  await pool.query(
    `insert into plans (id, merchant_id, creation_date, name, amount, repeat_every, repeat_unit, retry_times, status_after_retry, trial_days)
     select 'p' || substr(md5($1 || n), 1, 19), $1, now(), 'Plan ' || n, 1000000 + n, 1,
       case when n % 5 = 0 then 'year' when n % 3 = 0 then 'week' else 'month' end, 3, 'unpaid', 0 from generate_series(0, 9) n`,
    [merchant_id],
  );
  await pool.query(
    `insert into customers (id, merchant_id, name, email)
     select ${id('a')}, $1, 'María', 'm@example.com' from generate_series(1, $2::int) n`,
    [merchant_id, count],
  );
  await pool.query(
    `insert into cards (id, merchant_id, customer_id, holder_name, card_number, expiration_month, expiration_year, brand, status)
     select ${id('k')}, $1, ${id('a')}, 'María', '411111XXXXXX1111', '12', '30', 'visa', 'deleted' from generate_series(1, $2::int) n`,
    [merchant_id, count],
  );
  await pool.query(
    `insert into subscriptions (id, merchant_id, customer_id, plan_id, card_id, holds_card, creation_date, trial_end_date,
       first_charge_day, current_period_number, status, reason, due_at, ended_at)
     select ${id('s')}, $1, ${id('a')}, plan.id, ${id('k')}, false, born, to_char(born - interval '1 day', 'YYYY-MM-DD'),
       to_char(born, 'YYYY-MM-DD'), periods, case n % 20 when 0 then 'cancelled' when 1 then 'past_due' else 'active' end,
       case when n % 20 = 0 then 'period_ended' end,
       (nth_charge_day(to_char(born, 'YYYY-MM-DD'), periods + 1, 1, plan.repeat_unit) || 'T05:30:00Z')::timestamptz,
       case when n % 20 = 0 then now() - n % 300 * interval '1 day' end
     from generate_series(1, $2::int) n,
       lateral (select * from plans where id = 'p' || substr(md5($1 || n % 10), 1, 19)) plan,
       lateral (select now() - (n * 7919 % 730) * interval '1 day' as born) d,
       lateral (select case plan.repeat_unit when 'week' then (now()::date - born::date) / 7
         when 'month' then (extract(year from age(now(), born)) * 12 + extract(month from age(now(), born)))::int
         else extract(year from age(now(), born))::int end + 1 as periods) p`,
    [merchant_id, count],
  );
  await pool.query(
    `insert into transactions (id, merchant_id, customer_id, subscription_id, period, creation_date, operation_date, transaction_type,
       operation_type, method, status, progress, amount, error_code, description, account, cost_rate, cost_fixed)
     select 't' || substr(md5($1 || m || ' ' || n), 1, 19), $1, ${id('a')}, ${id('s')}, m, at, at, 'charge', 'in', 'card',
       case when n % 20 = 1 then 'failed' else 'completed' end, 'settled', 1000000, case when n % 20 = 1 then 3003 end,
       'Bench', 'merchant ' || $1, 290, 90000
     from generate_series(1, 3) m, generate_series(1, $2::int) n,
       lateral (select now() - (m - 1) * interval '30 days' - n * interval '30 days' / $2::int as at) d`,
    [merchant_id, count],
  );
  await pool.query('vacuum analyze subscriptions, transactions, customers, cards, plans');
}
