/** Customers through both doors, beside raw pg running the same statements. */
import { newId } from '../src/platform/identifiers';
import { median, openPool, type Row, requests, rowsOf, statements } from './measure';
import type { Stand } from './stand';

const FIELDS =
  'id creation_date name last_name email phone_number status balance external_id address customer_address { department city additional } clabe';
const INSERT = `insert into customers (id, merchant_id, name, last_name, email, phone_number, external_id, requires_account, customer_address)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb) on conflict do nothing returning *`;
const ONE = `select * from customers where id = $1 and merchant_id = $2 and status = 'active'`;
const LIST = `select * from customers where merchant_id = $1 and status = 'active' order by creation_date desc, id desc limit $2 offset $3`;

export async function doors({ databaseUrl, url, merchant }: Stand): Promise<Row[]> {
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
  const row = rowsOf(figures);
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
