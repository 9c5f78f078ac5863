/** Live events over connections that break, that do not read, or whose key is revoked. */
import { subscribe as listenTo, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Client } from 'pg';
import { createMerchant, rotateKeys } from '../../../src/accounts/merchants/accounts';
import { hashKey } from '../../../src/accounts/merchants/keys';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { freezeClock } from '../../harness/flow/frozenClock';
import { eventually, until } from '../../harness/flow/until';
import { basic, testApi } from '../../harness/servers/api';

const api = testApi();
const EVENT_BYTES = 20_000;
const CONNECTIONS = 2100;
const LONG_MS = 1_200_000;

/** The open server responses of this process. */
const responses: ServerResponse[] = [];
const addResponse = (message: unknown) => responses.push((message as { response: ServerResponse }).response);
beforeAll(() => listenTo('http.server.request.start', addResponse));
afterAll(() => unsubscribe('http.server.request.start', addResponse));
beforeEach(() => responses.splice(0));

const newMerchant = () =>
  createMerchant(
    api.database.db(),
    { environment: 'sandbox', name: 'Tienda', email: 'x@example.com', phone: '6011234567' },
    api.secret,
  );

const insertEvents = (merchant_id: string, count: number) => api.database.db().$executeRaw`
  insert into events (id, merchant_id, type, object_id, object, creation_date)
  select 'e' || left(md5(random()::text), 19), ${merchant_id}, 'charge.succeeded', 't0000000000000000000',
    jsonb_build_object('description', repeat('x', ${EVENT_BYTES})), now() from generate_series(1, ${count})`;

