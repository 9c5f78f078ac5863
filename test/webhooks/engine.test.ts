/** First attempts at an endpoint that takes its time. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { openDatabase } from '../../src/database';
import { untilAnswered } from '../../src/embedded/part';
import { newId } from '../../src/identifiers';
import { Sender } from '../../src/sending/outgoing';
import { Engine } from '../../src/webhooks/engine';
import { listen } from '../../src/webhooks/listening';
import { LEASE_MS, readQueue, serve } from '../../src/webhooks/served';
import { errorOf, testApi } from '../harness/api';
import { inDatabase } from '../harness/database';
import { isSignedBy, testReceiver } from '../harness/endpoint';
import { vault } from '../harness/secrets';
import { shopOf } from '../harness/shop';

const api = testApi();
const receiver = testReceiver();
const shop = shopOf(api);
const db = () => api.database.db();
const [FIRST_SLOTS, MOST_SLOTS] = [10, 50];

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

const anEvent = () => ({
  id: newId('event'),
  merchant_id: api.merchants().own.id,
  type: 'charge.succeeded',
  object: {},
  creation_date: new Date(),
});

/** A verified webhook, with so many events on their way to it. */
async function newHook(path: string, events: number): Promise<string> {
  const { body } = await api.rest('POST', '/webhooks', { body: { url: receiver.url(path) } });
  await db().delivery.deleteMany({ where: { webhook_id: body.id } });
  await db().webhook.update({ where: { id: body.id }, data: { status: 'verified' } });
  await db().event.createMany({
    data: Array.from({ length: events }, (_, i) => ({ ...anEvent(), object_id: `t${path}${i}` })),
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
  const events = Array.from({ length: 60 }, (_, i) => ({ ...anEvent(), object_id: `t-${i % 3}` }));
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

it('keeps the order of an object also where a breaker gives back what waits', async () => {
  receiver.answers(() => 200);
  await newHook('/order', 45);
  const stop = start(10_000);
  await until(() => receiver.at('/order').length === 45);
  const seen: number[] = [];
  receiver.answers(async ({ body }) => {
    const { of, n } = body.transaction;
    if (of === 'slow') return sleep(300, 200);
    if (of !== 'one') return sleep(50, 500);
    seen.push(n);
    return n === 0 ? sleep(120, 500) : 200;
  });
  const objects = [...Array(30).fill('one'), 'f1', 'f2', 'f3', 'f4', 'slow', ...Array(165).fill('one')];
  await db().event.createMany({
    data: objects.map((of, n) => ({ ...anEvent(), object_id: `t${of}`, object: { of, n } })),
  });
  await until(() => seen.length === 195);
  await stop();
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
});

it('gives a webhook that answers more and more at once, up to fifty', async () => {
  let [under, most] = [0, 0];
  receiver.answers(async () => {
    under += 1;
    most = Math.max(most, under);
    await sleep(60);
    under -= 1;
    return 200;
  });
  await newHook('/growing', 600);
  const stop = start(10_000);
  await until(() => receiver.at('/growing').length >= FIRST_SLOTS);
  expect(most).toBe(FIRST_SLOTS);
  await until(() => receiver.at('/growing').length === 600);
  await stop();
  expect(most).toBe(MOST_SLOTS);
});

it('signs by a new secret what waits already, and sends nothing more to a webhook that is deleted', async () => {
  receiver.answers(() => 200);
  const id = await newHook('/rotated', 1500);
  const stop = start(10_000);
  const at = () => receiver.at('/rotated');
  await until(() => at().length === 1500);
  // It was fast, so much is read for it at once.
  receiver.answers(async () => sleep(500, 200));
  await db().event.createMany({
    data: Array.from({ length: 600 }, (_, i) => ({ ...anEvent(), object_id: `tslow${i}` })),
  });
  await until(() => at().length >= 1500 + MOST_SLOTS);
  const { body } = await api.rest('POST', `/webhooks/${id}/rotate_secret`, { body: {} });
  const before = at().length;
  await until(() => at().length >= before + 3 * MOST_SLOTS);
  // But for what went out while it was being said.
  const later = at().slice(before + MOST_SLOTS);
  expect(later.filter(one => !isSignedBy(one, body.secret))).toEqual([]);
  expect((await api.rest('DELETE', `/webhooks/${id}`)).status).toBe(204);
  const told = at().length;
  await sleep(1500);
  expect(at().length - told).toBeLessThanOrEqual(MOST_SLOTS);
  await stop();
});

it('reads no more than it has room for, however long what happened is', async () => {
  const long = 'x'.repeat(200_000);
  receiver.answers(() => 0);
  const ids = [];
  for (let i = 0; i < 20; i++) ids.push(await newHook(`/long-${i}`, 0));
  await db().event.createMany({
    data: Array.from({ length: 40 }, (_, i) => ({ ...anEvent(), object_id: `t${i}`, object: { long } })),
  });
  const found = await (async () => {
    const me = randomUUID();
    await serve(db(), me, ids);
    return readQueue(
      db(),
      me,
      ids.map(id => ({ id, count: 40, bytes: 1_000_000, from: 0 })),
      [],
    );
  })();
  expect(found.map(({ deliveries }) => deliveries.length)).toEqual(Array(20).fill(5));
});

describe('a charge while a webhook is being deleted', () => {
  it('is made, and the webhook hears nothing of it', async () => {
    const id = await newHook('/deleted', 0);
    const token = await shop.newToken();
    const { status } = await inDatabase(api.database.url(), async client => {
      await client.query('begin');
      await client.query('delete from webhooks where id = $1', [id]);
      const asking = shop.post('/charges', { ...shop.charge, source_id: token, customer: shop.payer });
      await untilAnswered(async () => {
        const { rows } = await client.query("select from pg_stat_activity where wait_event_type = 'Lock'");
        if (rows.length === 0) throw new Error('nobody waits yet');
      }, 10);
      await client.query('commit');
      return asking;
    });
    expect(status).toBe(200);
  });

  it.each(['test', 'redeliver'])('POST …/%s is 1005, not a fault', async what => {
    const id = await newHook('/deleted', 0);
    const answer = await inDatabase(api.database.url(), async client => {
      await client.query('begin');
      await client.query('delete from webhooks where id = $1', [id]);
      const asking = api.rest('POST', `/webhooks/${id}/${what}`, { body: { from: '2020-01-01', to: '2099-01-01' } });
      await untilAnswered(async () => {
        const { rows } = await client.query("select from pg_stat_activity where wait_event_type = 'Lock'");
        if (rows.length === 0) throw new Error('nobody waits yet');
      }, 10);
      await client.query('commit');
      return asking;
    });
    expect(errorOf(answer)).toBe(1005);
  });
});

it('is told by whoever writes, once that is committed', async () => {
  const stop = new AbortController();
  let heard = 0;
  const listening = listen(api.database.url(), () => heard++, stop.signal);
  await untilAnswered(async () => {
    await api.rest('POST', '/customers', { body: { name: 'Ana', email: 'ana@example.com' } });
    if (heard === 0) throw new Error('nothing heard yet');
  }, 10);
  stop.abort();
  await listening;
});
