/** Rate limits per key, per merchant and per address. They are so low that every machine exceeds them. */
import { freezeClock } from '../../harness/flow/frozenClock';
import { until } from '../../harness/flow/until';
import { bearer, testSessions } from '../../harness/merchant/sessions';
import { type ApiResponse, basic, sendRequest, testApi } from '../../harness/servers/api';

type Api = ReturnType<typeof testApi>;

const together = (count: number, send: (i: number) => Promise<ApiResponse>): Promise<ApiResponse[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => send(i)));
const withStatus = (answers: ApiResponse[], status: number): ApiResponse[] =>
  answers.filter(answer => answer.status === status);
function calls(api: Api, name: 'own' | 'other' = 'own') {
  const { id, private_key, public_key } = api.merchants()[name];
  const url = `${api.origin()}/v1/${id}`;
  const read = (path = '') => sendRequest(`${url}${path}`, 'GET', { key: private_key });
  const post = (path: string, body: object, key = private_key) => sendRequest(`${url}${path}`, 'POST', { key, body });
  return { url, public_key, read, post };
}

const byWork = testApi({ limits: { LIMIT_REQUESTS_PER_SECOND: 100 } });

describe('a private key', () => {
  const api = testApi({ limits: { LIMIT_REQUESTS_PER_SECOND: 10 } });

  it('receives the number of remaining requests with every response', async () => {
    const { headers } = await calls(api).read();
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map(name => headers.get(`ratelimit-${name}`));
    expect(limit).toBe('20');
    expect(Number(remaining)).toBeLessThan(20);
    expect(Number(reset)).toBeGreaterThanOrEqual(1);
  });

  it('that exceeds its rate limit fails with 1011 and Retry-After, and another key is not affected', async () => {
    const answers = await together(600, () => calls(api).read());
    expect(withStatus(answers, 200).length).toBeGreaterThanOrEqual(19);
    const [refused] = withStatus(answers, 429);
    expect(refused?.body).toMatchObject({ error_code: 1011, http_code: 429, category: 'request' });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await calls(api, 'other').read()).status).toBe(200);
  });

  it('consumes its rate limit by the number of records of a list', async () => {
    const { read } = calls(api, 'other');
    expect((await read('/events?limit=100')).status).toBe(200);
    expect((await read('/events?limit=1000')).body).toMatchObject({ error_code: 1011 });
  });
});

it('statistics and searches consume as many requests in REST as in GraphQL', async () => {
  for (const path of ['/stats', '/search?text=maria']) {
    const { headers } = await calls(byWork).read(path);
    const [limit, remaining] = ['limit', 'remaining'].map(name => Number(headers.get(`ratelimit-${name}`)));
    expect([path, limit, Number(remaining) <= 200 - 13]).toEqual([path, 200, true]);
  }
});

describe('the remaining budget in a GraphQL response', () => {
  const api = testApi({ limits: { LIMIT_REQUESTS_PER_SECOND: 100 } });
  const remaining = async (query: string): Promise<number> =>
    (await api.graphql(query)).body.extensions.cost.budget.remaining;

  it('decreases by the complexity of the document', async () => {
    // The initial level of the bucket does not matter, because it is not refilled while a request is counted.
    expect(await remaining('{ merchant { id } }')).toBeLessThanOrEqual(199);
    const heavy = '{ customers(limit: 1000) { nodes { id name email status creation_date phone_number last_name } } }';
    // 7,001 fields: one request, plus one request for every 200 fields.
    expect(await remaining(heavy)).toBeLessThanOrEqual(200 - 1 - 35);
  });
});

describe('an invalid GraphQL document', () => {
  const limits = { LIMIT_REQUESTS_PER_SECOND: 20, LIMIT_TOKENS_PER_SECOND: 20, LIMIT_TOKENS_AT_ONCE: 40 };
  const api = testApi({ limits });
  const { newSession } = testSessions(api);
  const withKey = (name: 'own' | 'other') => ({ authorization: basic(api.merchants()[name].private_key) });

  it.each([
    ['of a session', '/graphql', '{ merchant { nothing } }', async () => bearer((await newSession()).token)],
    ['with an unknown value', '/graphql', '{ customers(sort: nothing) { nodes { id } } }', async () => withKey('own')],
    ['for a stream', '/graphql/stream', 'subscription { nothing }', async () => withKey('other')],
  ])('%s counts as more than one request', async (_, path, query, credentials) => {
    const headers = await credentials();
    const statuses: number[] = [];
    // Fewer than the burst, so that they are only refused if they count as more.
    while (statuses.length < 38 && !statuses.includes(429))
      statuses.push((await sendRequest(`${api.origin()}${path}`, 'POST', { headers, body: { query } })).status);
    expect(statuses).toContain(429);
  });
});

