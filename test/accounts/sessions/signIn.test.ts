/** A page of this service signs in with a private key, and then works with a session cookie. */
import fastify from 'fastify';
import { hashKey } from '../../../src/accounts/merchants/keys';
import { readSessionCookie, sendSessionCookie } from '../../../src/api/sessions/cookie';
import { eventually, until } from '../../harness/flow/until';
import { PAGE } from '../../harness/merchant/sessions';
import { type ApiResponse, errorOf, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();
const db = () => api.database.db();
const refusal = (answer: ApiResponse) => [answer.status, errorOf(answer)];
const MERCHANT = { query: '{ merchant { id } }' };
/** The headers that a browser sends for a page of this service. */
const ownPage = () => ({ origin: api.origin(), 'sec-fetch-site': 'same-origin' });
const call = (method: string, path: string, headers: Record<string, string>, body?: object) =>
  sendRequest(`${api.origin()}${path}`, method, { headers, ...(body && { body }) });
const signIn = (body: object = {}, headers: Record<string, string> = ownPage()) =>
  call('POST', '/session', headers, { private_key: api.merchants().own.private_key, ...body });
const cookieOf = ({ headers }: ApiResponse) => headers.get('set-cookie') ?? '';
const newCookie = async (body: object = {}) => ({ cookie: cookieOf(await signIn(body)).split(';')[0] ?? '' });

it('returns a cookie that scripts cannot read and other sites cannot send, and no token', async () => {
  const answer = await signIn();
  expect(answer.status).toBe(201);
  const { own } = api.merchants();
  expect(answer.body).toMatchObject({ merchant_id: own.id, environment: 'sandbox', scope: ['read'] });
  expect(answer.body.origins).toEqual([api.origin()]);
  expect(answer.text).not.toMatch(/[sp][kt]_[0-9a-f]{32}/);
  expect(cookieOf(answer)).toMatch(
    /^session_sandbox=st_[0-9a-f]{32}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
  );
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const { id } = await db().apiKey.findUniqueOrThrow({ where: { hash: hashKey(own.private_key, api.secret) } });
  const [entry] = await db().auditEntry.findMany({ where: { object_id: answer.body.id } });
  expect(entry).toMatchObject({ action: 'session.created', actor: 'key', actor_id: id });
  expect(api.lines().join('')).not.toContain(own.private_key);
});

it('the cookie works over REST and GraphQL, is read-only by default, and names the person who signed in', async () => {
  const cookie = await newCookie();
  const headers = { ...ownPage(), ...cookie };
  const { id } = api.merchants().own;
  expect((await call('POST', '/graphql', headers, MERCHANT)).body.data.merchant.id).toBe(id);
  // Browsers send no Origin with these requests.
  const { origin: _, ...get } = headers;
  expect((await call('GET', `/v1/${id}/customers`, get)).status).toBe(200);
  expect((await call('GET', '/session', get)).body).toMatchObject({ merchant_id: id, scope: ['read'] });
  const plan = { query: 'mutation { createPlan { id } }' };
  expect(refusal(await call('POST', '/graphql', headers, plan))).toEqual([403, 1010]);
  const all = { ...ownPage(), ...(await newCookie({ scope: 'all' })) };
  expect(refusal(await call('POST', '/graphql', all, plan))).toEqual([400, 1001]);
  expect(refusal(await call('POST', '/graphql', all, { query: 'mutation { createKey { id } }' }))).toEqual([403, 1010]);
});

it('the cookie is refused from pages of other sites and without Sec-Fetch-Site', async () => {
  const cookie = await newCookie({ scope: 'all' });
  const foreign: Record<string, string>[] = [
    { origin: PAGE },
    { origin: PAGE, 'sec-fetch-site': 'cross-site' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { origin: api.origin(), 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'none' },
    {},
  ];
  for (const headers of foreign) {
    expect(refusal(await call('POST', '/graphql', { ...headers, ...cookie }, MERCHANT))).toEqual([403, 1010]);
    expect(refusal(await call('DELETE', '/session', { ...headers, ...cookie }))).toEqual([403, 1010]);
  }
  expect((await call('POST', '/graphql', { ...ownPage(), ...cookie }, MERCHANT)).status).toBe(200);
});

it('signing out revokes the session and deletes the cookie, also when it is repeated', async () => {
  const cookie = await newCookie();
  const headers = { ...ownPage(), ...cookie };
  const { id } = (await call('GET', '/session', headers)).body;
  for (const _ of [1, 2]) {
    const answer = await call('DELETE', '/session', headers);
    expect([answer.status, cookieOf(answer)]).toEqual([204, expect.stringMatching(/^session_sandbox=; .*Max-Age=0;/)]);
    await eventually(async () => expect(refusal(await call('GET', '/session', headers))).toEqual([401, 1002]));
  }
  const entries = await db().auditEntry.findMany({ where: { object_id: id }, orderBy: { id: 'asc' } });
  expect(entries.map(({ action, actor }) => [action, actor])).toEqual([
    ['session.created', 'key'],
    ['session.revoked', 'session'],
  ]);
});

it('under https the cookie is Secure and has the __Host- prefix, so that other hosts of the domain cannot set it', async () => {
  const owner = { environment: 'production', publicUrl: 'https://pay.example' } as const;
  const server = fastify();
  server.get('/', async (request, reply) => {
    sendSessionCookie(owner, reply, 'new', new Date(Date.now() + 90_000));
    return readSessionCookie(owner, request);
  });
  const cookie = 'session_production=planted; session_sandbox=other; __Host-session_production=own';
  const { body, headers } = await server.inject({ url: '/', headers: { cookie } });
  expect(body).toBe('own');
  expect(headers['set-cookie']).toMatch(
    /^__Host-session_production=new; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/,
  );
});

describe('signing in is refused', () => {
  it('with 1010 from a page of another origin, with any key', async () => {
    const foreign: Record<string, string>[] = [
      {},
      { origin: PAGE },
      { origin: 'null' },
      { origin: PAGE, 'sec-fetch-site': 'cross-site' },
      { origin: api.origin(), 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of foreign)
      for (const private_key of [api.merchants().own.private_key, 'sk_0']) {
        const answer = await signIn({ private_key }, headers);
        expect([...refusal(answer), cookieOf(answer)]).toEqual([403, 1010, '']);
      }
  });

  it.each<[string, object, number]>([
    ['a wrong key', { private_key: `sk_${'0'.repeat(32)}` }, 1002],
    ['no key at all', { private_key: '' }, 1002],
    ['a key that is not a string', { private_key: 5 }, 1001],
    ['an unknown scope', { scope: ['everything'] }, 1003],
    ['a scope that is not a list', { scope: { all: true } }, 1001],
    ['more than a day', { minutes: 1441 }, 1003],
    ['half a minute', { minutes: 0.5 }, 1001],
  ])('for %s', async (_, body, code) => {
    const answer = await signIn(body);
    expect([errorOf(answer), cookieOf(answer)]).toEqual([code, '']);
  });

  it('for a key of the other environment (1002) and for a public key (1010)', async () => {
    const { own, production } = api.merchants();
    expect(refusal(await signIn({ private_key: production.private_key }))).toEqual([401, 1002]);
    expect(refusal(await signIn({ private_key: own.public_key }))).toEqual([403, 1010]);
  });

  it('for an invalid body', async () => {
    for (const body of ['', '[]', '{', 'null'])
      expect(errorOf(await sendRequest(`${api.origin()}/session`, 'POST', { headers: ownPage(), body }))).toBe(1001);
  });

  it('with write access for a read-only key', async () => {
    const { key } = (await api.rest('POST', '/keys', { body: { kind: 'private', read_only: true } })).body;
    await until(async () => (await signIn({ private_key: key })).status === 201);
    expect(refusal(await signIn({ private_key: key, scope: ['createPlan'] }))).toEqual([403, 1010]);
  });
});
