/** Card charges, the acquirer included, beside pgbench writing the same rows in the same two transactions; one merchant beside sixteen. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMerchant } from '../src/merchants/accounts';
import { CONNECTIONS, latency, median, type Row, requests, rowsOf, WINDOW_S } from './measure';
import type { Stand } from './stand';

const printed = {
  holder_name: 'María Gómez',
  card_number: '4242424242424242',
  cvv2: '123',
  expiration_month: '12',
  expiration_year: '39',
};
const charge = {
  method: 'card',
  amount: 100000,
  currency: 'COP',
  iva: '19',
  description: 'Bench',
  device_session_id: 'device',
};
const customer = { name: 'María', email: 'maria@example.com' };

interface Shop {
  id: string;
  private_key: string;
  card: string;
}

export async function charges(stand: Stand): Promise<Row[]> {
  const { url, db } = stand;
  const open = async (): Promise<Shop> => {
    const about = { environment: 'sandbox', name: 'Bench', email: 'bench@example.com' } as const;
    const merchant = await createMerchant(db, about, stand.secret);
    const response = await fetch(`${url}/v1/${merchant.id}/cards`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${merchant.private_key}:`).toString('base64')}` },
      body: JSON.stringify(printed),
    });
    const { id: card } = (await response.json()) as { id: string };
    return { ...merchant, card };
  };
  const shops: Shop[] = [];
  for (let i = 0; i < CONNECTIONS; i++) shops.push(await open());
  const [first] = shops as [Shop, ...Shop[]];
  const body = ({ card }: Shop): string => JSON.stringify({ ...charge, customer, source_id: card });
  const one = {
    url: `${url}/v1/${first.id}/charges`,
    method: 'POST',
    key: first.private_key,
    body: () => body(first),
  } as const;
  const of = (i: number): Shop => shops[i % shops.length] as Shop;
  const many = {
    url,
    method: 'POST',
    path: (i: number) => `/v1/${of(i).id}/charges`,
    keyOf: (i: number) => of(i).private_key,
    body: (i: number) => body(of(i)),
  } as const;

  const figures = await median({
    'pgbench, the same rows': pgbench(stand.databaseUrl, first),
    'charges of one merchant': requests(one),
    'charges of sixteen merchants': requests(many),
  });
  const { p50, p99 } = await latency(one, (figures['charges of one merchant'] ?? 0) / 2);
  Object.assign(figures, {
    'p99 at half load, per second': 1000 / p99,
    'a fifth of p50, per second': 1000 / (5 * p50),
  });
  const row = rowsOf(figures);
  return [
    row('charges of one merchant', 'pgbench, the same rows', '≥ 0.25'),
    row('charges of one merchant', 'charges of sixteen merchants', '≥ 0.8'),
    {
      ...row('p99 at half load, per second', 'a fifth of p50, per second', '≥ 1'),
      what: `p99 ${p99} ms at half load, p50 ${p50} ms`,
    },
  ];
}

/** Prepare, then record with its entries and its event, each a transaction. */
const script = ({ id, card }: Shop): string => `
\\set n random(1, 9000000000000000000)
insert into transactions (id, merchant_id, creation_date, operation_date, transaction_type, operation_type, method, status, progress, amount,
  iva, description, card, source_id, customer, device_session_id, capture, account, cost_rate, cost_fixed, clock_offset, lease_until)
values ('t' || lpad(:n::text, 19, '0'), '${id}', now(), now(), 'charge', 'in', 'card', 'in_progress', 'prepared', 10000000, '19', 'Bench',
  (select to_jsonb(c) - 'number_sealed' - 'fingerprint' from cards c where id = '${card}'), '${card}', '${JSON.stringify(customer)}',
  'device', true, 'merchant ${id}', 290, 90000, 0, now() + interval '45 seconds');
with done as (
  update transactions set status = 'completed', progress = 'settled', "authorization" = '123456', operation_date = now(), fee_amount = 380000,
    fee_tax = 72200, lease_until = null where id = 't' || lpad(:n::text, 19, '0') and progress = 'prepared' returning id
), posted as (
  insert into entries (movement, account, amount, transaction_id) select 'charge ' || id, a, v, id from done,
    (values ('clearing ${id}', -10000000), ('merchant ${id}', 9547800), ('costs ${id}', 380000), ('tax ${id}', 72200)) as e (a, v)
)
insert into events (id, merchant_id, type, object_id, object, creation_date)
select 'e' || substr(id, 2), '${id}', 'charge.succeeded', id, (select to_jsonb(c) - 'number_sealed' - 'fingerprint' from cards c where id = '${card}'), now() from done;
`;

function pgbench(databaseUrl: string, shop: Shop): () => Promise<number> {
  const file = join(tmpdir(), `recaudo-bench-${process.pid}.sql`);
  writeFileSync(file, script(shop));
  return async () => {
    const flags = [
      '-n',
      '-M',
      'prepared',
      '-c',
      `${CONNECTIONS}`,
      '-j',
      '2',
      '-T',
      `${WINDOW_S}`,
      '-f',
      file,
      databaseUrl,
    ];
    const { stdout, stderr, error } = spawnSync('pgbench', flags, { encoding: 'utf8' });
    const [, rate] = /tps = ([\d.]+)/.exec(stdout ?? '') ?? [];
    if (!rate) throw new Error(`pgbench is needed (on Debian in the package postgresql): ${error?.message ?? stderr}`);
    return Number(rate);
  };
}
