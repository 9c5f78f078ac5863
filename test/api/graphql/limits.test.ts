/** Limits of a document: its size before validation, its complexity before execution and the size of its response. */
import { getIntrospectionQuery, isObjectType } from 'graphql';
import { introspectionSizes, listSizes } from '../../../src/api/graphql/listSizes';
import { merchantSchema, operatorSchema } from '../../../src/api/graphql/publishedSchemas';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { errorOf, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const times = (count: number, part: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => part(i)).join(' ');
const ask = (query: string) => api.graphql(query);
const sizeOf = (list: string): number => listSizes[list] ?? Number.NaN;
const costOf = async (query: string): Promise<number> => {
  const { body } = await ask(query);
  expect(body.errors).toBeUndefined();
  return body.extensions.cost.requested;
};

describe('a document that is too large', () => {
  it.each([
    ['fields', `{ merchant { ${times(600, () => 'id')} } }`, /600 fields|601 fields/],
    ['aliases', `{ ${times(101, i => `a${i}: merchant { id }`)} }`, /101 aliases/],
    ['fragments', `{ ${times(101, () => '...f')} } fragment f on Query { merchant { id } }`, /101 fragments/],
    ['inline fragments', `{ merchant { ${times(101, () => '... { id }')} } }`, /101 fragments/],
    ['directives', `{ merchant { id ${times(51, () => '@skip(if: false)')} } }`, /51 directives/],
    ['levels', `{ merchant ${'{ id '.repeat(16)}${'}'.repeat(16)} }`, /17 levels/],
    [
      'levels in fragments',
      `{ ...f0 } ${times(17, i => `fragment f${i} on Query { merchant { ...f${i + 1} } }`)} fragment f17 on Query { id }`,
      /18 levels/,
    ],
    ['introspections', '{ __schema { description } __type(name: "Card") { name } }', /2 introspections/],
  ])('is refused for its %s, without being validated', async (_, query, message) => {
    // Every validation rule reads the directives of the schema.
    const validation = jest.spyOn(merchantSchema, 'getDirectives');
    expect(errorOf(await ask('{ __typename nothing }'))).toBe(1001);
    expect(validation).toHaveBeenCalled();
    validation.mockClear();
    for (const path of ['/graphql', '/graphql/stream']) {
      const key = api.merchants().own.private_key;
      const answer = await sendRequest(`${api.origin()}${path}`, 'POST', { key, body: { query } });
      expect([answer.status, errorOf(answer), answer.body.errors.length]).toEqual([400, 1001, 1]);
      expect(answer.body.errors[0].message).toMatch(message);
    }
    expect(validation).not.toHaveBeenCalled();
    validation.mockRestore();
  });

  it('has at most ten errors, and suggestions only in the sandbox', async () => {
    const query = `{ merchant { ${times(450, i => `nam${i}`)} } }`;
    const sandbox = (await ask(query)).body.errors;
    expect([sandbox.length, sandbox[0].message.includes('Did you mean')]).toEqual([11, true]);
    const key = api.merchants().production.private_key;
    const { body } = await sendRequest(`${await api.startProduction()}/graphql`, 'POST', { key, body: { query } });
    expect(body.errors).toHaveLength(11);
    expect(JSON.stringify(body)).not.toContain('Did you mean');
  });

  it('is refused when a fragment spreads itself', async () => {
    expect(errorOf(await ask('{ ...f } fragment f on Query { merchant { id } ...f }'))).toBe(1001);
  });
});

describe('the complexity of a request', () => {
  it('is reported with its maximum, also when it exceeds the maximum or the request fails', async () => {
    const { body } = await ask('{ merchant { id name } }');
    expect(body.extensions).toEqual({ cost: { requested: 3, maximum: 25_000, budget: expect.anything() } });
    const refused = await ask(
      `{ ${times(3, i => `a${i}: customers(limit: 1000) { nodes { ${times(9, j => `b${j}: id`)} } }`)} }`,
    );
    expect([refused.status, errorOf(refused)]).toEqual([400, 1001]);
    expect(refused.body.extensions.cost).toMatchObject({ requested: 27_006, maximum: 25_000 });
    const missing = await ask('{ customer(customer_id: "a0000000000000000000") { id } }');
    expect(missing.body.extensions.cost.requested).toBe(2);
  });

  it('is reported with the remaining budget of the key, also for an invalid document', async () => {
    for (const document of [
      '{ merchant { id } }',
      '{ customers(limit: 1000) { nodes { id } } }',
      '{ nothing }',
      'nonsense {',
    ]) {
      const { body, headers } = await ask(document);
      const { budget } = body.extensions.cost;
      expect(budget).toEqual({
        limit: Number(headers.get('ratelimit-limit')),
        remaining: expect.any(Number),
        reset: expect.any(Number),
      });
      expect(budget.remaining).toBeLessThan(budget.limit);
    }
    expect((await ask('{ nothing }')).body.extensions.cost.requested).toBe(0);
  });

  it.each([
    ['every field counts, __typename too', '{ __typename merchant { __typename id } }', 4],
    ['a list counts the fields of each requested record', '{ customers(limit: 7) { nodes { id name } } }', 16],
    ['a list counts its default number of records', '{ customers { nodes { id } } events { nodes { id } } }', 24],
    [
      'a connection counts its records, and its own fields once',
      '{ customers(first: 7) { edges { cursor } pageInfo { endCursor } } }',
      11,
    ],
    [
      'fields of fragments count',
      '{ customers(first: 7) { ...f } } fragment f on CustomerConnection { edges { cursor } }',
      9,
    ],
    [
      'nested lists multiply',
      '{ plans(limit: 3) { nodes { subscriptions(first: 5) { edges { node { id } } } } } }',
      2 + 3 * (2 + 5 * 2),
    ],
    [
      'a list of values counts each value',
      '{ webhooks(limit: 2) { nodes { event_types } } }',
      2 + 2 * sizeOf('Webhook.event_types'),
    ],
    [
      'a short list without a limit counts its usual length',
      '{ charges(limit: 2) { nodes { refunds { id } } } }',
      2 + 2 * (1 + sizeOf('Transaction.refunds')),
    ],
    ['complete stored objects count as several fields', '{ events(limit: 2) { nodes { webhook } } }', 22],
    [
      'history counts its maximum number of entries',
      '{ subscriptions(limit: 2) { nodes { history { summary entries { nodes { date } } } } } }',
      2 + 2 * (4 + 100),
    ],
    [
      'history counts the requested number of entries',
      '{ subscriptions(limit: 2) { nodes { history { entries(first: 5) { nodes { date event } } } } } }',
      2 + 2 * (3 + 10),
    ],
    [
      'nested events count their maximum number',
      `{ subscriptions(limit: 2) { nodes { events(first: 5) { edges { node { id } } }
        charges { edges { node { events { edges { cursor } } } } } } } }`,
      2 + 2 * (2 + 5 * 2 + 2 + 10 * (1 + 2 + 10)),
    ],
    [
      'a union counts all of its types',
      '{ search(text: "maria", limit: 2) { record { __typename ... on Plan { id name } ...f } } } fragment f on Customer { id }',
      2501 + 2 * (1 + 4),
    ],
    [
      'a union counts the lists in its types',
      '{ search(text: "maria", limit: 2) { record { ... on Plan { subscriptions(first: 50) { edges { cursor } } } } } }',
      2501 + 2 * (1 + 52),
    ],
    ['statistics count by the cost of their computation', '{ a: stats { mrr } b: stats { mrr } }', 2 * 5002],
  ])('%s', async (_, query, cost) => expect(await costOf(query)).toBe(cost));

  it('every list of the schemas is paged or has a known maximum length', () => {
    const types = new Set([merchantSchema, operatorSchema].flatMap(schema => Object.values(schema.getTypeMap())));
    const unpaged = [...types].flatMap(type =>
      isObjectType(type)
        ? Object.values(type.getFields()).flatMap(field =>
            /^\[/.test(String(field.type)) && !field.args.some(({ name }) => /^(first|limit|periods)$/.test(name))
              ? [`${type.name}.${field.name}`]
              : [],
          )
        : [],
    );
    const pages = unpaged.filter(name => /^\w+Connection\.(edges|nodes)$|^OverdueWork\.(edges|nodes)$/.test(name));
    expect([...new Set(unpaged)].filter(name => !pages.includes(name)).sort()).toEqual(
      Object.keys({ ...listSizes, ...introspectionSizes(merchantSchema) }).sort(),
    );
  });
});

describe('introspection', () => {
  it('has a complexity that counts the fields of its response', async () => {
    const { body } = await ask(getIntrospectionQuery());
    let answered = 0;
    const count = (value: unknown): void => {
      if (Array.isArray(value)) return void value.map(count);
      if (typeof value !== 'object' || value === null) return;
      for (const member of Object.values(value)) count(member);
      answered += Object.keys(value).length;
    };
    count(body.data);
    expect(body.extensions.cost.requested).toBeGreaterThan(answered);
    expect(body.extensions.cost.requested).toBeLessThan(25_000);
  });

  it.each([
    '{ __schema { description } }',
    '{ merchant { id } ...f } fragment f on Query { __type(name: "Card") { name } }',
    '{ nothing }',
  ])('fails with 1010 for the public key before any other check: %s', async query => {
    for (const path of ['/graphql', '/graphql/stream']) {
      const key = api.merchants().own.public_key;
      const answer = await sendRequest(`${api.origin()}${path}`, 'POST', { key, body: { query } });
      expect([answer.status, errorOf(answer)]).toEqual([403, 1010]);
    }
  });
});

describe('a response of more than 5 MB', () => {
  const EVENTS = 'events(first: 30) { edges { node { object { ... on Transaction { description } } } } }';
  const fill = async (object_id: string, count: number) =>
    api.database.db().$executeRaw`
      insert into events (id, merchant_id, type, object_id, object, creation_date)
      select 'e' || left(md5(${object_id} || n::text), 19), ${api.merchants().own.id}, 'charge.succeeded', ${object_id},
        jsonb_build_object('description', repeat('x', 100000)), now() from generate_series(1, ${count}) n`;

  it('is aborted with an error that advises selecting less', async () => {
    const transaction_id = await shop.newCharge(await shop.newToken());
    await fill(transaction_id, 30);
    // Each list is within the limit of lists; both together exceed the limit of the response.
    const query = `{ charge(transaction_id: "${transaction_id}") { a: ${EVENTS} b: ${EVENTS} } }`;
    const answer = await ask(query);
    expect([answer.status, errorOf(answer), answer.body.data]).toEqual([400, 1001, undefined]);
    expect(answer.body.errors).toHaveLength(1);
    expect(answer.body.errors[0].message).toMatch(/exceeds 5 MB.*fewer/);
    expect(api.lines().join('')).not.toContain('request: internal error');
    expect((await ask(query.replace(`b: ${EVENTS}`, ''))).body.data.charge.a.edges).toHaveLength(30);
  });

  it('reports for a mutation that it was executed', async () => {
    const transaction_id = await shop.newCharge(await shop.newToken());
    await fill(transaction_id, 30);
    const answer = await ask(`mutation { refundCharge(transaction_id: "${transaction_id}", refund: { amount: 100 }) {
      id a: ${EVENTS} b: ${EVENTS} } }`);
    expect([answer.status, errorOf(answer)]).toEqual([400, 1001]);
    expect(answer.body.errors[0].message).toMatch(/^The mutation succeeded, but its response exceeds 5 MB/);
    const { body } = await api.rest('GET', `/charges/${transaction_id}`);
    expect(body.refunds).toHaveLength(1);
  });
});
