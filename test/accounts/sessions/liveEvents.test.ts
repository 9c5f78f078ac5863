/** Live events of sessions, with the client that the documentation names. */
import { createClient } from 'graphql-sse';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { until } from '../../harness/flow/until';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { bearer, PAGE, testSessions } from '../../harness/merchant/sessions';
import { errorOf, testApi } from '../../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const { newSession } = testSessions(api);
const query = 'subscription ($types: [EventType!]) { events(types: $types) { object_id } }';
const pay = async (): Promise<string> => shop.newCharge(await shop.newToken());

type Headers = Record<string, string>;
const send = (headers: Headers, method = 'POST', origin = api.origin()) =>
  fetch(`${origin}/graphql/stream`, { method, headers, ...(method === 'POST' && { body: JSON.stringify({ query }) }) });

it('the stream delivers several subscriptions of one client, each with its own events', async () => {
  const { token } = await newSession();
  let begun = 0;
  const client = createClient({
    url: `${api.origin()}/graphql/stream`,
    headers: bearer(token),
    fetchFn: async (...request: Parameters<typeof fetch>) => {
      const response = await fetch(...request);
      if (response.status === 200) begun++;
      return response;
    },
  });
  atTheEnd(() => client.dispose());
  const seen: Record<string, string[]> = {};
  const problems: unknown[] = [];
  const follow = (type: string): (() => void) => {
    const received: string[] = [];
    seen[type] = received;
    return client.subscribe<{ events: { object_id: string } }>(
      { query, variables: { types: [type] } },
      {
        next: ({ data }) => void received.push(data?.events.object_id ?? ''),
        error: error => void problems.push(error),
        complete: () => undefined,
      },
    );
  };
  const stops = ['charge_succeeded', 'charge_refunded', 'charge_failed'].map(follow);
  await until(() => begun === 3);
  const id = await pay();
  await shop.post(`/charges/${id}/refund`, {});
  await until(() => seen.charge_refunded?.length === 1 && seen.charge_succeeded?.length === 1);
  expect(seen).toEqual({ charge_succeeded: [id], charge_refunded: [id], charge_failed: [] });
  stops[1]?.();
  const next = await pay();
  await shop.post(`/charges/${next}/refund`, {});
  await until(() => seen.charge_succeeded?.length === 2);
  expect([seen.charge_refunded, problems]).toEqual([[id], []]);
});

it('pages of the session read them until it ends, and every process then closes the stream with the reason', async () => {
  const { id, token } = await newSession();
  const streams = await Promise.all([api.origin(), await api.startAnother()].map(o => send(bearer(token), 'POST', o)));
  for (const { status, headers } of streams)
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, PAGE]);
  expect((await api.rest('DELETE', `/sessions/${id}`)).status).toBe(204);
  for (const stream of streams) {
    const text = await stream.text();
    expect(text).toContain('"error_code":1002');
    expect(text).toContain('event: complete');
  }
});

it('other origins are refused, and so is a session for a single customer', async () => {
  const { token } = await newSession();
  expect((await send(bearer(token, 'https://evil.example'))).status).toBe(403);
  const { token: ofCustomer } = await newSession({ customer_id: await shop.newCustomer() });
  const answer = await send(bearer(ofCustomer));
  expect([answer.status, errorOf({ body: await answer.json() } as never)]).toEqual([403, 1010]);
});

it.each(['GET', 'PUT', 'DELETE'])('%s is refused', async method => {
  const { token } = await newSession();
  const { status, headers } = await send(bearer(token), method);
  expect([status, headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
});
