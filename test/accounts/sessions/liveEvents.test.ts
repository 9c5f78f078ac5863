/** Live events of many subscriptions over one connection, though the requests of its client reach two processes. */
import { freePort } from '../../../src/local/savedPorts';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { until } from '../../harness/flow/until';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { bearer, PAGE, testSessions } from '../../harness/merchant/sessions';
import { errorOf, testApi } from '../../harness/servers/api';
import { getUntil, Program } from '../../harness/servers/program';
import { apiVariables } from '../../harness/world/secrets';
import { temporalAddress } from '../../harness/world/temporal';

const api = testApi();
const shop = merchantCalls(api);
const { newSession } = testSessions(api);
const db = () => api.database.db();
const pay = async (): Promise<string> => shop.newCharge(await shop.newToken());
const TOKEN = 'x-graphql-event-stream-token';
const LIVE =
  'subscription ($types: [String!], $after: String) { events(types: $types, after: $after) { id type object_id } }';

/** Two API processes, and requests in turns to one and to the other, as a proxy would send them. */
let origins: string[] = [];
let turn = 0;
const nextOrigin = (): string => origins[turn++ % origins.length] ?? '';
beforeAll(async () => {
  const start = async (): Promise<string> => {
    const port = await freePort();
    const variables = {
      DATABASE_URL: api.database.url(),
      TEMPORAL_ADDRESS: temporalAddress(),
      API_KEY_SECRET: api.secret,
    };
    const server = new Program('api', { ...apiVariables, ...variables, PORT: `${port}` });
    atTheEnd(() => server.stop());
    await getUntil(`http://127.0.0.1:${port}/health`, 200);
    return `http://127.0.0.1:${port}`;
  };
  origins = await Promise.all([start(), start()]);
});

