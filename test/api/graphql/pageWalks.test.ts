/** Every list by cursor returns each record once in both directions, even while records are added. */
import { newId } from '../../../src/platform/identifiers';
import { errorOf, testApi } from '../../harness/servers/api';

const api = testApi();
const RECORDS = 23;
const PAGE = 4;
const at = (i: number): Date => new Date(Date.UTC(2026, 0, 1 + (i % 5)));
const NAMES = ['Álvaro', 'ana', 'Zoé', 'Ñandú', 'beatriz', 'Ana', 'Óscar.b'];

let webhook_id: string;
const subscribed = { customer_id: newId('customer'), plan_id: newId('plan'), card_id: newId('card') };

/** Adds a record with this number. Several records share each sort value. */
const adders: Record<string, (i: number) => Promise<unknown>> = {
  customers: i => api.database.db().customer.create({ data: customer(i) }),
  charges: i => api.database.db().transaction.create({ data: transaction(i) }),
  fees: i =>
    api.database.db().transaction.create({ data: { ...transaction(i), transaction_type: 'fee', method: 'customer' } }),
  subscriptions: i => addSubscription(i),
  // An event of the merchant is also a delivery of its webhook. Records of one statement share a transaction.
  events: i => addEvents(i),
  deliveries: i => addEvents(i),
  auditLog: i =>
    api.database.db().auditEntry.create({
      data: { merchant_id: own(), creation_date: at(i), actor: 'system', action: 'key.created', object_id: `x${i}` },
    }),
  keys: i =>
    api.database.db().apiKey.create({
      data: {
        ...{ hash: Buffer.from(newId('key')), id: newId('key'), merchant_id: own(), kind: 'public' as const },
        ...{ last_four: `${1000 + i}`, creation_date: at(i) },
      },
    }),
  sessions: i =>
    api.database.db().session.create({
      data: {
        ...{ hash: Buffer.from(newId('session')), id: newId('session'), merchant_id: own(), key_id: newId('key') },
        ...{
          origins: ['https://shop.example'],
          scope: ['read'],
          creation_date: at(i),
          expires_at: new Date('2100-01-01'),
        },
      },
    }),
  webhooks: i => addWebhook(i, 'disabled'),
};

const own = (): string => api.merchants().own.id;
const customer = (i: number) => ({
  ...{ id: newId('customer'), merchant_id: own(), email: 'maria@example.com', creation_date: at(i) },
  ...{ name: NAMES[i % NAMES.length] ?? '', last_name: i % 2 ? 'Gómez' : null },
});
const transaction = (i: number) => ({
  ...{
    id: newId('transaction'),
    merchant_id: own(),
    creation_date: at(i),
    operation_date: at(i),
    amount: BigInt(1 + (i % 3)),
  },
  ...{ transaction_type: 'charge', operation_type: 'in', method: 'card', status: 'failed', progress: 'settled' },
  ...{ account: 'm', cost_rate: 1, cost_fixed: 1n },
});
async function addWebhook(i: number, status: string): Promise<string> {
  const id = newId('webhook');
  const shared = {
    merchant_id: own(),
    url: 'https://shop.example',
    verification_code: 'x',
    secret_sealed: Buffer.of(1),
  };
  await api.database.db().webhook.create({ data: { ...shared, id, status, creation_date: at(i) } });
  return id;
}
const addEvents = (i: number) => {
  const event = () => ({
    id: newId('event'),
    merchant_id: own(),
    type: 'charge.failed',
    object_id: newId('transaction'),
  });
  const data = [event(), event()].map(row => ({ ...row, object: { id: row.object_id }, creation_date: at(i) }));
  return api.database.db().event.createMany({ data });
};
const addSubscription = (i: number) =>
  api.database.db().subscription.create({
    data: {
      ...{ ...subscribed, id: newId('subscription'), merchant_id: own(), creation_date: at(i), holds_card: false },
      ...{ status: i % 2 ? 'active' : 'trial', trial_end_date: '2026-01-01', due_at: new Date('2100-01-01') },
      first_charge_day: at(i).toISOString().slice(0, 10),
    },
  });

beforeAll(async () => {
  const db = api.database.db();
  const plan = { name: 'Monthly', amount: 1000n, repeat_every: 1, repeat_unit: 'month', status_after_retry: 'unpaid' };
  const dates = { creation_date: at(0) };
  await db.plan.create({
    data: { ...plan, ...dates, id: subscribed.plan_id, merchant_id: own(), retry_times: 0, trial_days: 0 },
  });
  const card = {
    holder_name: 'Ana',
    card_number: '',
    expiration_month: '12',
    expiration_year: '30',
    brand: 'visa',
    status: 'deleted',
  };
  await db.card.create({ data: { ...card, ...dates, id: subscribed.card_id, merchant_id: own() } });
  await db.customer.create({ data: { ...customer(0), id: subscribed.customer_id } });
  webhook_id = await addWebhook(0, 'verified');
  for (const add of Object.values(adders)) for (let i = 0; i < RECORDS; i++) await add(i);
});

interface Page {
  edges: { cursor: string; node: { id: string } }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
  totalCount: number;
}

