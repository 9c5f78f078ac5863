/** Vouchers and the pages of payers, beside raw pg inserting the rows that a voucher leaves: the charge, its event and what is told of it. */
import { Pool } from 'pg';
import { CONNECTIONS, median, type Row, requests, rowsOf, statements } from './measure';
import type { Stand } from './stand';

const charge = { method: 'store', amount: 100000, currency: 'COP', iva: '19', description: 'Bench' };
const customer = { name: 'María', email: 'maria@example.com' };

export async function payments(stand: Stand): Promise<Row[]> {
  const { url, databaseUrl } = stand;
  const { id, private_key: key } = stand.merchant;
  const post = async (body: object) => {
    const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
    const response = await fetch(`${url}/v1/${id}/charges`, {
      method: 'POST',
      headers: { authorization },
      body: JSON.stringify(body),
    });
    return (await response.json()) as { payment_method: { url: string; barcode_url: string } };
  };
  const page = await post({
    ...charge,
    method: 'card',
    confirm: false,
    redirect_url: 'https://shop.example/',
    customer,
  });
  const { payment_method } = await post({ ...charge, customer });
  const here = (address: string): string => `${url}${new URL(address).pathname}`;
  const barcode = { url: here(payment_method.barcode_url), method: 'GET' } as const;
  const voucher = {
    url: `${url}/v1/${id}/charges`,
    method: 'POST',
    key,
    body: () => JSON.stringify({ ...charge, customer }),
  } as const;

  const pool = new Pool({ connectionString: databaseUrl, max: CONNECTIONS });
  const figures = await median({
    'raw pg, the same rows': statements(pool, insert(id)),
    'vouchers given out': requests(voucher),
    'payment pages': requests({ url: here(page.payment_method.url), method: 'GET' }),
    'barcode images': requests(barcode),
  });
  await pool.end();
  const { p50, p99 } = await oneByOne(barcode.url);
  Object.assign(figures, { 'p99 of a barcode, per second': 1000 / Math.max(p99, 1), '5 ms, per second': 200 });
  const row = rowsOf(figures);
  return [
    row('vouchers given out', 'raw pg, the same rows', '≥ 0.25'),
    row('payment pages', 'raw pg, the same rows', ''),
    row('barcode images', 'raw pg, the same rows', ''),
    {
      ...row('p99 of a barcode, per second', '5 ms, per second', '≥ 1'),
      what: `a barcode takes ${p50} ms, p99 ${p99} ms, one after the other`,
    },
  ];
}

/** How long each takes for who waits for it, in milliseconds. */
async function oneByOne(url: string): Promise<{ p50: number; p99: number }> {
  const times: number[] = [];
  for (let i = 0; i < 500; i++) {
    const began = performance.now();
    await (await fetch(url)).arrayBuffer();
    times.push(performance.now() - began);
  }
  const sorted = times.sort((a, b) => a - b);
  const at = (part: number): number => Math.round((sorted[Math.floor(sorted.length * part)] ?? 0) * 10) / 10;
  return { p50: at(0.5), p99: at(0.99) };
}

/** What a voucher leaves behind. */
const insert = (merchant_id: string) => (pool: Pool) => {
  const n = `${process.hrtime.bigint()}`.padStart(19, '0').slice(-19);
  return pool.query({
    name: 'voucher',
    text: `with new as (
        insert into transactions (id, merchant_id, creation_date, operation_date, transaction_type, operation_type, method, status, progress,
          amount, iva, description, customer, account, page_key, page_origin, issued, expires_at, cost_rate, cost_fixed, clock_offset)
        values ($1::text, $2::text, now(), now(), 'charge', 'in', 'store', 'in_progress', 'pending', 10000000, '19', 'Bench', $3, 'merchant ' || $2::text,
          md5($1::text), 'https://bench.example', jsonb_build_object('reference', $1::text, 'paybin_reference', $1::text), now() + interval '3 days', 290, 90000, 0)
        returning id
      ), told as (insert into outbox (kind, object_id) select 'expiry', id from new)
      insert into events (id, merchant_id, type, object_id, object, creation_date)
      select 'e' || substr(id, 2), $2::text, 'charge.created', id, $4, now() from new`,
    values: [`t${n}`, merchant_id, JSON.stringify(customer), EVENT],
  });
};

/** As long as the object of a voucher's event is. */
const EVENT = JSON.stringify({
  ...charge,
  customer,
  payment_method: { barcode_url: 'x'.repeat(200), receipt_url: 'x'.repeat(200) },
});
