/** First attempts: in order, by one engine at a time, and none lost when it stops. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/database/connection';
import { listen } from '../../src/database/listen';
import { retryUntilAnswered } from '../../src/embedded/managedProcess';
import { LEASE_MS } from '../../src/webhooks/delivery/leases';
import { inDatabase } from '../harness/servers/database';
import { INITIAL_SLOTS, testEngine, until } from '../harness/webhooks/engine';

const { api, receiver, db, start, newEventRow, newHook } = testEngine();

/** The HTTP statuses of the attempts of each successful delivery. */
const loggedStatuses = async (webhook_id: string): Promise<number[][]> => {
  const { body } = await api.rest('GET', `/webhooks/${webhook_id}/deliveries?status=delivered&limit=100`);
  return body.map(({ attempts }: { attempts: { status: number }[] }) => attempts.map(({ status }) => status));
};

it('an engine that stops finishes its attempts in flight and leaves the rest to others at once', async () => {
  receiver.answers(async () => sleep(1000, 200));
  const webhook_id = await newHook('/left', 90);
  const stop = start(10_000);
  await until(() => receiver.at('/left').length === INITIAL_SLOTS);
  await stop();
  expect(receiver.at('/left')).toHaveLength(INITIAL_SLOTS);
  expect(await db().queuedDelivery.count({ where: { webhook_id } })).toBe(90 - INITIAL_SLOTS);
  receiver.answers(() => 200);
  const startedAt = Date.now();
  const stopOther = start(10_000);
  await until(() => receiver.at('/left').length === 90);
  await stopOther();
  expect(Date.now() - startedAt).toBeLessThan(LEASE_MS / 2);
});

it('reads the next deliveries of a long queue quickly', async () => {
  receiver.answers(() => 200);
  const webhook_id = await newHook('/many', 1);
  await db().$executeRaw`
    insert into deliveries (id, webhook_id, event_id)
    select new_delivery_id(), webhook_id, event_id from deliveries, generate_series(1, 60000) where webhook_id = ${webhook_id}`;
  const startedAt = Date.now();
  const stop = start(10_000);
  await until(() => receiver.at('/many').length >= 400);
  const elapsedMs = Date.now() - startedAt;
  await stop();
  expect(elapsedMs).toBeLessThan(6000);
});

it('three engines deliver to one webhook without sending anything twice', async () => {
  receiver.answers(async () => sleep(Math.random() * 10, 200));
  await newHook('/shared', 300);
  const stops = [start(10_000), start(10_000), start(10_000)];
  await until(() => receiver.at('/shared').length >= 300);
  for (const stop of stops) await stop();
  const ids = receiver.at('/shared').map(({ body }) => body.id);
  expect(ids).toHaveLength(300);
  expect(new Set(ids).size).toBe(300);
});

it('sends the events of one object one after the other, and those of other objects concurrently', async () => {
  const webhook_id = await newHook('/ordered', 0);
  const events = Array.from({ length: 60 }, (_, i) => ({ ...newEventRow(), object_id: `t-${i % 3}` }));
  for (const event of events) await db().event.create({ data: event });
  const inFlight = new Map<string, number>();
  const objectOf = new Map(events.map(({ id, object_id }) => [id, object_id]));
  let [maxObjects, maxPerObject] = [0, 0];
  receiver.answers(async ({ body }) => {
    const object = objectOf.get(body.id) ?? '';
    inFlight.set(object, (inFlight.get(object) ?? 0) + 1);
    maxPerObject = Math.max(maxPerObject, inFlight.get(object) ?? 0);
    maxObjects = Math.max(maxObjects, [...inFlight.values()].filter(count => count > 0).length);
    await sleep(5);
    inFlight.set(object, (inFlight.get(object) ?? 0) - 1);
    return 200;
  });
  const stop = start(10_000);
  await until(() => receiver.at('/ordered').length === 60);
  await stop();
  expect([maxPerObject, maxObjects]).toEqual([1, 3]);
  for (const object of ['t-0', 't-1', 't-2']) {
    const created = events.filter(({ object_id }) => object_id === object).map(({ id }) => id);
    const received = receiver.at('/ordered').map(({ body }) => body.id as string);
    expect(received.filter(id => objectOf.get(id) === object)).toEqual(created);
  }
  expect(await loggedStatuses(webhook_id)).toEqual(Array(60).fill([200]));
});

it('takes over the webhook of a killed engine when its lease expires', async () => {
  receiver.answers(() => 200);
  const webhook_id = await newHook('/taken', 5);
  const served_until = new Date(Date.now() + 2000);
  await db().webhook.update({ where: { id: webhook_id }, data: { served_by: randomUUID(), served_until } });
  const stop = start(10_000);
  await until(() => receiver.at('/taken').length === 5);
  expect(Date.now()).toBeGreaterThan(served_until.getTime());
  await stop();
});

it('records successes once the database is available again, and sends none of them again', async () => {
  receiver.answers(() => 200);
  const webhook_id = await newHook('/late', 5);
  const shortTimeoutDb = openDatabase(api.database.url(), 1000);
  const stop = start(10_000, shortTimeoutDb);
  await inDatabase(api.database.url(), async client => {
    await client.query('begin');
    await client.query('lock table delivery_queue in exclusive mode');
    await until(() => receiver.at('/late').length === 5);
    // Longer than a statement waits for a lock.
    await sleep(1500);
    await client.query('commit');
  });
  await retryUntilAnswered(async () => {
    if ((await db().queuedDelivery.count({ where: { webhook_id } })) > 0) throw new Error('not yet');
  }, 20);
  await stop();
  await shortTimeoutDb.$disconnect();
  expect(await loggedStatuses(webhook_id)).toEqual(Array(5).fill([200]));
  expect(receiver.at('/late')).toHaveLength(5);
});

it('keeps the order of an object when an open breaker gives deliveries back to the queue', async () => {
  receiver.answers(() => 200);
  await newHook('/order', 45);
  const stop = start(10_000);
  await until(() => receiver.at('/order').length === 45);
  const receivedOrder: number[] = [];
  receiver.answers(async ({ body }) => {
    const { of, n } = body.transaction;
    if (of === 'slow') return sleep(300, 200);
    if (of !== 'one') return sleep(50, 500);
    receivedOrder.push(n);
    return n === 0 ? sleep(120, 500) : 200;
  });
  const objects = [...Array(30).fill('one'), 'f1', 'f2', 'f3', 'f4', 'slow', ...Array(165).fill('one')];
  await db().event.createMany({
    data: objects.map((of, n) => ({ ...newEventRow(), object_id: `t${of}`, object: { of, n } })),
  });
  await until(() => receivedOrder.length === 195);
  await stop();
  expect(receivedOrder).toEqual(receivedOrder.toSorted((a, b) => a - b));
});

it('a request that writes notifies the engines once it is committed', async () => {
  const stop = new AbortController();
  let notifications = 0;
  const listening = listen(api.database.url(), 'deliveries', { onNotification: () => notifications++ }, stop.signal);
  await retryUntilAnswered(async () => {
    await api.rest('POST', '/customers', { body: { name: 'Ana', email: 'ana@example.com' } });
    if (notifications === 0) throw new Error('no notification yet');
  }, 10);
  stop.abort();
  await listening;
});