const ask = async (name: string, args: string): Promise<Page> => {
  const of = name === 'deliveries' ? `webhook_id: "${webhook_id}", ` : '';
  const { body } = await api.graphql(`{ it: ${name}(${of}${args}) {
    edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount } }`);
  expect(body.errors).toBeUndefined();
  return body.data.it;
};
const idsOf = ({ edges }: Page): string[] => edges.map(({ node }) => node.id);

const SORTS: Record<string, string[]> = {
  customers: ['creation_desc', 'creation_asc', 'name_asc', 'name_desc'],
  charges: ['creation_desc', 'creation_asc', 'amount_desc', 'amount_asc'],
  fees: ['amount_asc'],
  subscriptions: ['creation_desc', 'creation_asc', 'charge_date_asc', 'charge_date_desc'],
};
const walks = Object.keys(adders).flatMap(name => (SORTS[name] ?? [undefined]).map(sort => [name, sort] as const));

describe.each(walks)('%s %s', (name, sort) => {
  const sorted = sort ? `, sort: ${sort}` : '';
  const all = () => ask(name, `first: 500${sorted}`);

  it.each(['forward', 'backward'])('%s', async direction => {
    const before = await all();
    expect(before.totalCount).toBe(before.edges.length);
    expect(before.edges.length).toBeGreaterThanOrEqual(RECORDS);
    const seen: string[] = [];
    let cursor: string | null = null;
    for (let page = 0; page === 0 || cursor; page++) {
      const [size, from] = direction === 'forward' ? ['first', 'after'] : ['last', 'before'];
      const found: Page = await ask(name, `${size}: ${PAGE}${cursor ? `, ${from}: "${cursor}"` : ''}${sorted}`);
      if (direction === 'forward') seen.push(...idsOf(found));
      else seen.unshift(...idsOf(found));
      const { hasNextPage, hasPreviousPage, startCursor, endCursor } = found.pageInfo;
      cursor = direction === 'forward' ? (hasNextPage ? endCursor : null) : hasPreviousPage ? startCursor : null;
      if (page < 3) await adders[name]?.(page);
    }
    expect(new Set(seen).size).toBe(seen.length);
    const known = idsOf(before);
    expect(seen.filter(id => known.includes(id))).toEqual(known);
    expect(idsOf(await all()).filter(id => seen.includes(id))).toEqual(seen);
  });
});

describe('the order', () => {
  const of = async (name: string, field: string, sort: string) => {
    const query = `{ it: ${name}(first: 500, sort: ${sort}) { edges { node { id ${field} } } } }`;
    return (await api.graphql(query)).body.data.it.edges.map(
      ({ node }: { node: Record<string, unknown> }) => node[field],
    );
  };

  it('by name ignores letter case and accents', async () => {
    const names = await of('customers', 'name', 'name_asc');
    expect([...new Set(names.map((name: string) => name.toLowerCase()))]).toEqual([
      ...['álvaro', 'ana', 'beatriz', 'ñandú', 'óscar.b', 'zoé'],
    ]);
    expect(await of('customers', 'name', 'name_desc')).toEqual(names.reverse());
  });

  it.each([
    ['charges', 'amount', 'amount'],
    ['subscriptions', 'charge_date', 'charge_date'],
  ])('%s are sorted by %s', async (name, field, sort) => {
    const values = await of(name, field, `${sort}_asc`);
    expect(new Set(values).size).toBeGreaterThan(2);
    expect(values).toEqual([...values].sort());
    expect(await of(name, field, `${sort}_desc`)).toEqual(values.reverse());
  });

  it('fails with 1003 for a cursor of another order or list', async () => {
    const { startCursor } = (await ask('charges', 'first: 1, sort: amount_asc')).pageInfo;
    const with_ = (field: string) => api.graphql(`{ ${field} { totalCount } }`);
    for (const field of ['charges', 'events', 'auditLog', 'customers'])
      expect([field, errorOf(await with_(`${field}(after: "${startCursor}")`))]).toEqual([field, 1003]);
    expect(errorOf(await with_(`charges(after: "${startCursor}", sort: amount_desc)`))).toBeUndefined();
    const cursor = Buffer.from(`name.${newId('customer')}.a\0`).toString('base64url');
    expect(errorOf(await with_(`customers(after: "${cursor}", sort: name_asc)`))).toBe(1003);
  });
});

describe('lists of REST', () => {
  it('accept first as an alias of limit, and apply the smaller value', async () => {
    expect((await api.rest('GET', `/webhooks/${webhook_id}/deliveries?first=2`)).body).toHaveLength(2);
    expect((await api.rest('GET', '/sessions')).body).toHaveLength(10);
    for (const list of ['events', 'audit_log', 'sessions', 'keys'])
      for (const both of ['first=1&limit=2', 'first=2&limit=1'])
        expect([list, (await api.rest('GET', `/${list}?${both}`)).body.length]).toEqual([list, 1]);
  });

  it('are sorted like their connection', async () => {
    const paths = { events: 'events', auditLog: 'audit_log', webhooks: 'webhooks', sessions: 'sessions', keys: 'keys' };
    for (const [list, path] of Object.entries({ ...paths, charges: 'charges', fraudRules: 'fraud_rules' })) {
      const { body } = await api.rest('GET', `/${path}?limit=500`);
      const ids = body.map(({ id }: { id: string }) => id);
      expect([list, ids]).toEqual([list, idsOf(await ask(list, 'first: 500'))]);
    }
  });
});
