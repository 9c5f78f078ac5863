/** The client that the documentation names, in its mode of one connection, while its requests reach two servers. */
import { createClient } from 'graphql-sse';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { until } from '../../harness/flow/until';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { bearer, testSessions } from '../../harness/merchant/sessions';
import { testApi } from '../../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const { newSession } = testSessions(api);

it('follows several subscriptions, without requests being kept to the server that has the connection', async () => {
  const origins = [api.origin(), await api.startAnother()];
  const { token } = await newSession();
  const reached = new Map<string, Set<string>>();
  let turn = 0;
  const client = createClient({
    url: 'http://proxy.example/graphql/stream',
    singleConnection: true,
    headers: bearer(token),
    fetchFn: (url: string | URL, options: RequestInit = {}) => {
      const origin = origins[turn++ % origins.length] ?? '';
      const { method = 'GET' } = options;
      reached.set(method, (reached.get(method) ?? new Set()).add(origin));
      return fetch(String(url).replace('http://proxy.example', origin), options);
    },
  });
  atTheEnd(() => client.dispose());
  const seen: Record<string, string[]> = {};
  const problems: unknown[] = [];
  const follow = (type: string): (() => void) => {
    seen[type] = [];
    const query = 'subscription ($types: [String!]) { events(types: $types) { object_id } }';
    return client.subscribe<{ events: { object_id: string } }>(
      { query, variables: { types: [type] } },
      {
        next: ({ data }) => void seen[type]?.push(data?.events.object_id ?? ''),
        error: error => void problems.push(error),
        complete: () => undefined,
      },
    );
  };
  const stops = ['charge.succeeded', 'charge.refunded', 'charge.failed'].map(follow);
  const operations = () => api.database.db().liveOperation.count();
  await until(async () => (await operations()) === 3);
  const id = await shop.newCharge(await shop.newToken());
  await shop.post(`/charges/${id}/refund`, {});
  await until(() => seen['charge.refunded']?.length === 1 && seen['charge.succeeded']?.length === 1);
  expect(seen).toEqual({ 'charge.succeeded': [id], 'charge.refunded': [id], 'charge.failed': [] });
  stops[1]?.();
  await until(async () => (await operations()) === 2);
  const next = await shop.newCharge(await shop.newToken());
  await shop.post(`/charges/${next}/refund`, {});
  await until(() => seen['charge.succeeded']?.length === 2);
  expect([seen['charge.refunded'], problems]).toEqual([[id], []]);
  expect(reached.get('POST')?.size).toBe(2);
});
