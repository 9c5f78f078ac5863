/** Webhooks with undelivered events, and delivery engines that a test starts and stops. */
import pino from 'pino';
import { retryUntilAnswered } from '../../../src/embedded/managedProcess';
import { newId } from '../../../src/platform/identifiers';
import { Sender } from '../../../src/sending/sender';
import { DeliveryEngine } from '../../../src/webhooks/delivery/engine';
import { testApi } from '../servers/api';
import { vault } from '../servers/secrets';
import { testReceiver } from './endpoint';

export const [INITIAL_SLOTS, MAX_SLOTS] = [10, 50];

export const until = (condition: () => boolean) =>
  retryUntilAnswered(async () => {
    if (!condition()) throw new Error('not yet');
  }, 20);

export function testEngine() {
  const api = testApi();
  const receiver = testReceiver();
  const db = () => api.database.db();
  afterEach(async () => {
    await db().webhook.deleteMany();
  });

  /** Starts an engine; returns the function that stops it. */
  function start(timeoutMs: number, database = db()) {
    const senders = { sandbox: new Sender({ strict: false, timeoutMs }), production: new Sender({ strict: true }) };
    const stop = new AbortController();
    const engine = new DeliveryEngine(database, api.database.url(), vault, senders, pino({ level: 'silent' }));
    const running = engine.run(stop.signal);
    return async () => {
      stop.abort();
      await running;
      await Promise.all(Object.values(senders).map(sender => sender.close()));
    };
  }

  const newEventRow = () => ({
    id: newId('event'),
    merchant_id: api.merchants().own.id,
    type: 'charge.succeeded',
    object: {},
    creation_date: new Date(),
  });

  /** Creates a verified webhook with this many undelivered events. */
  async function newHook(path: string, events: number): Promise<string> {
    const { body } = await api.rest('POST', '/webhooks', { body: { url: receiver.url(path) } });
    await db().delivery.deleteMany({ where: { webhook_id: body.id } });
    await db().webhook.update({ where: { id: body.id }, data: { status: 'verified' } });
    await db().event.createMany({
      data: Array.from({ length: events }, (_, i) => ({ ...newEventRow(), object_id: `t${path}${i}` })),
    });
    return body.id;
  }

  return { api, receiver, db, start, newEventRow, newHook };
}
