/**
 * Vouchers and payment pages, compared with raw pg inserting a voucher's rows: the charge, its event and its outbox
 * row.
 */
import { Pool } from 'pg';
import type { BenchEnvironment } from './environment';
import { openMerchant } from './fleet';
import { CONNECTIONS, comparisonOf, measureRequests, measureStatements, medianRates } from './measure';
import type { ResultRow } from './results';

const charge = { method: 'store', amount: 100000, currency: 'COP', iva: '19', description: 'Bench' };
const customer = { name: 'María', email: 'maria@example.com' };

export async function payments(environment: BenchEnvironment): Promise<ResultRow[]> {
  const { url, databaseUrl } = environment;
  const { merchant, request } = await openMerchant(environment, url);
  const { id, private_key: key } = merchant;
  const post = (body: object) =>
    request<{ payment_method: { url: string; barcode_url: string } }>('POST', '/charges', body);
  const page = await post({
    ...charge,
    method: 'card',
    confirm: false,
    redirect_url: 'https://shop.example/',
    customer,
  });
  const { payment_method } = await post({ ...charge, customer });
  const localUrl = (address: string): string => `${url}${new URL(address).pathname}`;
  const barcode = { url: localUrl(payment_method.barcode_url), method: 'GET' } as const;
  const voucher = {
    url: `${url}/v1/${id}/charges`,
    method: 'POST',
    key,
    body: () => JSON.stringify({ ...charge, customer }),
  } as const;

  const pool = new Pool({ connectionString: databaseUrl, max: CONNECTIONS });
  const figures = await medianRates({
    'raw pg, the same rows': measureStatements(pool, insertVoucherRows(id)),
    'vouchers given out': measureRequests(voucher),
    'payment pages': measureRequests({ url: localUrl(page.payment_method.url), method: 'GET' }),
    'barcode images': measureRequests(barcode),
  });
  await pool.end();
  const { p50, p99 } = await latencyOneByOne(barcode.url);
  Object.assign(figures, { 'p99 of a barcode, per second': 1000 / Math.max(p99, 1), '5 ms, per second': 200 });
  const row = comparisonOf(figures);
  return [
    row('vouchers given out', 'raw pg, the same rows', '≥ 0.25'),
    row('payment pages', 'raw pg, the same rows'),
    row('barcode images', 'raw pg, the same rows'),
    {
      ...row('p99 of a barcode, per second', '5 ms, per second', '≥ 1'),
      what: `a barcode takes ${p50} ms, p99 ${p99} ms, one after the other`,
    },
  ];
}

/** The latency of single requests, in milliseconds. */
async function latencyOneByOne(url: string): Promise<{ p50: number; p99: number }> {
  const times: number[] = [];
  for (let i = 0; i < 500; i++) {
    const startedAt = performance.now();
    await (await fetch(url)).arrayBuffer();
    times.push(performance.now() - startedAt);
  }
  const sorted = times.sort((a, b) => a - b);
  const percentile = (part: number): number => Math.round((sorted[Math.floor(sorted.length * part)] ?? 0) * 10) / 10;
  return { p50: percentile(0.5), p99: percentile(0.99) };
}

/** The rows that a voucher inserts. */
const insertVoucherRows = (merchant_id: string) => (pool: Pool) => {
  const n = `${process.hrtime.bigint()}`.padStart(19, '0').slice(-19);
  return pool.query({
    name: 'voucher',
    text: `with inserted_charge as (
        insert into transactions (id, merchant_id, creation_date, operation_date, transaction_type, operation_type, method, status, progress,
          amount, iva, description, customer, account, page_key, page_origin, issued, expires_at, cost_rate, cost_fixed, clock_offset)
        values ($1::text, $2::text, now(), now(), 'charge', 'in', 'store', 'in_progress', 'pending', 10000000, '19', 'Bench', $3, 'merchant ' || $2::text,
          md5($1::text), 'https://bench.example', jsonb_build_object('reference', $1::text, 'paybin_reference', $1::text), now() + interval '3 days', 290, 90000, 0)
        returning id
      ), outbox_row as (insert into outbox (kind, object_id, environment) select 'expiry', id, 'sandbox' from inserted_charge)
      insert into events (id, merchant_id, type, object_id, object, creation_date)
      select 'e' || substr(id, 2), $2::text, 'charge.created', id, $4, now() from inserted_charge`,
    values: [`t${n}`, merchant_id, JSON.stringify(customer), EVENT_OBJECT],
  });
};

/** As long as the object of a real voucher's event. */
const EVENT_OBJECT = JSON.stringify({
  ...charge,
  customer,
  payment_method: { barcode_url: 'x'.repeat(200), receipt_url: 'x'.repeat(200) },
});
