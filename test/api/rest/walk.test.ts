/** All routes of the API: invalid keys, IDs of other merchants, and equal results in REST and GraphQL. */
import { allowsBrowsers, type Route, routes } from '../../../src/api/rest/routes';
import { type Field, internalFields, refusal } from '../../harness/api/permissions';
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

const isSandboxOnly = ({ path }: Route): boolean => path.startsWith('/sandbox/');
const fieldOf = ({ field: name }: Route): Field =>
  internalFields.find(({ field }) => field.name === name)?.field as Field;

const call = (
  route: Route,
  authorization: string | undefined,
  { id = customerId, merchant = api.merchants().own.id, origin = api.origin() } = {},
) => {
  const path = route.path === '/' ? '' : route.path.replace(/:\w+/g, id);
  return sendRequest(`${origin}/v1/${merchant}${path}`, route.method, {
    headers: authorization ? { authorization } : {},
    ...(route.body ? { body: '{' } : {}),
  });
};

function expectError(answer: ApiResponse, status: number, code: number): string {
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
}

describe('an invalid key', () => {
  it('fails with 1002 at every route if it is missing or belongs to another merchant', async () => {
    const { private_key } = api.merchants().other;
    for (const route of routes)
      for (const authorization of [undefined, basic(private_key)])
        expect([route, (await call(route, authorization)).status]).toEqual([route, 401]);
  });

  it.each([
    ['GET', '/customers/:customer_id'],
    ['POST', '/customers/:customer_id/charges'],
  ])('fails with 1002 in every form, always with the same description: %s %s', async (method, path) => {
    const route = routes.find(each => each.method === method && each.path === path) as Route;
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
    const answers = await Promise.all([
      ...wrongCredentials.map(authorization => call(route, authorization)),
      call(route, basic(own.private_key), { origin: productionOrigin }),
      call(route, basic(own.private_key), { merchant: other.id }),
    ]);
    expect(new Set(answers.map(answer => expectError(answer, 401, 1002))).size).toBe(1);
  });
});

const withIds = routes
  .filter(({ path }) => path.includes(':'))
  .map(each => [`${each.method} ${each.path}`, each] as const);

it.each(withIds)(
  '%s: 1005 for an ID of another merchant, an unknown ID and impossible IDs, with any body',
  async (_, route) => {
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
      expectError(await call(route, key, { id }), 404, 1005);
    }
  },
);

it('paths below /sandbox do not exist in production: they fail with 1005 even with a valid key', async () => {
  const isRefused = (route: Route) => refusal('private key: active', fieldOf(route), 'production') !== undefined;
  expect(routes.filter(isSandboxOnly)).toEqual(routes.filter(isRefused));
  const { id: merchant, private_key } = api.merchants().production;
  for (const route of routes.filter(isSandboxOnly))
    expectError(await call(route, basic(private_key), { merchant, origin: productionOrigin }), 404, 1005);
});

it('exactly the routes for the public key allow cross-origin requests from browsers', () => {
  expect(routes.filter(({ path }) => allowsBrowsers(path))).toEqual(
    routes.filter(route => !refusal('public key: active', fieldOf(route))),
  );
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
      `{ it: customers(limit: 5) { nodes { ${customerFields} } } }`,
    );
    expect(field.body.data.it.nodes).toEqual(list.body);
    const [merchant, same] = await both(
      ['GET', ''],
      '{ it: merchant { id name email phone website support_email support_phone logo colour subscription_emails max_installments payer_actions payer_emails status suspended_at suspension_reason bank_account { bank type number } pending_bank_account { bank } balance available reserve customers_balance creation_date } }',
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
  ] as const)('refuse the same input: %s', async (_, restCall, field, customer, code) => {
    const query = `mutation($customer: CreateCustomer!) { ${field}(customer: $customer) { id } }`;
    const [rest, graphql] = await both(restCall, query, { customer });
    expect([errorOf(rest), errorOf(graphql)]).toEqual([code, code]);
  });

  it('refuse equally: 1003 for filters, 1005 for missing resources, 1010 for the public key', async () => {
    const [rest, graphql] = await both(['GET', '/customers?limit=1001'], '{ customers(limit: 1001) { nodes { id } } }');
    expect([errorOf(rest), errorOf(graphql)]).toEqual([1003, 1003]);
    const [day, sameDay] = await both(
      ['GET', '/customers?creation=2026-02-30'],
      '{ customers(creation: "2026-02-30") { nodes { id } } }',
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
