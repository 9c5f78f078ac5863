/** The rate limits of sessions are separate from those of the private key. */
import { until } from '../../harness/flow/until';
import { bearer, testSessions } from '../../harness/merchant/sessions';
import { basic, errorOf, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi({ limits: { LIMIT_READS_PER_SECOND: 2, LIMIT_LIVE_STREAMS: 1 } });
const { newSession, queryGraphql } = testSessions(api);

it('requests of sessions beyond their rate limit fail with 1011, while requests with the private key succeed', async () => {
  const sessions = await Promise.all([newSession(), newSession()]);
  await until(async () => {
    const answers = await Promise.all(
      sessions.flatMap(({ token }) => [1, 2, 3].map(() => queryGraphql(token, '{ merchant { id } }'))),
    );
    return answers.some(answer => errorOf(answer) === 1011);
  });
  expect((await api.rest('GET', '/customers')).status).toBe(200);
});

it('a rate limit does not prevent signing out', async () => {
  const headers = { origin: api.origin(), 'sec-fetch-site': 'same-origin' };
  const { private_key } = api.merchants().own;
  const signedIn = await sendRequest(`${api.origin()}/session`, 'POST', { headers, body: { private_key } });
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const call = (method: string) => sendRequest(`${api.origin()}/session`, method, { headers: { ...headers, cookie } });
  await until(async () => (await Promise.all([1, 2, 3, 4, 5, 6].map(() => call('GET')))).some(is => is.status === 429));
  expect((await call('DELETE')).status).toBe(204);
  await until(async () => (await call('GET')).status === 401);
});

it('live streams of sessions do not count against the limit of the private key', async () => {
  const { token } = await newSession();
  const open = (headers: Record<string, string>) =>
    fetch(`${api.origin()}/graphql/stream`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query: 'subscription { events { id } }' }),
    });
  let stream = await open(bearer(token));
  await until(async () => {
    if (stream.status !== 200) stream = await open(bearer(token));
    return stream.status === 200;
  });
  await until(async () => (await open(bearer(token))).status === 429);
  const ofKey = await open({ authorization: basic(api.merchants().own.private_key) });
  expect(ofKey.status).toBe(200);
  await Promise.all([stream.body?.cancel(), ofKey.body?.cancel()]);
});