/** The text of a request for a stream of events after a given event. */
function requestText(key: string, after?: string): string {
  const query =
    'subscription($after: String) { events(after: $after) { id object { ... on Transaction { description } } } }';
  const body = JSON.stringify({ query, variables: { after } });
  const head = ['POST /graphql/stream HTTP/1.1', 'Host: x', `Authorization: ${basic(key)}`];
  return [...head, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n');
}

async function open(text: string): Promise<Socket> {
  const { hostname, port } = new URL(api.origin());
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  atTheEnd(() => socket.destroy());
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

/** `text` accumulates the received text, without the contents of large events, because searching them would be slow. */
function readFrom(socket: Socket) {
  const reader = { text: '', isClosed: false, eventCount: () => reader.text.split('event: next').length - 1 };
  socket.setEncoding('utf8').on('data', chunk => {
    reader.text += `${chunk}`.replace(/x{10,}/g, '');
  });
  socket.on('close', () => {
    reader.isClosed = true;
  });
  return reader;
}

/** A client that reads its stream. */
async function openReader(key: string, after?: string) {
  const reader = readFrom(await open(requestText(key, after)));
  await until(() => reader.text.includes('text/event-stream'));
  return reader;
}

const firstEventOf = async (merchant_id: string): Promise<string> =>
  (await api.database.db().event.findFirstOrThrow({ where: { merchant_id }, orderBy: { sequence: 'asc' } })).id;

it(
  'releases the resources of clients that disconnect before the stream begins, while it waits and while it writes',
  async () => {
    const { id, private_key: key } = await newMerchant();
    await insertEvents(id, 50);
    const after = await firstEventOf(id);
    const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;
    const timersBefore = timers();
    const phases: (() => Promise<unknown>)[] = [
      async () => (await open('')).destroy(),
      async () => (await open(requestText(key).slice(0, 60))).destroy(),
      async () => (await open(requestText(key))).destroy(),
      async () => (await open(requestText(key, after))).destroy(),
      async () => (await open(requestText(key))).resetAndDestroy(),
      async () => {
        const socket = await open(requestText(key));
        await once(socket, 'data');
        socket.destroy();
      },
      async () => {
        const socket = await open(requestText(key, after));
        await once(socket, 'data');
        socket.destroy();
      },
    ];
    let opened = 0;
    const openAndDrop = async () => {
      while (opened < CONNECTIONS) await phases[opened++ % phases.length]?.();
    };
    await Promise.all(Array.from({ length: 40 }, openAndDrop));
    await until(() => responses.length > CONNECTIONS / 4 && responses.every(({ destroyed }) => destroyed));
    await until(() => responses.every(each => each.listenerCount('close') + each.listenerCount('drain') === 0));
    await until(() => timers() < timersBefore + 20);

    // Each poll serves all readers of the process, which is now the one remaining reader.
    const read = jest.spyOn(Client.prototype, 'query');
    atTheEnd(() => read.mockRestore());
    const readers = () =>
      (read.mock.calls as unknown as [{ text?: string; values?: unknown[] }][])
        .filter(([{ text }]) => text?.includes('snapshot.horizon'))
        .map(([{ values }]) => JSON.parse(String(values?.[0])).length);
    await openReader(key);
    // A disconnected client may remain in the list until its own poll has returned.
    await until(() => readers().slice(-3).join() === '1,1,1');
  },
  LONG_MS,
);

it('limits the buffer of a client that stops reading, and continues when it reads again', async () => {
  const { id, private_key: key } = await newMerchant();
  await insertEvents(id, 1000);
  const after = await firstEventOf(id);
  const slow = await open(requestText(key, after));
  slow.pause();
  await until(() => responses.length === 1 && responses[0]?.writableNeedDrain === true);
  const quick = await openReader(key, after);
  await until(() => quick.eventCount() === 999);
  const [response] = responses;
  expect(response?.writableNeedDrain).toBe(true);
  expect((response?.writableLength ?? 0) + (response?.socket?.writableLength ?? 0)).toBeLessThan(20 * EVENT_BYTES);
  const late = readFrom(slow);
  slow.resume();
  await eventually(async () => expect([late.isClosed, late.eventCount()]).toEqual([false, 999]));
  const idsOf = (events: string) => [...events.matchAll(/"id":"(\w+)"/g)].map(([, id]) => id);
  expect(idsOf(late.text)).toEqual(idsOf(quick.text));
  // The waits left no listeners behind.
  for (const each of responses) expect(each.listenerCount('close') + each.listenerCount('drain')).toBeLessThan(10);
});

describe('a stream whose key', () => {
  const revoke = (key: string) => api.database.db().apiKey.delete({ where: { hash: hashKey(key, api.secret) } });

  it('is revoked ends with the reason, and streams with other keys stay open', async () => {
    const { id, private_key } = await newMerchant();
    const [first, second] = [await openReader(private_key), await openReader(private_key)];
    const other = await openReader(api.merchants().own.private_key);
    await revoke(private_key);
    await until(() => first.isClosed && second.isClosed);
    expect(first.text).toMatch(
      /event: next\ndata: {"errors":\[{.*"error_code":1002.*}\]}\n\n[^{]*event: complete\ndata: \n\n/,
    );
    await insertEvents(id, 1);
    await insertEvents(api.merchants().own.id, 1);
    await until(() => other.eventCount() === 1);
    expect([first.eventCount(), second.eventCount(), other.isClosed]).toEqual([1, 1, false]);
  });

  it('is revoked ends also while the client does not read', async () => {
    const { id, private_key: key } = await newMerchant();
    await insertEvents(id, 1000);
    const slow = await open(requestText(key, await firstEventOf(id)));
    slow.pause();
    await until(() => responses.length === 1 && responses[0]?.writableNeedDrain === true);
    await revoke(key);
    await until(() => responses[0]?.destroyed === true);
  });

  it('has expired after a rotation ends', async () => {
    const { id, private_key } = await newMerchant();
    const moveClock = freezeClock();
    await rotateKeys(api.database.db(), id, 1, api.secret);
    const reader = await openReader(private_key);
    moveClock(3_600_000);
    await until(() => reader.isClosed);
    expect(reader.text).toContain('"error_code":1002');
  });
});
