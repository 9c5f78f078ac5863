/** Events in GraphQL: as a list, nested and live. */
import { liveEvents } from '../../src/events/live';
import { atTheEnd } from '../harness/flow/atTheEnd';
import { until } from '../harness/flow/until';
import { merchantCalls } from '../harness/merchant/merchantCalls';
import { errorOf, testApi } from '../harness/servers/api';
import { startApi } from '../harness/servers/apiProgram';

const api = testApi();
const shop = merchantCalls(api);
const { post } = shop;
const db = () => api.database.db();
const pay = async (): Promise<string> => shop.newCharge(await shop.newToken());

it('GraphQL lists the same events as REST, and nests the events of a charge', async () => {
  const id = await pay();
  const { body } = await api.graphql(
    `query ($id: ID!, $object: ID) { events(object_id: $object, limit: 1) { nodes { type object { ... on Transaction { id } } } }
      charge(transaction_id: $id) { events { edges { node { type event_date } } } } }`,
    { id, object: id },
  );
  expect(body.data.events.nodes).toMatchObject([{ type: 'charge_succeeded', object: { id } }]);
  expect(body.data.charge.events.edges).toMatchObject([{ node: { type: 'charge_succeeded' } }]);
});

/** Subscribes with server-sent events; `received` grows as events arrive. */
async function subscribe(
  query: string,
  variables: object,
  key = api.merchants().own.private_key,
  origin = api.origin(),
  operationName?: string,
) {
  const disconnect = new AbortController();
  atTheEnd(() => disconnect.abort());
  const response = await fetch(`${origin}/graphql/stream`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
    body: JSON.stringify({ query, variables, operationName }),
    signal: disconnect.signal,
  });
  const received: { type: string; id: string; object_id: string }[] = [];
  const reading = (async () => {
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const data = /^event: next\ndata: (.*)$/s.exec(part)?.[1];
        if (data) received.push(JSON.parse(data).data.events);
      }
    }
  })().catch(() => undefined);
  return { response, received, reading, close: () => disconnect.abort() };
}
const LIVE =
  'subscription ($types: [EventType!], $object: ID, $after: String) { events(types: $types, object_id: $object, after: $after) { id type name object_id } }';

it('the API streams events as they occur, by type and object, and continues after an interruption', async () => {
  const allEvents = await subscribe(LIVE, {});
  const refunds = await subscribe(LIVE, { types: ['charge_refunded'] });
  expect(allEvents.response.headers.get('content-type')).toContain('text/event-stream');
  const id = await pay();
  await post(`/charges/${id}/refund`, { amount: 100 });
  await until(() => allEvents.received.length >= 2 && refunds.received.length >= 1);
  expect(allEvents.received.map(({ type }) => type)).toEqual(['charge_succeeded', 'charge_refunded']);
  expect(refunds.received).toMatchObject([{ type: 'charge_refunded', name: 'charge.refunded', object_id: id }]);
  allEvents.close();
  refunds.close();
  const missedCharge = await pay();
  const resumed = await subscribe(LIVE, { after: allEvents.received[1]?.id });
  await until(() => resumed.received.length >= 1);
  expect(resumed.received).toMatchObject([{ object_id: missedCharge }]);
  resumed.close();
  await Promise.all([allEvents.reading, refunds.reading, resumed.reading]);
});

it('the API stops polling when the reader has left, also when no event occurs', async () => {
  const events = await liveEvents({ db: db(), merchant_id: api.merchants().own.id }, { types: ['fee.succeeded'] });
  const next = events.next();
  await events.return(undefined);
  expect(await next).toEqual({ value: undefined, done: true });
});

