/** Events in GraphQL: the same list, nested, and live. */
import { freePort } from '../../src/embedded/savedPorts';
import { liveEvents } from '../../src/events/live';
import { merchantCalls } from '../harness/merchant/merchantCalls';
import { errorOf, testApi } from '../harness/servers/api';
import { getUntil, Program } from '../harness/servers/program';
import { apiVariables } from '../harness/servers/secrets';
import { temporalAddress } from '../harness/servers/temporal';

const api = testApi();
const shop = merchantCalls(api);
const { post } = shop;
const db = () => api.database.db();
const pay = async (): Promise<string> => shop.newCharge(await shop.newToken());

afterAll(() => Program.stopAll());

it('has the same, and nests the events of a charge', async () => {
  const id = await pay();
  const { body } = await api.graphql(
    'query ($id: ID!, $object: String) { events(object_id: $object, limit: 1) { type transaction } charge(transaction_id: $id) { events { type event_date } } }',
    { id, object: id },
  );
  expect(body.data.events).toMatchObject([{ type: 'charge.succeeded', transaction: { id } }]);
  expect(body.data.charge.events).toMatchObject([{ type: 'charge.succeeded' }]);
});

/** Reads a stream of server-sent events. */
async function stream(query: string, variables: object, key = api.merchants().own.private_key, origin = api.origin()) {
  const ending = new AbortController();
  const response = await fetch(`${origin}/graphql/stream`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
    body: JSON.stringify({ query, variables }),
    signal: ending.signal,
  });
  const got: { type: string; id: string; object_id: string }[] = [];
  const reading = (async () => {
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const data = /^event: next\ndata: (.*)$/s.exec(part)?.[1];
        if (data) got.push(JSON.parse(data).data.events);
      }
    }
  })().catch(() => undefined);
  return { response, got, reading, close: () => ending.abort() };
}
const LIVE =
  'subscription ($types: [String!], $object: String, $after: String) { events(types: $types, object_id: $object, after: $after) { id type object_id } }';

it('tells of events as they happen, by type and object, and goes on after a break', async () => {
  const all = await stream(LIVE, {});
  const refunds = await stream(LIVE, { types: ['charge.refunded'] });
  expect(all.response.headers.get('content-type')).toContain('text/event-stream');
  const id = await pay();
  await post(`/charges/${id}/refund`, { amount: 100 });
  const until = async (isSo: () => boolean) => {
    for (const deadline = Date.now() + 10_000; !isSo() && Date.now() < deadline; )
      await new Promise(done => setTimeout(done, 20));
  };
  await until(() => all.got.length >= 2 && refunds.got.length >= 1);
  expect(all.got.map(({ type }) => type)).toEqual(['charge.succeeded', 'charge.refunded']);
  expect(refunds.got).toMatchObject([{ type: 'charge.refunded', object_id: id }]);
  all.close();
  refunds.close();
  const missed = await pay();
  const again = await stream(LIVE, { after: all.got[1]?.id });
  await until(() => again.got.length >= 1);
  expect(again.got).toMatchObject([{ object_id: missed }]);
  again.close();
  await Promise.all([all.reading, refunds.reading, again.reading]);
});

it('asks no more once nobody reads, also where nothing happens', async () => {
  const events = await liveEvents({ db: db(), merchant_id: api.merchants().own.id }, { types: ['fee.succeeded'] });
  const next = events.next();
  await events.return(undefined);
  expect(await next).toEqual({ value: undefined, done: true });
});

it('asks together for all who read, and each hears of its own', async () => {
  let statements = 0;
  const counting = new Proxy(db(), {
    get(target, name) {
      if (name === '$queryRaw') statements += 1;
      return Reflect.get(target, name);
    },
  });
  const merchant_id = api.merchants().own.id;
  const begin = (types: string[]) => liveEvents({ db: counting, merchant_id }, { types });
  const paid = await Promise.all(Array.from({ length: 20 }, () => begin(['charge.succeeded'])));
  const silent = await begin(['fee.succeeded']);
  const readings = paid.map(reader => reader.next());
  const nothing = silent.next();
  statements = 0;
  const began = Date.now();
  const id = await pay();
  const heard = await Promise.all(readings);
  const rounds = Math.ceil((Date.now() - began) / 200) + 3;
  expect(statements).toBeLessThanOrEqual(rounds);
  expect(heard.map(({ value }) => value.object_id)).toEqual(Array(20).fill(id));
  await Promise.all([...paid, silent].map(reader => reader.return(undefined)));
  expect((await nothing).done).toBe(true);
});

it('ends with the server, which waits for no event', async () => {
  const port = await freePort();
  const server = new Program('api', {
    ...apiVariables,
    DATABASE_URL: api.database.url(),
    TEMPORAL_ADDRESS: temporalAddress(),
    PORT: `${port}`,
    API_KEY_SECRET: api.secret,
  });
  const origin = `http://127.0.0.1:${port}`;
  await getUntil(`${origin}/health`, 200);
  const { response, reading } = await stream(LIVE, { types: ['fee.succeeded'] }, undefined, origin);
  expect(response.status).toBe(200);
  expect(await server.stop()).toBe(0);
  await reading;
});

it('1010 with the public key, 1001 for what is no subscription, 1003 for a place that there is not', async () => {
  const codeOf = async (query: string, variables: object, key?: string) => {
    const { response } = await stream(query, variables, key);
    return response.status;
  };
  expect(await codeOf(LIVE, {}, api.merchants().own.public_key)).toBe(403);
  expect(await codeOf('{ merchant { id } }', {})).toBe(400);
  expect(await codeOf(LIVE, { after: 'e0000000000000000000' })).toBe(422);
  expect(await codeOf(LIVE, { types: ['charge.exploded'] })).toBe(422);
  expect(errorOf(await api.rest('GET', '/events?type=charge.exploded'))).toBe(1003);
  expect((await api.rest('GET', '/events?type=CHARGE.SUCCEEDED')).status).toBe(200);
  expect(errorOf(await api.graphql(LIVE, {}))).toBe(1001);
});
