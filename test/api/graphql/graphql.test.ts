import { getIntrospectionQuery, isInputObjectType, isObjectType, validateSchema } from 'graphql';
import { merchantSchema, operatorSchema } from '../../../src/api/graphql/publishedSchemas';
import { basic, errorOf, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();

it.each([merchantSchema, operatorSchema])('the schema is valid', schema => expect(validateSchema(schema)).toEqual([]));

describe('POST /graphql', () => {
  it('fails with 1002 without a key or with a key of the other environment, in the error format of GraphQL', async () => {
    const otherEnvironment = basic(api.merchants().production.private_key);
    for (const headers of [{}, { authorization: otherEnvironment }] as Record<string, string>[]) {
      const answer = await sendRequest(`${api.origin()}/graphql`, 'POST', {
        body: { query: '{ merchant { id } }' },
        headers,
      });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Basic realm="recaudo"');
      const live = await sendRequest(`${api.origin()}/graphql/stream`, 'POST', { body: {}, headers });
      expect([live.status, live.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="recaudo"']);
      expect(answer.body).toEqual({
        errors: [
          {
            message: expect.any(String),
            extensions: {
              code: 'not_authenticated',
              error_code: 1002,
              http_code: 401,
              category: 'request',
              problem: 'not_authenticated',
              request_id: answer.headers.get('request-id'),
            },
          },
        ],
      });
    }
  });

  it('responds 200 to a failed operation, with the code in extensions and the request_id of the header', async () => {
    const answer = await api.graphql('{ customer(customer_id: "a0000000000000000000") { id } }');
    expect(answer.status).toBe(200);
    expect(answer.body.errors[0].extensions).toEqual({
      code: 'not_found',
      error_code: 1005,
      http_code: 404,
      category: 'request',
      problem: 'not_found',
      request_id: answer.headers.get('request-id'),
    });
  });

  it.each([
    ['a document that is not GraphQL', 'nonsense {'],
    ['a field that does not exist', '{ nothing }'],
    ['an argument of the wrong kind', '{ customers(limit: "ten") { nodes { id } } }'],
    ['no document', undefined],
    ['more tokens than allowed', `{ ${'merchant { id } '.repeat(600)} }`],
    [
      'more depth than allowed',
      `{ customers { edges { node { customer_address { ${'a { '.repeat(12)} b ${'} '.repeat(12)} } } } } }`,
    ],
    [
      'more records than allowed',
      `{ ${Array.from({ length: 5 }, (_, i) => `a${i}: customers(limit: 1000) { nodes { id name email status balance } }`).join(' ')} }`,
    ],
  ])('fails with 1001 for %s', async (_, query) => {
    const answer = await api.graphql('', {}, { body: { query } });
    expect([answer.status, errorOf(answer)]).toEqual([400, 1001]);
  });

  it('names the invalid variable without repeating its value', async () => {
    const day = await api.graphql('query($d: Day) { customers(creation: $d) { nodes { id } } }', { d: '4111-11-31' });
    expect(errorOf(day)).toBe(1003);
    expect(day.body.errors[0].message).toBe('d is a date that does not exist');
    const name = { name: 4111111111111111 };
    const create = 'mutation($c: CreateCustomer!) { createCustomer(customer: $c) { id } }';
    expect((await api.graphql(create, { c: name })).body.errors[0].message).toBe('c.name has an invalid format');
    expect((await api.graphql(create, { c: { name: 'x' } })).body.errors[0].message).toBe('c.email is required');
    const secretValues = [[4, 1, 1, 1], ['41', '11'], '41  11  11', '٤١١١', { a: ' at "x"; 41' }];
    for (const value of secretValues) {
      const message = (await api.graphql(create, { c: value })).body.errors[0].message;
      expect(message).not.toMatch(/41|1, 1|٤/);
    }
    const literal = 'mutation { createCustomer(customer: { name: [4, 1, 1], email: 411 }) { id } }';
    for (const { message } of (await api.graphql(literal)).body.errors) expect(message).not.toMatch(/411|4, 1/);
  });

  it('counts the records of page sizes in variables and in nested fragments', async () => {
    const query =
      'query($n: Int) { a: customers(limit: $n) { nodes { ...f } } b: customers(limit: $n) { nodes { ...f } } c: customers(limit: $n) { nodes { ...f } } } fragment f on Customer { id name email status balance external_id phone_number last_name clabe address creation_date }';
    expect(errorOf(await api.graphql(query, { n: 1000 }))).toBe(1001);
    expect((await api.graphql(query, { n: 10 })).status).toBe(200);
    const fragments = Array.from(
      { length: 60 },
      (_, i) => `fragment f${i} on Query { ${i < 59 ? `...f${i + 1} ...f${i + 1}` : 'merchant { id }'} }`,
    );
    expect(errorOf(await api.graphql(`{ ...f0 } ${fragments.join(' ')}`))).toBe(1001);
  });

  it.each([
    [
      'a negative number on a skipped field',
      'query { z: customers(limit: -2147483648) @skip(if: true) { nodes { id } } LISTS }',
      'limit: 1000',
    ],
    ["a variable's default", 'query($n: Int = 1000) { LISTS }', 'limit: $n'],
  ])('counts records correctly despite %s', async (_, document, limit) => {
    const fields = 'id name email status balance external_id phone_number last_name clabe address';
    const lists = ['a', 'b', 'c'].map(alias => `${alias}: customers(${limit}) { nodes { ${fields} } }`).join(' ');
    const answer = await api.graphql('', {}, { body: { query: document.replace('LISTS', lists) } });
    expect([answer.status, errorOf(answer)]).toEqual([400, 1001]);
  });

  it('treats null for a number like an omitted argument', async () => {
    const { id: merchant_id } = api.merchants().own;
    const row = (i: number) => ({
      id: `a${String(i).padStart(19, '0')}`,
      merchant_id,
      name: 'x',
      email: 'x@example.com',
    });
    await api.database.db().customer.createMany({ data: Array.from({ length: 15 }, (_, i) => row(i)) });
    const query =
      'query($n: Int) { some: customers(limit: $n) { nodes { id } } customers(first: null) { edges { cursor } } }';
    const { data } = (await api.graphql(query, { n: null })).body;
    expect([data.some.nodes.length, data.customers.edges.length]).toEqual([10, 10]);
  });

  it('fails with 1001 for an object instead of a number, and for a subscription', async () => {
    const n = { toString: 1, valueOf: 1 };
    expect(errorOf(await api.graphql('query($n: Int) { customers(limit: $n) { nodes { id } } }', { n }))).toBe(1001);
    expect(errorOf(await api.graphql('subscription { x }'))).toBe(1001);
  });

  it('fails with 1010 for the public key, also through a fragment, before it reveals what exists', async () => {
    const withPublicKey = { key: api.merchants().own.public_key };
    const missing = '{ customer(customer_id: "a0000000000000000000") { id } }';
    expect(errorOf(await api.graphql(missing, {}, withPublicKey))).toBe(1010);
    expect(errorOf(await api.graphql('{ merchant { id } }', {}, withPublicKey))).toBe(1010);
    expect(errorOf(await api.graphql('{ ...f } fragment f on Query { merchant { id } }', {}, withPublicKey))).toBe(
      1010,
    );
  });

  it('refuses a list of documents, a body that is not JSON or is too large, and other methods', async () => {
    expect(errorOf(await api.graphql('', {}, { body: [{ query: '{ merchant { id } }' }] }))).toBe(1001);
    expect(errorOf(await api.graphql('', {}, { body: '{' }))).toBe(1001);
    const large = await api.graphql('', {}, { body: { query: 'x'.repeat(300_000) } });
    expect([large.status, large.body.errors[0].extensions.error_code]).toEqual([413, 1009]);
    const answer = await sendRequest(`${api.origin()}/graphql?query={merchant{id}}`, 'GET', {
      key: api.merchants().own.private_key,
    });
    expect([answer.status, errorOf(answer), answer.headers.get('allow')]).toEqual([405, 1005, 'POST, OPTIONS']);
  });

  it.each([
    ['a query that is a number', { query: 7 }],
    ['variables that are a text', { query: '{ merchant { id } }', variables: 'x' }],
    ['variables that are a list', { query: '{ merchant { id } }', variables: [] }],
    ['an operationName that is a number', { query: '{ merchant { id } }', operationName: 7 }],
    ['an operationName that does not exist', { query: 'query a { merchant { id } }', operationName: 'b' }],
  ])('fails with 1001 for %s', async (_, body) => {
    const answer = await api.graphql('', {}, { body });
    expect([answer.status, errorOf(answer)]).toEqual([400, 1001]);
  });

  it('can be introspected in the sandbox, but not in production', async () => {
    const body = { query: getIntrospectionQuery() };
    expect((await api.graphql('', {}, { body })).body.data.__schema.queryType.name).toBe('Query');
    const { private_key: key } = api.merchants().production;
    const production = await api.startProduction();
    const answer = await sendRequest(`${production}/graphql`, 'POST', { key, body });
    expect([answer.status, errorOf(answer)]).toEqual([400, 1001]);
    const typo = await sendRequest(`${production}/graphql`, 'POST', {
      key,
      body: { query: '{ merchan { id } }' },
    });
    expect(typo.body.errors[0].message).not.toContain('merchant');
  });
});

describe('the GraphQL schema', () => {
  const schemas = [merchantSchema, operatorSchema];
  const types = [...new Set(schemas.flatMap(schema => Object.values(schema.getTypeMap())))].filter(
    ({ name }) => !name.startsWith('__'),
  );

  it('describes every type, field and argument', () => {
    const undescribed: string[] = [];
    for (const type of types) {
      const roots = schemas.flatMap(schema => [
        schema.getQueryType(),
        schema.getMutationType(),
        schema.getSubscriptionType(),
      ]);
      const isRoot = roots.some(root => root === type);
      if (!type.description && !isRoot) undescribed.push(type.name);
      if (isObjectType(type) || isInputObjectType(type)) {
        for (const field of Object.values(type.getFields())) {
          if (!field.description) undescribed.push(`${type.name}.${field.name}`);
          if ('args' in field)
            for (const arg of field.args)
              if (!arg.description) undescribed.push(`${type.name}.${field.name}(${arg.name})`);
        }
      }
    }
    expect(undescribed).toEqual([]);
  });
});
