/** First attempts: in order, by one engine at a time, and without losses when an engine stops. */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { openDatabase } from '../../../src/platform/database/connection';
import { listen } from '../../../src/platform/database/listen';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { eventually, until } from '../../harness/flow/until';
import { believeEmpty, WAYS_OF_EMPTY } from '../../harness/servers/statistics';
import type { Received } from '../../harness/webhooks/endpoint';
import { INITIAL_SLOTS, testEngine } from '../../harness/webhooks/engine';
import { inDatabase } from '../../harness/world/database';

const { api, receiver, db, start, engineHasPassed, newEventRow, newEvents, newHook } = testEngine();

/** The HTTP statuses of the attempts of each successful delivery. */
const loggedStatuses = async (webhook_id: string): Promise<number[][]> => {
  const { body } = await api.rest('GET', `/webhooks/${webhook_id}/deliveries?status=delivered&limit=100`);
  return body.map(({ attempts }: { attempts: { status: number }[] }) => attempts.map(({ status }) => status));
};

it('a stopping engine finishes its attempts in flight and releases the rest to other engines at once', async () => {
  receiver.answers(() => 0);
  const webhook_id = await newHook('/left', 90);
  const stop = start();
  await until(() => receiver.open('/left').length === INITIAL_SLOTS);
  const stopped = stop();
  receiver.releaseAll();
  await stopped;
  expect(receiver.at('/left')).toHaveLength(INITIAL_SLOTS);
  expect(await loggedStatuses(webhook_id)).toEqual(Array(INITIAL_SLOTS).fill([200]));
  expect(await db().queuedDelivery.count({ where: { webhook_id } })).toBe(90 - INITIAL_SLOTS);
  const webhook = await db().webhook.findUnique({ where: { id: webhook_id } });
  expect(webhook).toMatchObject({ served_by: null, served_until: null });
  start();
  await until(() => receiver.at('/left').length === 90);
});

it('a webhook with an empty queue is not read again until it has new deliveries', async () => {
  const webhook_id = await newHook('/drained', 1);
  const query = jest.spyOn(Client.prototype, 'query');
  atTheEnd(() => query.mockRestore());
  const reads = () => query.mock.calls.map(call => JSON.stringify(call)).filter(text => text.includes('max_retries'));
  start();
  await until(() => receiver.at('/drained').length === 1);
  await until(async () => {
    query.mockClear();
    await engineHasPassed();
    return !reads().some(text => text.includes(webhook_id));
  });
  await newEvents('/drained', 1);
  await until(() => receiver.at('/drained').length === 2);
});

it('the engine reads the next deliveries of long queues by index, regardless of the table statistics', async () => {
  const TABLES = ['delivery_queue', 'deliveries', 'events'];
  const QUEUED = 15_000;
  await newHook('/many', 0);
  await newHook('/more', 0);
  // PostgreSQL's counters are complete when the counted connections are closed.
  const url = `${api.database.url()}&application_name=counted`;
  const allCounted = () =>
    until(async () => {
      const open = await db().$queryRaw<unknown[]>`select from pg_stat_activity where application_name = 'counted'`;
      return open.length === 0;
    });
  const rowsRead = async () => {
    await allCounted();
    const [row] = await db().$queryRaw<{ rows: number }[]>`
      select sum(seq_tup_read + idx_tup_fetch)::integer as rows from pg_stat_user_tables
      where relname = any(${TABLES})`;
    return row?.rows ?? 0;
  };
  // The table needs as many events, because PostgreSQL reads a small table as a whole.
  await inDatabase(url, client =>
    client.query(
      `insert into events (id, merchant_id, type, object_id, object, creation_date)
      select 'many-' || i, $1, 'charge.succeeded', 't-' || i, '{}', now() from generate_series(1, ${QUEUED}) i`,
      [api.merchants().own.id],
    ),
  );
  // Some deliveries arrive, and some need retries.
  receiver.answers(({ body }) => (/55$/.test(body.id) ? 500 : 200));
  const received = () => Math.min(receiver.at('/many').length, receiver.at('/more').length);
  const rowsReadBy = new Map<string, number>();
  for (const way of WAYS_OF_EMPTY) {
    await believeEmpty(url, TABLES, way);
    const [before, receivedBefore] = [await rowsRead(), received()];
    const countedDb = openDatabase(url);
    const stop = start({ database: countedDb });
    await until(() => received() >= receivedBefore + 200);
    await stop();
    await countedDb.$disconnect();
    rowsReadBy.set(way, (await rowsRead()) - before);
  }
  expect([...rowsReadBy].filter(([, rows]) => rows >= QUEUED)).toEqual([]);
});

it('three engines deliver to one webhook without duplicates', async () => {
  await newHook('/shared', 300);
  const stops = [start(), start(), start()];
  await until(() => receiver.at('/shared').length >= 300);
  for (const stop of stops) await stop();
  const ids = receiver.at('/shared').map(({ body }) => body.id);
  expect(ids).toHaveLength(300);
  expect(new Set(ids).size).toBe(300);
});

