/** Every row of the API, from the side of those who may not. */
import { schema } from '../../../src/http/operations';
import { allowsBrowsers, routes } from '../../../src/http/rest/routes';
import { type Answer, ask, basic, errorOf, testApi } from '../../harness/servers/api';

const api = testApi();
const input = { name: 'María', email: 'maria@example.com' };
let own: string;
let foreign: string;

beforeAll(async () => {
  own = (await api.rest('POST', '/customers', { body: input })).body.id;
  const { other } = api.merchants();
  const url = `${api.origin()}/v1/${other.id}/customers`;
  foreign = (await ask(url, 'POST', { key: other.private_key, body: input })).body.id;
});

const rows = routes.map(route => [`${route.method} ${route.path}`, route] as const);

describe.each(rows)('%s', (_, route) => {
  const isSandboxOnly = route.path.startsWith('/sandbox/');
  const path = (id: string) => (route.path === '/' ? '' : route.path.replace(/:\w+/g, id));
  const call = (
    authorization: string | undefined,
    { id = own, merchant = api.merchants().own.id, origin = api.origin(), headers = {} } = {},
  ) =>
    ask(`${origin}/v1/${merchant}${path(id)}`, route.method, {
      headers: { ...(authorization ? { authorization } : {}), ...headers },
      ...(route.body ? { body: '{' } : {}),
    });
  const refused = (answer: Answer, status: number, code: number) => {
    expect([answer.status, errorOf(answer)]).toEqual([status, code]);
    expect(answer.body).toEqual({
      category: 'request',
      error_code: code,
      description: expect.any(String),
      http_code: status,
      request_id: answer.headers.get('request-id'),
    });
    return answer.body.description;
  };

  it('1002 for every wrong key, all alike', async () => {
    const { own: mine, other, production } = api.merchants();
    const wrong = [
      undefined,
      '',
      'Basic',
      'Basic !!!',
      'Bearer x',
      basic(''),
      basic('sk_'),
      basic(`sk_${'0'.repeat(32)}`),
      basic(mine.private_key, 'password'),
      basic(mine.private_key.toUpperCase()),
      mine.private_key,
      basic(production.private_key),
      basic(other.private_key),
    ];
    const descriptions = [];
    for (const authorization of wrong) descriptions.push(refused(await call(authorization), 401, 1002));
    const elsewhere = { origin: api.origin('production') };
    if (!isSandboxOnly) descriptions.push(refused(await call(basic(mine.private_key), elsewhere), 401, 1002));
    descriptions.push(refused(await call(basic(mine.private_key), { merchant: other.id }), 401, 1002));
    expect(new Set(descriptions).size).toBe(1);
  });

  it('1010 with the public key where it is not for browsers, and with the private one from a browser, whatever the body', async () => {
    const withPublicKey = await call(basic(api.merchants().own.public_key));
    if (allowsBrowsers(route.path)) expect([1001, 1005]).toContain(errorOf(withPublicKey));
    else refused(withPublicKey, 403, 1010);
    refused(
      await call(basic(api.merchants().own.private_key), { headers: { origin: 'https://shop.example' } }),
      403,
      1010,
    );
  });

  if (route.path.includes(':')) {
    it("1005 for another merchant's id, one that never was, and ones that cannot be, whatever the body", async () => {
      const key = basic(api.merchants().own.private_key);
      for (const id of [foreign, 'a0000000000000000000', 'x'.repeat(46), 'x'.repeat(1000), '%00', 'a%2Fb', "'"]) {
        refused(await call(key, { id }), 404, 1005);
      }
    });
  }

  if (isSandboxOnly) {
    it('1005 in production, with a good key too', async () => {
      const { id: merchant, private_key } = api.merchants().production;
      refused(await call(basic(private_key), { merchant, origin: api.origin('production') }), 404, 1005);
    });
  }

  it('is a field that GraphQL has too, described', () => {
    const fields = { ...schema.getQueryType()?.getFields(), ...schema.getMutationType()?.getFields() };
    expect(fields[route.field]?.description).toEqual(expect.any(String));
  });
});

