/** Only pages of a session's origins may call GraphQL with its token. Private and operator keys are refused from pages. */
import { eventually, until } from '../../harness/flow/until';
import { testOperators } from '../../harness/merchant/operators';
import { bearer, PAGE, testSessions } from '../../harness/merchant/sessions';
import { type ApiResponse, basic, errorOf, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();
const { newSession, queryGraphql } = testSessions(api);
const { keys } = testOperators(api);
const OTHER = 'https://evil.example';
const PATHS = ['/graphql', '/graphql/stream'];
const MERCHANT = '{ merchant { id } }';
const refusal = (answer: ApiResponse) => [answer.status, errorOf(answer)];
const allowed = ({ headers }: { headers: Headers }) => headers.get('access-control-allow-origin');
const preflight = (path: string, origin?: string, server = api.origin()) =>
  fetch(`${server}${path}`, {
    method: 'OPTIONS',
    headers: { ...(origin && { origin }), 'access-control-request-method': 'POST' },
  });

describe('a CORS preflight', () => {
  it.each(PATHS)('%s allows the origins of sessions and can be cached for hours', async path => {
    await newSession();
    const { status, headers } = await preflight(path, PAGE);
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(PAGE);
    expect(headers.get('vary')).toBe('Origin');
    expect(headers.get('access-control-allow-methods')).toContain('POST');
    expect(headers.get('access-control-allow-headers')).toContain('Authorization');
    expect(Number(headers.get('access-control-max-age'))).toBeGreaterThanOrEqual(3600);
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  it.each(PATHS)('%s refuses every other origin', async path => {
    // Only this test uses this origin: other files may create production sessions for the usual origin.
    const inSandbox = 'https://sandbox-only.example';
    await newSession({ origins: [PAGE, inSandbox] });
    const production = await api.startProduction();
    for (const [origin, server] of [
      [OTHER],
      [`${PAGE}.evil.example`],
      ['null'],
      [undefined],
      [inSandbox, production],
    ] as const) {
      const answer = await preflight(path, origin, server);
      expect([answer.status, allowed(answer)]).toEqual([403, null]);
    }
  });
});

describe('a session', () => {
  it('works from each of its origins, with CORS headers', async () => {
    const { token } = await newSession({ origins: [PAGE, 'https://second.example'] });
    for (const origin of [PAGE, 'https://second.example']) {
      const answer = await queryGraphql(token, MERCHANT, {}, origin);
      expect([answer.status, allowed(answer), answer.headers.get('vary')]).toEqual([200, origin, 'Origin']);
      expect(answer.headers.get('access-control-expose-headers')).toContain('Request-Id');
    }
  });

  it('fails with 1010 from another origin or without one, over GraphQL and REST', async () => {
    const { token } = await newSession();
    for (const origin of [OTHER, 'null', '']) {
      const answer = await queryGraphql(token, MERCHANT, {}, origin);
      expect([...refusal(answer), allowed(answer)]).toEqual([403, 1010, null]);
      const headers = bearer(token, origin);
      const { id } = api.merchants().own;
      expect(refusal(await sendRequest(`${api.origin()}/v1/${id}/customers`, 'GET', { headers }))).toEqual([403, 1010]);
    }
  });

  it('gets a readable 401 without a password prompt when it has ended', async () => {
    const { id, token } = await newSession();
    await api.rest('DELETE', `/sessions/${id}`);
    await eventually(async () => {
      const answer = await queryGraphql(token, MERCHANT);
      expect([...refusal(answer), allowed(answer)]).toEqual([401, 1002, PAGE]);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /);
    });
    const elsewhere = await queryGraphql(token, MERCHANT, {}, OTHER);
    expect([...refusal(elsewhere), allowed(elsewhere)]).toEqual([401, 1002, null]);
  });

  it('works over REST for its own merchant only', async () => {
    const { token } = await newSession();
    const { own, other } = api.merchants();
    const read = (id: string) => sendRequest(`${api.origin()}/v1/${id}/customers`, 'GET', { headers: bearer(token) });
    expect([(await read(own.id)).status, allowed(await read(own.id))]).toEqual([200, null]);
    expect(refusal(await read(other.id))).toEqual([401, 1002]);
  });

  it.each([
    ['the token with a password', (token: string) => basic(token)],
    ['an unknown token', () => `Bearer st_${'0'.repeat(32)}`],
    ['a token in upper case', (token: string) => `Bearer ${token.toUpperCase()}`],
    ['a private key as a token', () => `Bearer ${api.merchants().own.private_key}`],
  ])('fails with 1002 for %s', async (_, authorization) => {
    const { token } = await newSession();
    const headers = { origin: PAGE, authorization: authorization(token) };
    const answer = await sendRequest(`${api.origin()}/graphql`, 'POST', { headers, body: { query: MERCHANT } });
    expect(refusal(answer)).toEqual([401, 1002]);
  });
});

describe('a key sent with an Origin header', () => {
  it.each([...PATHS, 'REST'])(
    'fails with 1010 at %s, even from the origin of a session, if it is private',
    async path => {
      await newSession();
      const { id, private_key: key } = api.merchants().own;
      for (const origin of [OTHER, PAGE, api.origin()]) {
        const headers = { origin };
        const body = { query: path === '/graphql' ? MERCHANT : 'subscription { events { id } }' };
        const answer =
          path === 'REST'
            ? await sendRequest(`${api.origin()}/v1/${id}`, 'GET', { key, headers })
            : await sendRequest(`${api.origin()}${path}`, 'POST', { key, headers, body });
        expect(refusal(answer)).toEqual([403, 1010]);
      }
    },
  );

  it('fails with 1010 if it is an operator key', async () => {
    const options = { key: keys.admin.key, headers: { origin: PAGE }, body: { query: '{ operatorKeys { id } }' } };
    expect(refusal(await sendRequest(`${api.origin()}/graphql`, 'POST', options))).toEqual([403, 1010]);
  });

  it('creates tokens from any origin if it is a public key', async () => {
    const { id, public_key: key } = api.merchants().own;
    const answer = await sendRequest(`${api.origin()}/v1/${id}/tokens`, 'POST', {
      key,
      headers: { origin: OTHER },
      body: {},
    });
    expect([...refusal(answer), allowed(answer)]).toEqual([400, 1001, '*']);
  });
});

it('a session that may not call a mutation returns 1010, and says whether it is read-only or its scope lacks it', async () => {
  const mutation = 'mutation { createCustomer(customer: { name: "Ana", email: "ana@example.com" }) { id } }';
  const refused = async (session: object) => {
    const { token } = await newSession(session);
    const answer = await queryGraphql(token, mutation);
    const { message, extensions } = answer.body.errors[0];
    return [...refusal(answer), extensions.code, extensions.problem, message];
  };
  expect(await refused({})).toEqual([
    ...[403, 1010, 'private_key_needed', 'not_permitted'],
    'This session is read-only and does not permit this operation',
  ]);
  expect(await refused({ scope: ['createPlan'] })).toEqual([
    ...[403, 1010, 'private_key_needed', 'session_scope'],
    'The scope of this session does not include this operation',
  ]);
});

it('a session that has ended returns 1002 and says so, over GraphQL and REST; other tokens are only unknown', async () => {
  const { id, token } = await newSession();
  await api.rest('DELETE', `/sessions/${id}`);
  await until(async () => (await queryGraphql(token, MERCHANT)).status === 401);
  const { body } = await queryGraphql(token, MERCHANT);
  const said = 'The session has ended: sign in again, or create a new session';
  expect(body.errors).toMatchObject([
    { message: said, extensions: { code: 'not_authenticated', problem: 'session_ended', error_code: 1002 } },
  ]);
  const rest = await sendRequest(`${api.origin()}/v1/${api.merchants().own.id}`, 'GET', { headers: bearer(token) });
  expect([rest.status, rest.body]).toEqual([401, expect.objectContaining({ error_code: 1002, description: said })]);
  const unknown = (await queryGraphql(`st_${'0'.repeat(32)}`, MERCHANT)).body.errors[0];
  expect([unknown.message, unknown.extensions.problem]).toEqual([
    'The API key is missing or invalid',
    'not_authenticated',
  ]);
});