describe('a merchant', () => {
  const api = testApi({
    limits: { LIMIT_WRITES_PER_SECOND: 1, LIMIT_TOKENS_PER_SECOND: 1, LIMIT_TOKENS_AT_ONCE: 20 },
  });
  const card = {
    card_number: '4111111111111111',
    holder_name: 'A',
    expiration_year: '69',
    expiration_month: '12',
    cvv2: '123',
  };

  it('that exceeds its write limit can still read, and refused requests changed nothing', async () => {
    const { read, post } = calls(api);
    const answers = await together(100, i => post('/customers', { name: `A${i}`, email: 'a@example.com' }));
    expect(withStatus(answers, 429)[0]?.body.description).toMatch(/write/);
    expect((await read('/customers?limit=100')).body).toHaveLength(withStatus(answers, 201).length);
  });

  it('has a lower limit with its public key', async () => {
    const { post, public_key } = calls(api);
    const answers = await together(200, () => post('/tokens', card, public_key));
    expect(withStatus(answers, 201).length).toBeGreaterThanOrEqual(20);
    expect(withStatus(answers, 429)[0]?.body).toMatchObject({ error_code: 1011 });
  });

  it('can repeat a refused request with the same Idempotency-Key', async () => {
    const { url } = calls(api, 'other');
    const { private_key: key } = api.merchants().other;
    const create = (i: number) => {
      const body = { name: `A${i}`, email: 'a@example.com' };
      return sendRequest(`${url}/customers`, 'POST', { key, body, headers: { 'idempotency-key': `k${i}` } });
    };
    const answers = await together(30, create);
    const refused = answers.findIndex(({ status }) => status === 429);
    expect(refused).not.toBe(-1);
    let repeated = await create(refused);
    while (repeated.status === 429) {
      await new Promise(resolve => setTimeout(resolve, Number(repeated.headers.get('retry-after')) * 1000));
      repeated = await create(refused);
    }
    expect(repeated).toMatchObject({ status: 201, body: { name: `A${refused}` } });
  });
});

describe('an address', () => {
  const api = testApi({ limits: { LIMIT_WRONG_KEYS_PER_MINUTE: 10 } });

  it('with wrong keys is slowed down, but not for requests with a valid key', async () => {
    const { url, read } = calls(api);
    const guess = (i: number) =>
      sendRequest(url, 'GET', { headers: { authorization: basic(`sk_${String(i).padStart(32, '0')}`) } });
    const answers = await together(200, guess);
    expect(withStatus(answers, 401).length).toBeGreaterThanOrEqual(9);
    expect(withStatus(answers, 429)[0]?.body).toMatchObject({ error_code: 1011 });
    expect((await read()).status).toBe(200);
    // Without a key there is nothing to guess.
    expect((await sendRequest(url, 'GET', {})).status).toBe(401);
  });
});

describe('a GraphQL document', () => {
  const api = testApi({ limits: { LIMIT_CARDS_PER_SECOND: 5, LIMIT_READS_PER_SECOND: 20, LIMIT_LIVE_STREAMS: 2 } });
  const errorsOf = ({ body }: ApiResponse) => body.errors?.map((error: Errors) => error.extensions.error_code);
  interface Errors {
    extensions: { error_code: number };
  }

  it('counts as many requests as it has mutations', async () => {
    // The refill of a second would add to the tokens that the process already holds.
    freezeClock();
    const token =
      '(token: {holder_name: "A", card_number: "4111111111111111", cvv2: "123", expiration_month: "12", expiration_year: "69"})';
    const tokens = (count: number) =>
      `mutation { ${Array.from({ length: count }, (_, i) => `t${i}: createToken${token} { id }`).join(' ')} }`;
    expect((await api.graphql(tokens(2))).status).toBe(200);
    const refused = await api.graphql(tokens(11));
    expect([refused.status, errorsOf(refused), refused.headers.get('retry-after')]).toEqual([429, [1011], '1']);
    expect(await api.database.db().token.count({ where: api.ownRows() })).toBe(2);
  });

  it('counts by its complexity', async () => {
    const list = (first: number) => `{ charges(first: ${first}) { edges { node { id amount status } } } }`;
    expect((await api.graphql(list(10))).status).toBe(200);
    expect(
      errorsOf(await api.graphql(`{ ${'abc'.replace(/./g, letter => `${letter}: ${list(1000).slice(2, -2)} `)} }`)),
    ).toEqual([1011]);
  });

  it('with live events counts against a maximum of open streams', async () => {
    const key = api.merchants().own.private_key;
    const open = () => {
      const leave = new AbortController();
      const headers = { authorization: basic(key), 'content-type': 'application/json' };
      const body = JSON.stringify({ query: 'subscription { events { id } }' });
      const answer = fetch(`${api.origin()}/graphql/stream`, { method: 'POST', headers, body, signal: leave.signal });
      return { answer, leave };
    };
    const streams = [open(), open()];
    for (const { answer } of streams) expect((await answer).status).toBe(200);
    const third = await open().answer;
    expect([third.status, third.headers.get('retry-after')]).toEqual([429, '1']);
    streams[0]?.leave.abort();
    await until(async () => (await open().answer).status === 200);
    streams[1]?.leave.abort();
  });
});
