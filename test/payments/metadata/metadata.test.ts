/** Metadata of customers, plans and subscriptions, by the rules of charges. */
import { visa } from '../../harness/cards/testCards';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { bearer, testSessions } from '../../harness/merchant/sessions';
import { errorOf, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const { newSession } = testSessions(api);
let [owner, card, plan] = ['', '', ''];
beforeAll(async () => {
  owner = await shop.newCustomer();
  card = await shop.newCard(`/customers/${owner}/cards`);
  plan = await shop.newPlan({ trial_days: 5 });
});

interface Kind {
  table: string;
  path(): string;
  body(): object;
  /** The body that a change requires. */
  change: object;
}

const kinds: Record<'customers' | 'plans' | 'subscriptions', Kind> = {
  customers: { table: 'customers', path: () => '/customers', body: () => shop.payer, change: shop.payer },
  plans: { table: 'plans', path: () => '/plans', body: () => shop.plan, change: {} },
  subscriptions: {
    table: 'subscriptions',
    path: () => `/customers/${owner}/subscriptions`,
    body: () => ({ plan_id: plan, source_id: card }),
    change: {},
  },
};

describe.each(Object.entries(kinds))('metadata of %s', (name, { table, path, body, change }) => {
  const create = (more: object = {}) => shop.post(path(), { ...body(), ...more });
  const read = async (id: string) => (await api.rest('GET', `${path()}/${id}`)).body;
  const put = (id: string, more: object) => api.rest('PUT', `${path()}/${id}`, { body: { ...change, ...more } });
  const newRecord = async (metadata: unknown): Promise<string> => (await create({ metadata })).body.id;
  const idsOf = async (query: string): Promise<string[]> =>
    (await api.rest('GET', `${path()}?${query}`)).body.map(({ id }: { id: string }) => id);

  it('is absent until it is set, and shown as a map', async () => {
    const { body: bare } = await create();
    expect(bare).not.toHaveProperty('metadata');
    expect(await read(bare.id)).toEqual(bare);
    const { body: made } = await create({ metadata: [{ key: 'canal', value: 'web' }] });
    expect(made.metadata).toEqual({ canal: 'web' });
    expect(await read(made.id)).toEqual(made);
    expect((await create({ metadata: {} })).body.metadata).toEqual({});
  });

  it('is replaced by PUT, kept without it and removed by null', async () => {
    const id = await newRecord({ one: '1', two: '2' });
    expect((await put(id, {})).body.metadata).toEqual({ one: '1', two: '2' });
    expect((await put(id, { metadata: { two: '3' } })).body.metadata).toEqual({ two: '3' });
    expect((await read(id)).metadata).toEqual({ two: '3' });
    expect((await put(id, { metadata: null })).body).not.toHaveProperty('metadata');
    expect(await read(id)).not.toHaveProperty('metadata');
  });

  it.each([
    ['text', 'text', 1001],
    ['a number as a value', { key: 1 }, 1001],
    ['a long value', { key: 'x'.repeat(501) }, 1001],
    ['a long key', { ['x'.repeat(101)]: '' }, 1001],
    ['NUL', { key: '\0' }, 1001],
    ['51 pairs', Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, ''])), 1003],
    ['more than 32 KiB', Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, 'ñ'.repeat(500)])), 1009],
    ['a test card number', { card: visa.card_number }, 1003],
  ])('refuses %s, at creation and in a change', async (_, metadata, code) => {
    const id = await newRecord({ kept: 'yes' });
    const refused = [await create({ metadata }), await put(id, { metadata })];
    expect(refused.map(answer => [errorOf(answer), answer.body.field])).toEqual([
      [code, 'metadata'],
      [code, 'metadata'],
    ]);
    expect((await read(id)).metadata).toEqual({ kept: 'yes' });
  });

  it('finds records by exact pairs, over REST and GraphQL', async () => {
    const key = `${name}[a]=&ñ`;
    const encoded = encodeURIComponent(`metadata[${key}]`);
    const both = await newRecord({ [key]: 'web', size: 'L' });
    const one = await newRecord({ [key]: 'web' });
    await newRecord({ [key]: 'WEB' });
    await newRecord({ other: 'web' });
    expect(await idsOf(`${encoded}=web`)).toEqual([one, both]);
    expect(await idsOf(`${encoded}=web&metadata[size]=L`)).toEqual([both]);
    expect(await idsOf(`${encoded}=web&limit=1&offset=1`)).toEqual([both]);
    expect(await idsOf(`${encoded}=we`)).toEqual([]);
    const query = `query ($metadata: Metadata) { ${name}(metadata: $metadata) { nodes { id metadata } totalCount } }`;
    const find = async (metadata: unknown) => (await api.graphql(query, { metadata })).body.data[name];
    expect(await find({ [key]: 'web', size: 'L' })).toEqual({
      nodes: [{ id: both, metadata: { [key]: 'web', size: 'L' } }],
      totalCount: 1,
    });
    expect((await find([{ key, value: 'web' }])).totalCount).toBe(2);
    expect((await find({})).totalCount).toBe((await find(null)).totalCount);
  });

  it.each(['metadata=web', 'metadata[]=web', 'metadata[canal]=web&metadata[canal]=shop', 'metadata[a=web'])(
    'refuses the filter %s',
    async query => {
      const refused = await api.rest('GET', `${path()}?${query}`);
      expect([refused.status, errorOf(refused)]).toEqual([422, 1003]);
    },
  );

  it.each(["'[]'", `'"text"'`, `'{"key": 1}'`, `'{"key": {"a": "b"}}'`])('the database refuses %s', async json => {
    const id = await newRecord({ kept: 'yes' });
    await expect(
      api.database.db().$executeRawUnsafe(`update ${table} set metadata = ${json} where id = '${id}'`),
    ).rejects.toThrow(`${table}_metadata_check`);
  });
});

