/** Every route of the API: wrong keys, ids of others, and the same results in REST and GraphQL. */
import { apiSchema } from '../../../src/api/apiSchema';
import { allowsBrowsers, routes } from '../../../src/api/rest/routes';
import { type ApiResponse, basic, errorOf, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();
const input = { name: 'María', email: 'maria@example.com' };
let customerId: string;
let otherMerchantsCustomerId: string;
let productionOrigin: string;

beforeAll(async () => {
  productionOrigin = await api.startProduction();
  customerId = (await api.rest('POST', '/customers', { body: input })).body.id;
  const { other } = api.merchants();
  const url = `${api.origin()}/v1/${other.id}/customers`;
  otherMerchantsCustomerId = (await sendRequest(url, 'POST', { key: other.private_key, body: input })).body.id;
});

const rows = routes.map(route => [`${route.method} ${route.path}`, route] as const);

describe.each(rows)('%s', (_, route) => {
  const isSandboxOnly = route.path.startsWith('/sandbox/');
  const path = (id: string) => (route.path === '/' ? '' : route.path.replace(/:\w+/g, id));
  const call = (
    authorization: string | undefined,
    { id = customerId, merchant = api.merchants().own.id, origin = api.origin(), headers = {} } = {},
  ) =>
    sendRequest(`${origin}/v1/${merchant}${path(id)}`, route.method, {
      headers: { ...(authorization ? { authorization } : {}), ...headers },
      ...(route.body ? { body: '{' } : {}),
    });
  const expectError = (answer: ApiResponse, status: number, code: number) => {
    expect([answer.status, errorOf(answer)]).toEqual([status, code]);
    expect(answer.body).toEqual({
      category: 'request',
      error_code: code,
      description: expect.any(String),
      http_code: status,
      request_id: answer.headers.get('request-id'),
    });
    expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Basic realm="recaudo"' : null);
    return answer.body.description;
  };

  it('1002 for every wrong key, always with the same description', async () => {
    const { own, other, production } = api.merchants();
    const wrongCredentials = [
      undefined,
      '',
      'Basic',
      'Basic !!!',
      'Bearer x',
      basic(''),
      basic('sk_'),
      basic(`sk_${'0'.repeat(32)}`),
      basic(own.private_key, 'password'),
      basic(own.private_key.toUpperCase()),
      own.private_key,
      basic(production.private_key),
      basic(other.private_key),
    ];
    const descriptions = [];
    for (const authorization of wrongCredentials) descriptions.push(expectError(await call(authorization), 401, 1002));
    const inProduction = { origin: productionOrigin };
    if (!isSandboxOnly) descriptions.push(expectError(await call(basic(own.private_key), inProduction), 401, 1002));
    descriptions.push(expectError(await call(basic(own.private_key), { merchant: other.id }), 401, 1002));
    expect(new Set(descriptions).size).toBe(1);
  });

  it('1010 with the public key unless browsers may call it, and with the private key from a browser, whatever the body', async () => {
    const withPublicKey = await call(basic(api.merchants().own.public_key));
    if (allowsBrowsers(route.path)) expect([1001, 1005]).toContain(errorOf(withPublicKey));
    else expectError(withPublicKey, 403, 1010);
    expectError(
      await call(basic(api.merchants().own.private_key), { headers: { origin: 'https://shop.example' } }),
      403,
      1010,
    );
  });

  if (route.path.includes(':')) {
    it("1005 for another merchant's id, an unknown id and impossible ids, whatever the body", async () => {
      const key = basic(api.merchants().own.private_key);
      for (const id of [
        otherMerchantsCustomerId,
        'a0000000000000000000',
        'x'.repeat(46),
        'x'.repeat(1000),
        '%00',
        'a%2Fb',
        "'",
      ]) {
        expectError(await call(key, { id }), 404, 1005);
      }
    });
  }

  if (isSandboxOnly) {
    it('1005 in production, with a valid key too', async () => {
      const { id: merchant, private_key } = api.merchants().production;
      expectError(await call(basic(private_key), { merchant, origin: productionOrigin }), 404, 1005);
    });
  }

  it('is a GraphQL field with a description', () => {
    const fields = { ...apiSchema.getQueryType()?.getFields(), ...apiSchema.getMutationType()?.getFields() };
    expect(fields[route.field]?.description).toEqual(expect.any(String));
  });
});

describe('REST and GraphQL', () => {
  const both = async (restCall: readonly [string, string, object?], query: string, variables: object = {}) => {
    const [method, path, body] = restCall;
    return [await api.rest(method, path, body ? { body } : {}), await api.graphql(query, variables)] as const;
  };
  const customerFields =
    'id creation_date name last_name email phone_number status requires_account balance external_id address customer_address { department city additional } clabe';

  it('return the same customer, list and merchant', async () => {
    const [rest, graphql] = await both(
      ['GET', `/customers/${customerId}`],
      `query($id: ID!) { it: customer(customer_id: $id) { ${customerFields} } }`,
      { id: customerId },
    );
    expect(graphql.body.data.it).toEqual(rest.body);
    const [list, field] = await both(
      ['GET', '/customers?limit=5'],
      `{ it: customers(limit: 5) { ${customerFields} } }`,
    );
    expect(field.body.data.it).toEqual(list.body);
    const [merchant, same] = await both(
      ['GET', ''],
      '{ it: merchant { id name email phone website support_email support_phone logo colour subscription_emails status suspended_at suspension_reason bank_account { bank type number } balance customers_balance creation_date } }',
    );
    expect(same.body.data.it).toEqual(merchant.body);
  });

  it.each([
    [
      '1001 for an invalid e-mail',
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
      '1001 for a NUL character',
      ['POST', '/customers', { ...input, name: '\0' }],
      'createCustomer',
      { ...input, name: '\0' },
      1001,
    ],
    ['1001 for a missing field', ['POST', '/customers', { name: 'x' }], 'createCustomer', { name: 'x' }, 1001],
  ] as const)('refuse alike: %s', async (_, restCall, field, customer, code) => {
    const query = `mutation($customer: CreateCustomer!) { ${field}(customer: $customer) { id } }`;
    const [rest, graphql] = await both(restCall, query, { customer });
    expect([errorOf(rest), errorOf(graphql)]).toEqual([code, code]);
  });

  it('refuse alike: 1003 for filters, 1005 for missing resources, 1010 for the public key', async () => {
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
    const malformed = { name: 5 };
    const [wrongType, sameWrongType] = await both(['PUT', '/customers/a0000000000000000000', malformed], change, {
      c: malformed,
    });
    expect([errorOf(wrongType), errorOf(sameWrongType)]).toEqual([1005, 1005]);
    const [deletion, sameDeletion] = await both(
      ['DELETE', `/customers/${otherMerchantsCustomerId}`],
      `mutation { deleteCustomer(customer_id: "${otherMerchantsCustomerId}") { id } }`,
    );
    expect([errorOf(deletion), errorOf(sameDeletion)]).toEqual([1005, 1005]);
    const withPublicKey = {
      key: api.merchants().own.public_key,
      body: { query: 'mutation($c: CreateCustomer!) { createCustomer(customer: $c) { id } }' },
    };
    expect(errorOf(await api.graphql('', {}, withPublicKey))).toBe(1010);
  });
});