it('the engine sends the events of one object one after the other, and the events of different objects concurrently', async () => {
  const webhook_id = await newHook('/ordered', 0);
  const events = Array.from({ length: 60 }, (_, i) => ({ ...newEventRow(), object_id: `t-${i % 3}` }));
  for (const event of events) await db().event.create({ data: event });
  const objectOf = new Map(events.map(({ id, object_id }) => [id, object_id]));
  receiver.answers(() => 0);
  start();
  for (let round = 1; round <= 20; round++) {
    // At most one attempt of each object is open.
    await until(() => receiver.at('/ordered').length === 3 * round);
    const open = receiver.open('/ordered');
    expect(open.map(({ body }) => objectOf.get(body.id)).toSorted()).toEqual(['t-0', 't-1', 't-2']);
    receiver.release(open);
  }
  for (const object of ['t-0', 't-1', 't-2']) {
    const created = events.filter(({ object_id }) => object_id === object).map(({ id }) => id);
    const received = receiver.at('/ordered').map(({ body }) => body.id as string);
    expect(received.filter(id => objectOf.get(id) === object)).toEqual(created);
  }
  await until(async () => (await loggedStatuses(webhook_id)).length === 60);
  expect(await loggedStatuses(webhook_id)).toEqual(Array(60).fill([200]));
});

it('the engine takes over the webhook of a killed engine when its lease expires, and not before', async () => {
  const webhook_id = await newHook('/taken', 5);
  const isServedUntil = (served_until: Date) =>
    db().webhook.update({ where: { id: webhook_id }, data: { served_by: randomUUID(), served_until } });
  await isServedUntil(new Date('2099-01-01Z'));
  start();
  await engineHasPassed();
  expect(receiver.at('/taken')).toEqual([]);
  await isServedUntil(new Date());
  await until(() => receiver.at('/taken').length === 5);
});

it('the engine records successes when the database is available again, and sends none of the deliveries again', async () => {
  const webhook_id = await newHook('/late', 5);
  const shortTimeoutDb = openDatabase(api.database.url(), 1000);
  atTheEnd(() => shortTimeoutDb.$disconnect());
  const stop = await inDatabase(api.database.url(), async client => {
    await client.query('begin');
    await client.query('lock table delivery_queue in exclusive mode');
    // All successes could be recorded before this point.
    const stopEngine = start({ database: shortTimeoutDb });
    await until(() => receiver.at('/late').length === 5);
    const waitingSince = new Set<number>();
    const hasBeenRefused = async () => {
      const waiting = await db().$queryRaw<{ query_start: Date }[]>`
        select query_start from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database() and query like '%attempt_input%'`;
      for (const { query_start } of waiting) waitingSince.add(query_start.getTime());
      // A second waiting statement shows that the first one was rejected.
      return waitingSince.size > 1;
    };
    await until(hasBeenRefused);
    await client.query('commit');
    return stopEngine;
  });
  await until(async () => (await db().queuedDelivery.count({ where: { webhook_id } })) === 0);
  await stop();
  expect(await loggedStatuses(webhook_id)).toEqual(Array(5).fill([200]));
  expect(receiver.at('/late')).toHaveLength(5);
});

it('the engine keeps the order of an object when an open circuit breaker returns deliveries to the queue', async () => {
  const webhook_id = await newHook('/order', 45);
  start();
  await until(() => receiver.at('/order').length === 45);
  const receivedOrder: number[] = [];
  const isFirst = ({ body }: Received) => body.transaction.of !== 'one' || body.transaction.n === 0;
  receiver.answers(request => {
    const { of, n } = request.body.transaction;
    if (of === 'one') receivedOrder.push(n);
    return isFirst(request) ? 0 : 200;
  });
  const objects = [...Array(30).fill('one'), 'f1', 'f2', 'f3', 'f4', 'slow', ...Array(165).fill('one')];
  await db().event.createMany({
    data: objects.map((of, n) => ({ ...newEventRow(), object_id: `t${of}`, object: { of, n } })),
  });
  await until(() => receiver.open('/order').length === 6);
  const fail = async (name: RegExp, failures: number) => {
    receiver.release(
      receiver.open('/order').filter(({ body }) => name.test(body.transaction.of)),
      500,
    );
    await until(async () => (await db().delivery.count({ where: { webhook_id, status: 'retrying' } })) === failures);
  };
  await fail(/^f/, 4);
  // The fifth failure opens the breaker, and the success of the slow delivery closes it.
  await fail(/^one$/, 5);
  receiver.release(receiver.open('/order'));
  await until(() => receivedOrder.length === 195);
  expect(receivedOrder).toEqual(receivedOrder.toSorted((a, b) => a - b));
});

it('a committed request notifies the engines', async () => {
  const stop = new AbortController();
  let notifications = 0;
  const listening = listen(api.database.url(), 'deliveries', { onNotification: () => notifications++ }, stop.signal);
  atTheEnd(() => {
    stop.abort();
    return listening;
  });
  await eventually(async () => {
    await api.rest('POST', '/customers', { body: { name: 'Ana', email: 'ana@example.com' } });
    if (notifications === 0) throw new Error('no notification yet');
  });
});