describe('both doors', () => {
  const both = async (restCall: [string, string, object?], query: string, variables: object = {}) => {
    const [method, path, body] = restCall;
    return [await api.rest(method, path, body ? { body } : {}), await api.graphql(query, variables)] as const;
  };
  const everything =
    'id creation_date name last_name email phone_number status balance external_id address customer_address { department city additional } clabe';

  it('answer the same customer, list and merchant', async () => {
    const [rest, graphql] = await both(
      ['GET', `/customers/${own}`],
      `query($id: ID!) { it: customer(customer_id: $id) { ${everything} } }`,
      { id: own },
    );
    expect(graphql.body.data.it).toEqual(rest.body);
    const [list, field] = await both(['GET', '/customers?limit=5'], `{ it: customers(limit: 5) { ${everything} } }`);
    expect(field.body.data.it).toEqual(list.body);
    const [merchant, same] = await both(
      ['GET', ''],
      '{ it: merchant { id name email phone status balance creation_date } }',
    );
    expect(same.body.data.it).toEqual(merchant.body);
  });

  it.each([
    [
      '1001 for an e-mail that is none',
      ['POST', '/customers', { ...input, email: 'x' }],
      'createCustomer',
      { ...input, email: 'x' },
      1001,
    ],
    [
      '1001 for a text too long',
      ['POST', '/customers', { ...input, name: 'x'.repeat(101) }],
      'createCustomer',
      { ...input, name: 'x'.repeat(101) },
      1001,
    ],
    [
      '1001 for a NUL',
      ['POST', '/customers', { ...input, name: '\0' }],
      'createCustomer',
      { ...input, name: '\0' },
      1001,
    ],
    ['1001 for a missing field', ['POST', '/customers', { name: 'x' }], 'createCustomer', { name: 'x' }, 1001],
  ] as const)('refuse alike: %s', async (_, restCall, field, customer, code) => {
    const query = `mutation($customer: CreateCustomer!) { ${field}(customer: $customer) { id } }`;
    const [rest, graphql] = await both(restCall as unknown as [string, string, object], query, { customer });
    expect([errorOf(rest), errorOf(graphql)]).toEqual([code, code]);
  });

  it('refuse alike: 1003 for filters, 1005 for what is not there, 1010 for the public key', async () => {
    const [rest, graphql] = await both(['GET', '/customers?limit=1001'], '{ customers(limit: 1001) { id } }');
    expect([errorOf(rest), errorOf(graphql)]).toEqual([1003, 1003]);
    const [day, sameDay] = await both(
      ['GET', '/customers?creation=2026-02-30'],
      '{ customers(creation: "2026-02-30") { id } }',
    );
    expect([errorOf(day), errorOf(sameDay)]).toEqual([1003, 1003]);
    const change =
      'mutation($c: UpdateCustomer!) { updateCustomer(customer_id: "a0000000000000000000", customer: $c) { id } }';
    const blank = { name: '', email: 'x' };
    const [absent, sameAbsent] = await both(['PUT', '/customers/a0000000000000000000', blank], change, { c: blank });
    expect([errorOf(absent), errorOf(sameAbsent)]).toEqual([1005, 1005]);
    const wrong = { name: 5 };
    const [kind, sameKind] = await both(['PUT', '/customers/a0000000000000000000', wrong], change, { c: wrong });
    expect([errorOf(kind), errorOf(sameKind)]).toEqual([1005, 1005]);
    const [gone, sameGone] = await both(
      ['DELETE', `/customers/${foreign}`],
      `mutation { deleteCustomer(customer_id: "${foreign}") }`,
    );
    expect([errorOf(gone), errorOf(sameGone)]).toEqual([1005, 1005]);
    const asked = {
      key: api.merchants().own.public_key,
      body: { query: 'mutation($c: CreateCustomer!) { createCustomer(customer: $c) { id } }' },
    };
    expect(errorOf(await api.graphql('', {}, asked))).toBe(1010);
  });
});