describe('subscriptions', () => {
  it('are found by metadata below their plan, at merchant level, and nested in GraphQL', async () => {
    const plan_id = await shop.newPlan({ trial_days: 5 });
    const make = async (canal: string): Promise<string> =>
      (await shop.post(`/customers/${owner}/subscriptions`, { plan_id, source_id: card, metadata: { canal } })).body.id;
    await make('web');
    const shopOne = await make('shop');
    const filter = 'metadata[canal]=shop';
    for (const path of [`/plans/${plan_id}/subscriptions?${filter}`, `/subscriptions?plan_id=${plan_id}&${filter}`])
      expect((await api.rest('GET', path)).body.map(({ id }: { id: string }) => id)).toEqual([shopOne]);
    const nested = `query ($id: ID!) { plan(plan_id: $id) {
      subscriptions(metadata: { canal: "shop" }) { nodes { id } totalCount } all: subscriptions { totalCount } } }`;
    expect((await api.graphql(nested, { id: plan_id })).body.data.plan).toEqual({
      subscriptions: { nodes: [{ id: shopOne }], totalCount: 1 },
      all: { totalCount: 2 },
    });
  });

  it('have metadata in their events, and its changed keys in the audit log', async () => {
    const path = `/customers/${owner}/subscriptions`;
    const { body } = await shop.post(path, { plan_id: plan, source_id: card, metadata: { canal: 'web', size: 'L' } });
    const [event] = (await api.rest('GET', `/events?object_id=${body.id}`)).body;
    expect(event.subscription.metadata).toEqual({ canal: 'web', size: 'L' });
    const { version } = await api.database.db().subscription.findUniqueOrThrow({ where: { id: body.id } });
    await api.rest('PUT', `${path}/${body.id}`, { body: { metadata: { size: 'L', canal: 'web' } } });
    await api.rest('PUT', `${path}/${body.id}`, { body: { metadata: { canal: 'shop', size: 'L' }, iva: '19%' } });
    const entries = await api.database.db().auditEntry.findMany({ where: { object_id: body.id } });
    expect(entries.map(({ action, before, after }) => ({ action, before, after }))).toEqual([
      { action: 'subscription.changed', before: { iva: null }, after: { iva: '19%', metadata: ['canal'] } },
    ]);
    const changed = await api.database.db().subscription.findUniqueOrThrow({ where: { id: body.id } });
    expect(changed.version).toBe(version + 1);
  });
});

it('charges are found by metadata', async () => {
  const source_id = await shop.newCard();
  const id = await shop.newCharge(source_id, { metadata: { pedido: '77' } });
  await shop.newCharge(source_id, { metadata: { pedido: '78' } });
  const { body } = await api.rest('GET', '/charges?metadata[pedido]=77');
  expect(body.map((each: { id: string }) => each.id)).toEqual([id]);
  const { data } = (await api.graphql('{ charges(metadata: { pedido: "77" }) { nodes { id } totalCount } }')).body;
  expect(data.charges).toEqual({ nodes: [{ id }], totalCount: 1 });
  expect(errorOf(await api.rest('GET', '/fees?metadata[pedido]=77'))).toBe(1003);
});

it('the payer of a charge has no metadata of its own', async () => {
  const customer = { ...shop.payer, metadata: { canal: 'web' } };
  const { body } = await shop.post('/charges', { ...shop.charge, source_id: await shop.newToken(), customer });
  const row = await api.database.db().transaction.findUniqueOrThrow({ where: { id: body.id } });
  expect(row.customer).toEqual(shop.payer);
});

it('a session for one customer reads metadata, but sets neither metadata nor IVA', async () => {
  const customer_id = await shop.newCustomer({ metadata: { canal: 'web' } });
  const source_id = await shop.newCard(`/customers/${customer_id}/cards`);
  const { token } = await newSession({ customer_id, scope: ['all'] });
  const call = (method: string, path: string, body?: object) =>
    sendRequest(`${api.origin()}/v1/${api.merchants().own.id}/customers/${customer_id}${path}`, method, {
      headers: bearer(token),
      body,
    });
  expect((await call('GET', '')).body.metadata).toEqual({ canal: 'web' });
  const refused = [await call('PUT', '', { ...shop.payer, metadata: null })];
  for (const notes of [{ metadata: { a: 'b' } }, { iva: '19%' }]) {
    refused.push(await call('POST', '/subscriptions', { plan_id: plan, source_id, ...notes }));
    const { body } = await shop.post(`/customers/${customer_id}/subscriptions`, { plan_id: plan, source_id });
    refused.push(await call('PUT', `/subscriptions/${body.id}`, notes));
  }
  expect(refused.map(errorOf)).toEqual([1010, 1010, 1010, 1010, 1010]);
  expect((await call('PUT', '', shop.payer)).body.metadata).toEqual({ canal: 'web' });
});
