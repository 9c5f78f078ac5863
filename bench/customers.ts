/** Customers through REST and GraphQL, compared with raw pg running the same statements. */
import { newId } from '../src/platform/identifiers';
import type { BenchEnvironment } from './environment';
import { comparisonOf, measureRequests, measureStatements, medianRates, openPool } from './measure';
import type { ResultRow } from './results';

const FIELDS =
  'id creation_date name last_name email phone_number status balance external_id address customer_address { department city additional } clabe';
const INSERT = `insert into customers (id, merchant_id, name, last_name, email, phone_number, external_id, requires_account, customer_address)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb) on conflict do nothing returning *`;
const GET = `select * from customers where id = $1 and merchant_id = $2 and status = 'active'`;
const LIST = `select * from customers where merchant_id = $1 and status = 'active' order by creation_date desc, id desc limit $2 offset $3`;

export async function customers(environment: BenchEnvironment): Promise<ResultRow[]> {
  const { databaseUrl, url, merchant } = environment;
  const pool = openPool(databaseUrl);
  const ids: string[] = [];
  for (let i = 0; i < 1000; i++) ids.push(newId('customer'));
  for (const id of ids)
    await pool.query(INSERT, [id, merchant.id, 'María', 'Gómez', 'maria@example.com', null, null, true, null]);
  await pool.query('vacuum analyze');
  const idAt = (i: number): string => ids[i % ids.length] as string;
  const path = `/v1/${merchant.id}/customers`;
  const base = { key: merchant.private_key };
  const graphql = (query: string, variables: (i: number) => object = () => ({})) =>
    measureRequests({
      ...base,
      url: `${url}/graphql`,
      method: 'POST',
      body: i => JSON.stringify({ query, variables: variables(i) }),
    });
  const newRow = () => [newId('customer'), merchant.id, 'María', 'Gómez', 'maria@example.com', null, null, true, null];
  const customer = { name: 'María', last_name: 'Gómez', email: 'maria@example.com' };

  const getOne = {
    ...base,
    url,
    method: 'GET',
    path: (i: number) => `${path}/${idAt(i)}`,
  } as const;
  const getList = { ...base, url, method: 'GET', path: () => path } as const;
  const post = {
    ...base,
    url,
    method: 'POST',
    path: () => path,
    body: () => JSON.stringify(customer),
  } as const;

  const figures = await medianRates({
    'raw get': measureStatements(pool, (p, i) => p.query({ name: 'one', text: GET, values: [idAt(i), merchant.id] })),
    'REST get': measureRequests(getOne),
    'GraphQL get': graphql(`query($id: ID!) { customer(customer_id: $id) { ${FIELDS} } }`, i => ({ id: idAt(i) })),
    'raw list': measureStatements(pool, p => p.query({ name: 'list', text: LIST, values: [merchant.id, 10, 0] })),
    'REST list': measureRequests(getList),
    'GraphQL list': graphql(`{ customers { nodes { ${FIELDS} } } }`),
  });
  // Measured separately, because inserts grow the table.
  const posts = await medianRates({
    'raw post': measureStatements(pool, p => p.query({ name: 'insert', text: INSERT, values: newRow() })),
    'REST post': measureRequests(post),
    'GraphQL post': graphql(`mutation($c: CreateCustomer!) { createCustomer(customer: $c) { ${FIELDS} } }`, () => ({
      c: customer,
    })),
  });
  Object.assign(figures, posts);
  await pool.end();
  const row = comparisonOf(figures);
  return [
    row('REST get', 'raw get', '≥ 0.4'),
    row('REST post', 'raw post', '≥ 0.4'),
    row('REST list', 'raw list', '≥ 0.4'),
    row('GraphQL get', 'REST get', '≥ 0.6'),
    row('GraphQL post', 'REST post', '≥ 0.6'),
    row('GraphQL list', 'REST list', '≥ 0.6'),
  ];
}
