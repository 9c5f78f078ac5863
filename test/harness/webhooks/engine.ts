/** Webhooks with undelivered events, and delivery engines that a test starts and stops. */
import pino from 'pino';
import { DeliveryEngine } from '../../../src/notifications/webhooks/delivery/engine';
import { listen } from '../../../src/platform/database/listen';
import { newId } from '../../../src/platform/identifiers';
import { Sender } from '../../../src/platform/sending/sender';
import { atTheEnd } from '../flow/atTheEnd';
import { until } from '../flow/until';
import { testApi } from '../servers/api';
import { vault } from '../world/secrets';
import { testReceiver } from './endpoint';

export const [INITIAL_SLOTS, MAX_SLOTS] = [10, 50];

export function testEngine() {
  const api = testApi();
  const receiver = testReceiver();
  const db = () => api.database.db();
  afterEach(async () => {
    await db().webhook.deleteMany();
  });

  /**
   * Starts an engine; returns the function that stops it. Without a timeout, an attempt lasts until the test responds.
   */
  function start({ timeoutMs = 600_000, database = db() } = {}) {
    const senders = { sandbox: new Sender({ strict: false, timeoutMs }), production: new Sender({ strict: true }) };
    const stop = new AbortController();
    const engine = new DeliveryEngine(database, vault, senders, pino({ level: 'silent' }));
    const onNotification = () => engine.notify();
    const listening = listen(api.database.url(), 'deliveries', { onNotification }, stop.signal);
    const running = Promise.all([engine.run(stop.signal), listening]);
    atTheEnd(async () => {
      stop.abort();
      // Requests that the test has left open would keep the engine waiting.
      receiver.releaseAll();
      await running;
      await Promise.all(Object.values(senders).map(sender => sender.close()));
    });
    return async () => {
      stop.abort();
      await running;
    };
  }

  let barriers = 0;
  /** Resolves when the engine has looked for work, and has sent the work that it found, after all earlier events. */
  async function engineHasPassed(): Promise<void> {
    const path = `/barrier-${barriers++}`;
    // The verification is queued last, and read after the queues of webhooks that the engine serves already.
    await api.rest('POST', '/webhooks', { body: { url: receiver.url(path) } });
    await until(() => receiver.at(path).length > 0);
  }

  const newEventRow = () => ({
    id: newId('event'),
    merchant_id: api.merchants().own.id,
    type: 'charge.succeeded',
    object: {},
    creation_date: new Date(),
  });

  /** Creates this many events, each of its own object. */
  const newEvents = (name: string, count: number) =>
    db().event.createMany({
      data: Array.from({ length: count }, (_, i) => ({ ...newEventRow(), object_id: `t${name}${i}` })),
    });

  /** Creates a verified webhook with this many undelivered events. */
  async function newHook(path: string, events: number): Promise<string> {
    const { body } = await api.rest('POST', '/webhooks', { body: { url: receiver.url(path) } });
    await db().delivery.deleteMany({ where: { webhook_id: body.id } });
    await db().webhook.update({ where: { id: body.id }, data: { status: 'verified' } });
    await newEvents(path, events);
    return body.id;
  }

  return { api, receiver, db, start, engineHasPassed, newEventRow, newEvents, newHook };
}
