/** First attempts at an endpoint that takes its time. */
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { untilAnswered } from '../../src/embedded/part';
import { newId } from '../../src/identifiers';
import { Engine } from '../../src/webhooks/engine';
import { Sender } from '../../src/webhooks/outgoing';
import { testApi } from '../harness/api';
import { testReceiver } from '../harness/endpoint';
import { vault } from '../harness/secrets';

const api = testApi();
const receiver = testReceiver();
const db = () => api.database.db();
const IN_FLIGHT = 50;

/** An engine, from now until the test says so. */
function start(timeoutMs: number) {
  const senders = { sandbox: new Sender({ strict: false, timeoutMs }), production: new Sender({ strict: true }) };
  const stop = new AbortController();
  const engine = new Engine(db(), api.database.url(), vault, senders, pino({ level: 'silent' }));
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
  await until(() => tried() >= IN_FLIGHT + 3);
  await stop();
  expect(tried()).toBeLessThan(IN_FLIGHT + 10);
});

it('that stops finishes what is under way, and leaves the rest to others at once', async () => {
  receiver.answers(async () => sleep(1000, 200));
  const webhook_id = await newHook('/left', 90);
  const stop = start(10_000);
  await until(() => receiver.at('/left').length === IN_FLIGHT);
  await stop();
  expect(receiver.at('/left')).toHaveLength(IN_FLIGHT);
  const waiting = { webhook_id, status: 'new', next_at: { lte: new Date() } };
  expect([await db().delivery.count({ where: waiting }), await db().delivery.count({ where: { webhook_id } })]).toEqual(
    [90 - IN_FLIGHT, 90],
  );
});

it('takes the next ones out of many in no time', async () => {
  receiver.answers(() => 200);
  const webhook_id = await newHook('/many', 1);
  await db().$executeRaw`
    insert into deliveries (id, webhook_id, event_id, object_id)
    select new_delivery_id(), webhook_id, event_id, 't' || (i / 3) from deliveries, generate_series(1, 60000) i where webhook_id = ${webhook_id}`;
  const began = Date.now();
  const stop = start(10_000);
  await until(() => receiver.at('/many').length >= 400);
  const took = Date.now() - began;
  await stop();
  expect(took).toBeLessThan(6000);
});
