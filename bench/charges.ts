/**
 * Card charges including the acquirer, compared with pgbench writing the same rows in the same two transactions, for
 * one merchant and for sixteen.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchEnvironment } from './environment';
import { openMerchant } from './fleet';
import { CONNECTIONS, comparisonOf, measureLatency, measureRequests, medianRates, WINDOW_SECONDS } from './measure';
import type { ResultRow } from './results';

const cardFields = {
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

interface MerchantWithCard {
  id: string;
  private_key: string;
  card: string;
}

export async function charges(environment: BenchEnvironment): Promise<ResultRow[]> {
  const { url } = environment;
  const newMerchant = async (): Promise<MerchantWithCard> => {
    const { merchant, request } = await openMerchant(environment, url);
    const { id: card } = await request('POST', '/cards', cardFields);
    return { ...merchant, card };
  };
  const merchants: MerchantWithCard[] = [];
  for (let i = 0; i < CONNECTIONS; i++) merchants.push(await newMerchant());
  const [first] = merchants as [MerchantWithCard, ...MerchantWithCard[]];
  const body = ({ card }: MerchantWithCard): string => JSON.stringify({ ...charge, customer, source_id: card });
  const oneMerchant = {
    url: `${url}/v1/${first.id}/charges`,
    method: 'POST',
    key: first.private_key,
    body: () => body(first),
  } as const;
  const merchantAt = (i: number): MerchantWithCard => merchants[i % merchants.length] as MerchantWithCard;
  const manyMerchants = {
    url,
    method: 'POST',
    path: (i: number) => `/v1/${merchantAt(i).id}/charges`,
    keyOf: (i: number) => merchantAt(i).private_key,
    body: (i: number) => body(merchantAt(i)),
  } as const;

  const figures = await medianRates({
    'pgbench, the same rows': measurePgbench(environment.databaseUrl, first),
    'charges of one merchant': measureRequests(oneMerchant),
    'charges of sixteen merchants': measureRequests(manyMerchants),
  });
  const { p50, p99 } = await measureLatency(oneMerchant, (figures['charges of one merchant'] ?? 0) / 2);
  Object.assign(figures, {
    'p99 at half load, per second': 1000 / p99,
    'a fifth of p50, per second': 1000 / (5 * p50),
  });
  const row = comparisonOf(figures);
  return [
    row('charges of one merchant', 'pgbench, the same rows', '≥ 0.4'),
    row('charges of one merchant', 'charges of sixteen merchants', '≥ 0.8'),
    {
      ...row('p99 at half load, per second', 'a fifth of p50, per second', '≥ 1'),
      what: `p99 ${p99} ms at half load, p50 ${p50} ms`,
    },
  ];
}

/** Two transactions: prepare the charge, then settle it with its entries and its event. */
const pgbenchScript = ({ id, card }: MerchantWithCard): string => `
\\set n random(1, 9000000000000000000)
insert into transactions (id, merchant_id, creation_date, operation_date, transaction_type, operation_type, method, status, progress, amount,
  iva, description, card, source_id, customer, device_session_id, capture, account, cost_rate, cost_fixed, clock_offset, lease_until)
values ('t' || lpad(:n::text, 19, '0'), '${id}', now(), now(), 'charge', 'in', 'card', 'in_progress', 'prepared', 10000000, '19', 'Bench',
  (select to_jsonb(c) - 'number_sealed' - 'fingerprint' from cards c where id = '${card}'), '${card}', '${JSON.stringify(customer)}',
  'device', true, 'merchant ${id}', 290, 90000, 0, now() + interval '45 seconds');
with settled_charge as (
  update transactions set status = 'completed', progress = 'settled', "authorization" = '123456', operation_date = now(), fee_amount = 380000,
    fee_tax = 72200, lease_until = null where id = 't' || lpad(:n::text, 19, '0') and progress = 'prepared' returning id
), inserted_entries as (
  insert into entries (movement, account, amount, transaction_id) select 'charge ' || id, account, amount, id from settled_charge,
    (values ('clearing ${id}', -10000000), ('merchant ${id}', 9547800), ('costs ${id}', 380000), ('tax ${id}', 72200)) as e (account, amount)
)
insert into events (id, merchant_id, type, object_id, object, creation_date)
select 'e' || substr(id, 2), '${id}', 'charge.succeeded', id, (select to_jsonb(c) - 'number_sealed' - 'fingerprint' from cards c where id = '${card}'), now() from settled_charge;
`;

function measurePgbench(databaseUrl: string, merchant: MerchantWithCard): () => Promise<number> {
  const file = join(tmpdir(), `recaudo-bench-${process.pid}.sql`);
  writeFileSync(file, pgbenchScript(merchant));
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
      `${WINDOW_SECONDS}`,
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