type Headers = Record<string, string>;
const send = (method: string, headers: Headers, body?: object, query = '', signal?: AbortSignal) =>
  fetch(`${nextOrigin()}/graphql/stream${query}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });

const reserve = async (headers: Headers): Promise<string> => {
  const answer = await send('PUT', headers);
  expect(answer.status).toBe(201);
  return answer.text();
};

interface Message {
  event: string;
  id: string;
  payload: { data?: { events: { id: string; type: string; object_id: string } }; errors?: unknown };
}

/** `messages` grows as they arrive. */
function read(response: Response) {
  const connection = { messages: [] as Message[], isClosed: false };
  const reading = async () => {
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/s.exec(part) ?? [];
        if (event) connection.messages.push({ event, ...JSON.parse(data) });
      }
    }
  };
  reading().then(
    () => Object.assign(connection, { isClosed: true }),
    () => Object.assign(connection, { isClosed: true }),
  );
  return connection;
}

async function connect(headers: Headers) {
  const token = await reserve(headers);
  const named = { ...headers, [TOKEN]: token };
  const leave = new AbortController();
  atTheEnd(() => leave.abort());
  const response = await send('GET', named, undefined, '', leave.signal);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('event-stream'),
  ]);
  const connection = read(response);
  const subscribe = (operationId: string, variables: object = {}, query = LIVE) =>
    send('POST', named, { query, variables, extensions: { operationId } });
  const stop = (operationId: string) => send('DELETE', named, undefined, `?operationId=${operationId}`);
  const ofOperation = (id: string) => connection.messages.filter(message => message.id === id);
  const objectsOf = (id: string) => ofOperation(id).map(({ payload }) => payload?.data?.events.object_id);
  return { token, named, response, close: () => leave.abort(), connection, subscribe, stop, ofOperation, objectsOf };
}

const privateKey = (): Headers => ({
  authorization: `Basic ${Buffer.from(`${api.merchants().own.private_key}:`).toString('base64')}`,
});

it('carries ten subscriptions, each with its own events, and ends one alone', async () => {
  const { connection, subscribe, stop, objectsOf, ofOperation } = await connect(privateKey());
  for (let i = 0; i < 9; i++)
    expect((await subscribe(`charges ${i}`, { types: ['charge.succeeded'] })).status).toBe(202);
  expect((await subscribe('refunds', { types: ['charge.refunded'] })).status).toBe(202);
  // Nothing is missed from the answer on, whichever process has begun by then.
  const id = await pay();
  await shop.post(`/charges/${id}/refund`, {});
  await until(() => connection.messages.length === 10);
  for (let i = 0; i < 9; i++) expect(objectsOf(`charges ${i}`)).toEqual([id]);
  expect(ofOperation('refunds')).toMatchObject([{ payload: { data: { events: { type: 'charge.refunded' } } } }]);

  expect((await stop('charges 0')).status).toBe(200);
  await until(() => ofOperation('charges 0').some(({ event }) => event === 'complete'));
  const next = await pay();
  await until(() => objectsOf('charges 8').includes(next));
  expect(objectsOf('charges 0')).not.toContain(next);
});

it('takes an id again as soon as it was given back, for whatever is asked then', async () => {
  const { connection, subscribe, stop, ofOperation } = await connect(privateKey());
  expect((await subscribe('one', { types: ['charge.refunded'] })).status).toBe(202);
  const first = await pay();
  await shop.post(`/charges/${first}/refund`, {});
  await until(() => connection.messages.length === 1);
  // All of it mostly before the stream's process looks again.
  for (const types of [['charge.failed'], ['charge.succeeded']]) {
    expect((await stop('one')).status).toBe(200);
    expect((await subscribe('one', { types })).status).toBe(202);
  }
  const second = await pay();
  // Where it did look in between, it has told the end of the one that was given back.
  const results = () => ofOperation('one').filter(({ event }) => event === 'next');
  await until(() => results().length > 1);
  expect(results().map(({ payload }) => payload?.data?.events.type)).toEqual(['charge.refunded', 'charge.succeeded']);
  expect(results()[1]?.payload.data?.events.object_id).toBe(second);
  expect(ofOperation('one').at(-1)?.event).toBe('next');
});

it('carries what was asked for before it was opened, and what happened meanwhile', async () => {
  const headers = privateKey();
  const token = await reserve(headers);
  const named = { ...headers, [TOKEN]: token };
  const asked = await send('POST', named, { query: LIVE, extensions: { operationId: 'early' } });
  expect(asked.status).toBe(202);
  const id = await pay();
  // A page cannot send headers with an EventSource; it names the stream in the address.
  const { messages } = read(await send('GET', headers, undefined, `?token=${token}`));
  await until(() => messages.length > 0);
  expect(messages).toMatchObject([{ event: 'next', id: 'early', payload: { data: { events: { object_id: id } } } }]);
});

it('goes on after a break where it was, with `after`', async () => {
  const first = await connect(privateKey());
  await first.subscribe('a');
  await pay();
  await until(() => first.connection.messages.length > 0);
  const after = first.connection.messages.at(-1)?.payload.data?.events.id;
  first.close();
  const missed = await pay();
  const second = await connect(privateKey());
  await second.subscribe('a', { after });
  await until(() => second.connection.messages.length > 0);
  expect(second.objectsOf('a')).toEqual([missed]);
});

it('is for the key or session that reserved it', async () => {
  const { token, named } = await connect(privateKey());
  const { token: session } = await newSession();
  const others: Headers[] = [
    bearer(session),
    { authorization: `Basic ${Buffer.from(`${api.merchants().other.private_key}:`).toString('base64')}` },
  ];
  const operation = { query: LIVE, extensions: { operationId: 'mine' } };
  for (const headers of others) {
    const foreign = { ...headers, [TOKEN]: token };
    const answers = [
      await send('GET', foreign),
      await send('POST', foreign, operation),
      await send('DELETE', foreign, undefined, '?operationId=x'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  }
  expect((await send('GET', named)).status).toBe(422);
  expect((await send('HEAD', named)).status).toBe(404);
});

it.each<[string, object, number]>([
  ['no id', { query: LIVE }, 400],
  ['an id that is a number', { query: LIVE, extensions: { operationId: 7 } }, 400],
  ['an id that is there already', { query: LIVE, extensions: { operationId: 'first' } }, 422],
  ['a query', { query: '{ merchant { id } }', extensions: { operationId: 'q' } }, 400],
  ['a field that does not exist', { query: 'subscription { nothing }', extensions: { operationId: 'q' } }, 400],
  ['an unknown event', { query: LIVE, variables: { after: 'x' }, extensions: { operationId: 'q' } }, 422],
])('refuses %s at once, and goes on', async (_, body, status) => {
  const { named, connection, subscribe, objectsOf } = await connect(privateKey());
  await subscribe('first');
  expect((await send('POST', named, body)).status).toBe(status);
  const id = await pay();
  await until(() => objectsOf('first').includes(id));
  expect(new Set(connection.messages.map(message => message.id))).toEqual(new Set(['first']));
});

describe('of a session', () => {
  it('is readable by its pages, ends with it whichever process revokes it, and says why', async () => {
    const { id, token } = await newSession();
    const { response, connection, subscribe, ofOperation } = await connect(bearer(token));
    expect(response.headers.get('access-control-allow-origin')).toBe(PAGE);
    for (const operation of ['a', 'b']) expect((await subscribe(operation)).status).toBe(202);
    const charge = await pay();
    await until(() => connection.messages.length === 2);
    const alone = await send('POST', bearer(token), { query: LIVE });
    expect([alone.status, alone.headers.get('access-control-allow-origin')]).toEqual([200, PAGE]);
    expect((await api.rest('DELETE', `/sessions/${id}`)).status).toBe(204);
    await until(() => connection.isClosed);
    for (const operation of ['a', 'b'])
      expect(ofOperation(operation)).toMatchObject([
        { event: 'next', payload: { data: { events: { object_id: charge } } } },
        { event: 'next', payload: { errors: [{ extensions: { error_code: 1002 } }] } },
        { event: 'complete' },
      ]);
    expect(await alone.text()).toContain('"error_code":1002');
    await until(async () => (await db().liveStream.count({ where: { key_id: id } })) === 0);
  });

  it('is refused at other origins, and to one for a single customer', async () => {
    const { token } = await newSession();
    for (const method of ['PUT', 'GET', 'DELETE'])
      expect((await send(method, bearer(token, 'https://evil.example'))).status).toBe(403);
    const { token: ofCustomer } = await newSession({ customer_id: await shop.newCustomer() });
    const answer = await send('PUT', bearer(ofCustomer));
    expect([answer.status, errorOf({ body: await answer.json() } as never)]).toEqual([403, 1010]);
  });
});

it('leaves nothing behind of clients that go', async () => {
  const { close, subscribe, token } = await connect(privateKey());
  await subscribe('a');
  close();
  await until(async () => (await db().liveStream.count({ where: { id: token } })) === 0);
  expect(await db().liveOperation.count({ where: { stream_id: token } })).toBe(0);
});