it('the API polls for all readers with one statement, and each reader gets its own events', async () => {
  /** The readers of each statement. */
  const readers: number[] = [];
  const countingDb = new Proxy(db(), {
    get: (target, name) =>
      name === '$queryRaw'
        ? (text: TemplateStringsArray, ...values: unknown[]) => {
            if (typeof values[0] === 'string' && values[0].startsWith('[')) readers.push(JSON.parse(values[0]).length);
            return target.$queryRaw(text, ...values);
          }
        : Reflect.get(target, name),
  });
  const merchant_id = api.merchants().own.id;
  const openReader = (types: string[]) => liveEvents({ db: countingDb, merchant_id }, { types });
  const chargeReaders = await Promise.all(Array.from({ length: 20 }, () => openReader(['charge.succeeded'])));
  const idleReader = await openReader(['fee.succeeded']);
  const firstEvents = chargeReaders.map(reader => reader.next());
  const noEvent = idleReader.next();
  // Only polls while all readers wait, because readers that have their event stop.
  await until(() => readers.length >= 10);
  expect(readers[0]).toBe(21);
  // A poll that the machine interrupts may need two statements.
  expect(readers.reduce((sum, count) => sum + count) / readers.length).toBeGreaterThan(10);
  const id = await pay();
  const results = await Promise.all(firstEvents);
  expect(results.map(({ value }) => value.object_id)).toEqual(Array(20).fill(id));
  await Promise.all([...chargeReaders, idleReader].map(reader => reader.return(undefined)));
  expect((await noEvent).done).toBe(true);
});

it('a reader that resumes while an older transaction is open gets no event again', async () => {
  const merchant_id = api.merchants().own.id;
  let polls = 0;
  const countingDb = new Proxy(db(), {
    get: (target, name) => {
      if (name === '$queryRaw') polls += 1;
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const { events, next } = await db().$transaction(async older => {
    await older.$queryRaw`select pg_current_xact_id()::text`;
    const { id: after } = await db().event.findFirstOrThrow({ where: { merchant_id, object_id: await pay() } });
    const events = await liveEvents({ db: countingDb, merchant_id }, { after });
    const next = events.next();
    await until(() => polls >= 4);
    return { events, next };
  });
  const later = await pay();
  expect((await next).value).toMatchObject({ object_id: later });
  await events.return(undefined);
});

it('a stream ends when the server stops, which does not wait for the next event', async () => {
  const { origin, program: server } = await startApi({ DATABASE_URL: api.database.url() });
  const { response, reading } = await subscribe(LIVE, { types: ['fee_succeeded'] }, undefined, origin);
  expect(response.status).toBe(200);
  expect(await server.stop()).toBe(0);
  await reading;
});

it('the API fails with 1010 for the public key, 1001 for a query, and 1003 for an unknown event or type', async () => {
  const statusOf = async (query: string, variables: object, key?: string) => {
    const { response } = await subscribe(query, variables, key);
    return response.status;
  };
  expect(await statusOf(LIVE, {}, api.merchants().own.public_key)).toBe(403);
  expect(await statusOf('{ merchant { id } }', {})).toBe(400);
  expect(await statusOf(LIVE, { after: 'e0000000000000000000' })).toBe(422);
  expect(await statusOf(LIVE, { types: ['charge_exploded'] })).toBe(422);
  expect(await statusOf(LIVE, { types: ['charge.succeeded'] })).toBe(422);
  expect(errorOf(await api.rest('GET', '/events?type=charge.exploded'))).toBe(1003);
  expect((await api.rest('GET', '/events?type=CHARGE.SUCCEEDED')).status).toBe(200);
  expect(errorOf(await api.rest('GET', '/events?type=charge_succeeded'))).toBe(1003);
  expect(errorOf(await api.graphql(LIVE, {}))).toBe(1001);
});

it('a document with several operations executes the operation of operationName', async () => {
  const { received, close, reading } = await subscribe(
    'subscription refunds { events(types: [charge_refunded]) { id } } subscription charges { events(types: [charge_succeeded]) { type object_id } }',
    {},
    undefined,
    undefined,
    'charges',
  );
  const object_id = await pay();
  await until(() => received.length >= 1);
  expect(received).toEqual([{ type: 'charge_succeeded', object_id }]);
  close();
  await reading;
});
