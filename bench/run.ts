/** `npm run bench`: both doors beside raw pg running the same statements, in the same run, on the same machine. */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { newId } from '../src/identifiers';
import { fromRoot } from '../src/root';
import { CONNECTIONS, median, openPool, requests, statements } from './measure';
import { raise, type Stand } from './stand';

interface Row {
  what: string;
  per_second: number;
  beside: string;
  ratio: number;
  wanted: string;
}

const FIELDS =
  'id creation_date name last_name email phone_number status balance external_id address customer_address { department city additional } clabe';
const INSERT = `insert into customers (id, merchant_id, name, last_name, email, phone_number, external_id, requires_account, customer_address)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb) on conflict do nothing returning *`;
const ONE = `select * from customers where id = $1 and merchant_id = $2 and status = 'active'`;
const LIST = `select * from customers where merchant_id = $1 and status = 'active' order by creation_date desc, id desc limit $2 offset $3`;

async function doors({ databaseUrl, url, merchant }: Stand): Promise<Row[]> {
  const pool = openPool(databaseUrl);
  const ids: string[] = [];
  for (let i = 0; i < 1000; i++) ids.push(newId('customer'));
  for (const id of ids)
    await pool.query(INSERT, [id, merchant.id, 'María', 'Gómez', 'maria@example.com', null, null, true, null]);
  await pool.query('vacuum analyze');
  const pick = (i: number): string => ids[i % ids.length] as string;
  const rest = `${url}/v1/${merchant.id}/customers`;
  const base = { key: merchant.private_key };
  const graphql = (query: string, variables: (i: number) => object = () => ({})) =>
    requests({
      ...base,
      url: `${url}/graphql`,
      method: 'POST',
      body: i => JSON.stringify({ query, variables: variables(i) }),
    });
  const values = () => [newId('customer'), merchant.id, 'María', 'Gómez', 'maria@example.com', null, null, true, null];
  const customer = { name: 'María', last_name: 'Gómez', email: 'maria@example.com' };

  const figures = await median({
    'raw get': statements(pool, (p, i) => p.query(ONE, [pick(i), merchant.id])),
    'raw get, prepared': statements(pool, (p, i) =>
      p.query({ name: 'one', text: ONE, values: [pick(i), merchant.id] }),
    ),
    'REST get': requests({ ...base, url, method: 'GET', path: i => `/v1/${merchant.id}/customers/${pick(i)}` }),
    'GraphQL get': graphql(`query($id: ID!) { customer(customer_id: $id) { ${FIELDS} } }`, i => ({ id: pick(i) })),
    'raw list': statements(pool, p => p.query(LIST, [merchant.id, 10, 0])),
    'raw list, prepared': statements(pool, p => p.query({ name: 'list', text: LIST, values: [merchant.id, 10, 0] })),
    'REST list': requests({ ...base, url: rest, method: 'GET' }),
    'GraphQL list': graphql(`{ customers { ${FIELDS} } }`),
  });
  // These let the table grow, and so come by themselves.
  const posts = await median({
    'raw post': statements(pool, p => p.query(INSERT, values())),
    'raw post, prepared': statements(pool, p => p.query({ name: 'insert', text: INSERT, values: values() })),
    'REST post': requests({ ...base, url: rest, method: 'POST', body: () => JSON.stringify(customer) }),
    'GraphQL post': graphql(`mutation($c: CreateCustomer!) { createCustomer(customer: $c) { ${FIELDS} } }`, () => ({
      c: customer,
    })),
  });
  Object.assign(figures, posts);
  await pool.end();
  const row = (what: string, beside: string, wanted: string): Row => {
    const per_second = figures[what] ?? 0;
    return {
      what,
      per_second: Math.round(per_second),
      beside: `${beside} ${Math.round(figures[beside] ?? 0)}`,
      ratio: per_second / (figures[beside] ?? 1),
      wanted,
    };
  };
  return [
    row('REST get', 'raw get', '≥ 0.35'),
    row('REST post', 'raw post', '≥ 0.35'),
    row('REST list', 'raw list', ''),
    row('REST get', 'raw get, prepared', ''),
    row('REST post', 'raw post, prepared', ''),
    row('REST list', 'raw list, prepared', ''),
    row('GraphQL get', 'REST get', '≥ 0.6'),
    row('GraphQL post', 'REST post', '≥ 0.6'),
    row('GraphQL list', 'REST list', '≥ 0.6'),
  ];
}

/** Lists of ten with a thousand customers and with a million. */
async function lists({ databaseUrl, url, merchant }: Stand): Promise<Row[]> {
  const pool = openPool(databaseUrl);
  const fill = async (count: number): Promise<void> => {
    await pool.query('truncate customers');
    await pool.query(
      `insert into customers (id, merchant_id, creation_date, name, email, external_id)
       select 'a' || lpad(to_hex(n), 19, '0'), $1, timestamptz '2026-01-01 05:00Z' + n * interval '60 days' / $2::int, 'María', 'm@example.com', 'e' || n
       from generate_series(1, $2::int) n`,
      [merchant.id, count],
    );
    await pool.query('vacuum analyze customers');
  };
  const base = { key: merchant.private_key, url, method: 'GET' } as const;
  const path = `/v1/${merchant.id}/customers`;
  const ways = (count: number) => ({
    'first page': requests({ ...base, path: () => path }),
    external_id: requests({ ...base, path: i => `${path}?external_id=e${1 + ((i * 7919) % count)}` }),
    'a day in the middle': requests({ ...base, path: () => `${path}?creation=2026-02-01` }),
  });
  await fill(1000);
  const few = await median(ways(1000));
  process.stderr.write('filling in a million customers …\n');
  await fill(1_000_000);
  const many = await median(ways(1_000_000));
  await pool.end();
  return Object.keys(few).map(what => ({
    what: `list at 1,000,000: ${what}`,
    per_second: Math.round(many[what] ?? 0),
    beside: `at 1,000 ${Math.round(few[what] ?? 0)}`,
    ratio: (few[what] ?? 0) / (many[what] ?? 1),
    wanted: '≤ 1.5 (time)',
  }));
}

async function main(): Promise<void> {
  const stand = await raise();
  try {
    const chosen = process.argv.slice(2);
    const rows: Row[] = [];
    for (const [name, bench] of Object.entries({ doors, lists })) {
      if (chosen.length === 0 || chosen.includes(name)) rows.push(...(await bench(stand)));
    }
    const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}, ${CONNECTIONS} connections`;
    console.info(`\n${machine}\n`);
    console.table(rows.map(row => ({ ...row, ratio: Number(row.ratio.toFixed(2)) })));
    writeFileSync(
      fromRoot('bench/result.json'),
      `${JSON.stringify({ machine, date: new Date().toISOString(), rows }, null, 2)}\n`,
    );
  } finally {
    await stand.down();
  }
}

main();
