/**
 * Every entry point refuses a caller before it reads a body, a query or the database, before it stores an
 * Idempotency-Key and before it opens a stream. Which callers are refused is in test/schema/permissions.test.ts.
 */
import { Client } from 'pg';
import { newId } from '../../src/platform/identifiers';
import { visa } from '../harness/cards/testCards';
import { atTheEnd } from '../harness/flow/atTheEnd';
import { eventually } from '../harness/flow/until';
import { testKeys } from '../harness/merchant/keys';
import { merchantCalls } from '../harness/merchant/merchantCalls';
import { testOperators } from '../harness/merchant/operators';
import { bearer, testSessions } from '../harness/merchant/sessions';
import { basic, errorOf, testApi } from '../harness/servers/api';

type Headers = Record<string, string>;
type Answer = [status: number, error_code?: number];
type Call = (headers: Headers, ids: Record<'plan', string>) => Promise<Answer>;

const api = testApi();
const shop = merchantCalls(api);
const { keys } = testOperators(api);
const { newKey, works } = testKeys(api);
const { newSession } = testSessions(api);
const db = () => api.database.db();
const PRIVATE_KEY_NEEDED: Answer = [403, 1010];

/** Closes a stream at once if it opens despite the guard. */
async function send(method: string, path: string, headers: Headers, body?: unknown): Promise<Answer> {
  const closing = new AbortController();
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const { signal } = closing;
  const response = await fetch(`${api.origin()}${path}`, { method, headers, signal, ...(text && { body: text }) });
  const isRefused = response.status >= 400;
  const error = isRefused ? errorOf({ body: await response.json() } as never) : undefined;
  closing.abort();
  return [response.status, ...(error === undefined ? [] : [error])] as Answer;
}
const rest = (method: string, path: string, headers: Headers, body?: unknown): Promise<Answer> =>
  send(method, `/v1/${api.merchants().own.id}${path}`, headers, body);

const withKey = { 'idempotency-key': 'guard first' };
const stored = { where: { key: withKey['idempotency-key'] } };
const csv = { accept: 'text/csv' };
const INVALID_SUBSCRIPTION = { query: 'subscription { events(types: 7) { nothing } }' };

/** Each request also has another error, which would be found later. */
const ENTRY_POINTS: [string, Call][] = [
  ['REST: POST', headers => rest('POST', '/plans', { ...headers, ...withKey }, '{')],
  ['REST: PUT', (headers, { plan }) => rest('PUT', `/plans/${plan}`, headers, '{')],
  ['REST: GET', (headers, { plan }) => rest('GET', `/plans/${plan}`, headers)],
  ['REST: DELETE', (headers, { plan }) => rest('DELETE', `/plans/${plan}`, headers)],
  ['REST: a list', headers => rest('GET', '/plans?limit=many', headers)],
  ['REST: a list within a resource', (headers, { plan }) => rest('GET', `/webhooks/${plan}/deliveries`, headers)],
  ['REST: a streamed response', headers => rest('GET', '/statement?nothing=1', headers)],
  [
    'REST: a streamed response as CSV',
    headers => rest('GET', '/settlements/x/items?nothing=1', { ...headers, ...csv }),
  ],
  ['REST: a complete list as CSV', headers => rest('GET', '/plans?nothing=1', { ...headers, ...csv })],
  [
    'GraphQL: a query',
    (headers, { plan }) =>
      send('POST', '/graphql', headers, {
        query: `{ plan(plan_id: "${plan}") { id nothing } plans(limit: 7) { nodes { id } } }`,
      }),
  ],
  [
    'GraphQL: a mutation',
    (headers, { plan }) =>
      send(
        'POST',
        '/graphql',
        { ...headers, ...withKey },
        {
          query: 'mutation ($id: ID!, $plan: UpdatePlan!) { updatePlan(plan_id: $id, plan: $plan) { id } }',
          variables: { id: plan, plan: 7 },
        },
      ),
  ],
  ['GraphQL: a subscription', headers => send('POST', '/graphql/stream', headers, INVALID_SUBSCRIPTION)],
];

