/** First attempts at an endpoint that takes its time. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { openDatabase } from '../../src/database';
import { untilAnswered } from '../../src/embedded/part';
import { newId } from '../../src/identifiers';
import { Sender } from '../../src/sending/outgoing';
import { Engine } from '../../src/webhooks/engine';
import { LEASE_MS } from '../../src/webhooks/served';
import { testApi } from '../harness/api';
import { inDatabase } from '../harness/database';
import { testReceiver } from '../harness/endpoint';
import { vault } from '../harness/secrets';

const api = testApi();
const receiver = testReceiver();
const db = () => api.database.db();
const FIRST_SLOTS = 10;

/** An engine, from now until the test says so. */
function start(timeoutMs: number, database = db()) {
  const senders = { sandbox: new Sender({ strict: false, timeoutMs }), production: new Sender({ strict: true }) };
  const stop = new AbortController();
  const engine = new Engine(database, api.database.url(), vault, senders, pino({ level: 'silent' }));
  const running = engine.run(stop.signal);
  return async () => {
    stop.abort();
    await running;
    await Promise.all(Object.values(senders).map(sender => sender.close()));
  };
}

/** A verified webhook, with so many events on their way to it. */
async function newHook(path: string, events: number): Promise<string> {
  const { body } = await api.rest('POST', '/webhooks', { body: { url: receiver.url(path) } });
  await db().delivery.deleteMany({ where: { webhook_id: body.id } });
  await db().webhook.update({ where: { id: body.id }, data: { status: 'verified' } });
  const some = { merchant_id: api.merchants().own.id, type: 'charge.succeeded', object: {}, creation_date: new Date() };
  await db().event.createMany({
    data: Array.from({ length: events }, (_, i) => ({ ...some, id: newId('event'), object_id: `t${path}${i}` })),
  });
  return body.id;
}

const until = (isSo: () => boolean) =>
  untilAnswered(async () => {
    if (!isSo()) throw new Error('not yet');
  }, 20);

afterEach(async () => {
  await db().webhook.deleteMany();
});

it('looks at one that times out with one attempt at a time, however long each takes', async () => {
  receiver.answers(() => 0);
  await newHook('/probed', 200);
  // Longer than the first pauses between two looks.
  const stop = start(1200);
  const tried = () => receiver.at('/probed').length;
  await until(() => tried() >= FIRST_SLOTS + 3);
  await stop();
  expect(tried()).toBeLessThan(FIRST_SLOTS + 10);
});

it('that stops finishes what is under way, and leaves the rest to others at once', async () => {
  receiver.answers(async () => sleep(1000, 200));
  const webhook_id = await newHook('/left', 90);
  const stop = start(10_000);
  await until(() => receiver.at('/left').length === FIRST_SLOTS);
  await stop();
  expect(receiver.at('/left')).toHaveLength(FIRST_SLOTS);
  expect(await db().delivery.count({ where: { webhook_id, status: 'new' } })).toBe(90 - FIRST_SLOTS);
  receiver.answers(() => 200);
  const began = Date.now();
  const stopOther = start(10_000);
  await until(() => receiver.at('/left').length === 90);
  await stopOther();
  expect(Date.now() - began).toBeLessThan(LEASE_MS / 2);
});

it('takes the next ones out of many in no time', async () => {
  receiver.answers(() => 200);
  const webhook_id = await newHook('/many', 1);
  await db().$executeRaw`
    insert into deliveries (id, webhook_id, event_id)
    select new_delivery_id(), webhook_id, event_id from deliveries, generate_series(1, 60000) where webhook_id = ${webhook_id}`;
  const began = Date.now();
  const stop = start(10_000);
  await until(() => receiver.at('/many').length >= 400);
  const took = Date.now() - began;
  await stop();
  expect(took).toBeLessThan(6000);
});