const known = { plan: '' };
const unknown = { plan: newId('plan') };
/** The callers with the fewest rights. */
const callers: Headers[] = [];

beforeAll(async () => {
  const { own } = api.merchants();
  known.plan = await shop.newPlan();
  const { token } = await newSession({ customer_id: await shop.newCustomer(), scope: ['all'] });
  callers.push({ authorization: basic(own.public_key) }, bearer(token));
});

afterEach(() => db().idempotentReply.deleteMany(stored));

const query = jest.spyOn(Client.prototype, 'query');
atTheEnd(() => query.mockRestore());
const textOf = (statement: unknown): string =>
  typeof statement === 'string' ? statement : (statement as { text: string }).text;
/** Queries without those that servers run by themselves. */
const statements = (): string[] =>
  query.mock.calls.map(([statement]) => textOf(statement)).filter(text => !/^select 1$|pg_notify|notify /i.test(text));

/** The first requests read the key or the session and fill the other caches. */
const expectNoStatement = (calls: () => Promise<unknown>) =>
  eventually(async () => {
    query.mockClear();
    await calls();
    expect(statements()).toEqual([]);
  }, 10);

it.each(ENTRY_POINTS)('%s', async (_, call) => {
  const askAll = async (): Promise<Answer[]> => {
    const answers: Answer[] = [];
    for (const headers of callers) for (const ids of [known, unknown]) answers.push(await call(headers, ids));
    return answers;
  };
  expect(await askAll()).toEqual(Array(4).fill(PRIVATE_KEY_NEEDED));
  await expectNoStatement(askAll);
  expect(await db().idempotentReply.count(stored)).toBe(0);
});

it('refuses operations of operators to merchants and to operators with a lower role', async () => {
  const { own, other } = api.merchants();
  const mutation = { query: `mutation { suspendMerchant(id: "${other.id}", reason: 7) { nothing } }` };
  const ask = async (): Promise<Answer[]> => {
    const headers = [own.private_key, own.public_key, keys.read.key].map(key => ({ authorization: basic(key) }));
    return Promise.all(headers.map(each => send('POST', '/operator/graphql', { ...each, ...withKey }, mutation)));
  };
  expect(await ask()).toEqual(Array(3).fill(PRIVATE_KEY_NEEDED));
  await expectNoStatement(ask);
  expect(await db().idempotentReply.count(stored)).toBe(0);
});

it('refuses a read-only key the stored response of a private key, although both share their Idempotency-Keys', async () => {
  const { key } = await newKey({ read_only: true });
  await works(key);
  const query = 'mutation { createCustomer(customer: { name: "Ana", email: "ana@example.com" }) { id } }';
  const repeated = { 'idempotency-key': 'repeated' };
  const ask = (authorization: string): Promise<Answer>[] => [
    rest('POST', '/customers', { authorization, ...repeated }, shop.payer),
    send('POST', '/graphql', { authorization, ...repeated }, { query }),
  ];
  expect(await Promise.all(ask(basic(api.merchants().own.private_key)))).toEqual([[201], [200]]);
  expect(await Promise.all(ask(basic(key)))).toEqual([PRIVATE_KEY_NEEDED, PRIVATE_KEY_NEEDED]);
});

it('executes no field of a document when one field is refused', async () => {
  const tokens = () => db().token.count({ where: { merchant_id: api.merchants().own.id } });
  const before = await tokens();
  const authorization = basic(api.merchants().own.public_key);
  const create = (further: string): Promise<Answer> =>
    send(
      'POST',
      '/graphql',
      { authorization },
      {
        query: `mutation ($token: CreateToken!) { createToken(token: $token) { id } ${further} }`,
        variables: { token: visa },
      },
    );
  expect(await create('deletePlan(plan_id: "p0") { id }')).toEqual(PRIVATE_KEY_NEEDED);
  expect(await tokens()).toBe(before);
  expect(await create('')).toEqual([200]);
  expect(await tokens()).toBe(before + 1);
});