it('serves a webhook beside others without sending anything twice, and in order', async () => {
  receiver.answers(async () => sleep(Math.random() * 10, 200));
  await newHook('/shared', 300);
  const stops = [start(10_000), start(10_000), start(10_000)];
  await until(() => receiver.at('/shared').length >= 300);
  for (const stop of stops) await stop();
  const ids = receiver.at('/shared').map(({ body }) => body.id);
  expect(ids).toHaveLength(300);
  expect(new Set(ids).size).toBe(300);
});

it('sends the events of one object one after the other, and those of others meanwhile', async () => {
  const webhook_id = await newHook('/ordered', 0);
  const some = { merchant_id: api.merchants().own.id, type: 'charge.succeeded', object: {}, creation_date: new Date() };
  const events = Array.from({ length: 60 }, (_, i) => ({ ...some, id: newId('event'), object_id: `t-${i % 3}` }));
  for (const event of events) await db().event.create({ data: event });
  const under = new Map<string, number>();
  const objectOf = new Map(events.map(({ id, object_id }) => [id, object_id]));
  let [together, most] = [0, 0];
  receiver.answers(async ({ body }) => {
    const object = objectOf.get(body.id) ?? '';
    under.set(object, (under.get(object) ?? 0) + 1);
    most = Math.max(most, under.get(object) ?? 0);
    together = Math.max(together, [...under.values()].filter(count => count > 0).length);
    await sleep(5);
    under.set(object, (under.get(object) ?? 0) - 1);
    return 200;
  });
  const stop = start(10_000);
  await until(() => receiver.at('/ordered').length === 60);
  await stop();
  expect([most, together]).toEqual([1, 3]);
  for (const object of ['t-0', 't-1', 't-2']) {
    const sent = events.filter(({ object_id }) => object_id === object).map(({ id }) => id);
    const arrived = receiver.at('/ordered').map(({ body }) => body.id as string);
    expect(arrived.filter(id => objectOf.get(id) === object)).toEqual(sent);
  }
  expect(await db().delivery.count({ where: { webhook_id, status: 'delivered' } })).toBe(60);
  expect(await db().queuedDelivery.count({ where: { webhook_id } })).toBe(0);
});

it('takes over from one that was killed once its time has run out', async () => {
  receiver.answers(() => 200);
  const webhook_id = await newHook('/taken', 5);
  const served_until = new Date(Date.now() + 2000);
  await db().webhook.update({ where: { id: webhook_id }, data: { served_by: randomUUID(), served_until } });
  const stop = start(10_000);
  await until(() => receiver.at('/taken').length === 5);
  expect(Date.now()).toBeGreaterThan(served_until.getTime());
  await stop();
});

it('writes down what arrived when the database lets it, and sends none of it again', async () => {
  receiver.answers(() => 200);
  const webhook_id = await newHook('/late', 5);
  const impatient = openDatabase(api.database.url(), 1000);
  const stop = start(10_000, impatient);
  await inDatabase(api.database.url(), async client => {
    await client.query('begin');
    await client.query('lock table deliveries in exclusive mode');
    await until(() => receiver.at('/late').length === 5);
    // Longer than a statement waits for a lock.
    await sleep(1500);
    await client.query('commit');
  });
  await untilAnswered(async () => {
    if ((await db().delivery.count({ where: { webhook_id, status: 'delivered' } })) < 5) throw new Error('not yet');
  }, 20);
  await stop();
  await impatient.$disconnect();
  expect(receiver.at('/late')).toHaveLength(5);
});

it('delivers to one at once while another says nothing, and to that one when it is back', async () => {
  let isBack = false;
  receiver.answers(({ path }) => (path === '/silent' && !isBack ? 0 : 200));
  await newHook('/silent', 200);
  const stop = start(3000);
  await until(() => receiver.at('/silent').length === FIRST_SLOTS);
  const began = Date.now();
  // Also goes to the silent one.
  await newHook('/beside', 200);
  await until(() => receiver.at('/beside').length === 200);
  // Less than the silent one is waited for.
  expect(Date.now() - began).toBeLessThan(3000);
  isBack = true;
  await until(() => new Set(receiver.at('/silent').map(({ body }) => body.id)).size === 400);
  await stop();
});
