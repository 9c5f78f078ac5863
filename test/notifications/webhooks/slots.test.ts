/** The number of concurrent deliveries of a webhook; a slow webhook does not delay a fast one. */
import { randomUUID } from 'node:crypto';
import { acquireLeases, readQueue } from '../../../src/notifications/webhooks/delivery/rows';
import { until } from '../../harness/flow/until';
import { isSignedBy } from '../../harness/webhooks/endpoint';
import { INITIAL_SLOTS, MAX_SLOTS, testEngine } from '../../harness/webhooks/engine';

const { api, receiver, db, start, engineHasPassed, newEvents, newEventRow, newHook } = testEngine();

it('the engine probes an endpoint that times out with one attempt at a time, however long each attempt takes', async () => {
  receiver.answers(() => 0);
  const webhook_id = await newHook('/probed', 200);
  const first = { where: { webhook_id }, orderBy: { sequence: 'asc' }, take: INITIAL_SLOTS } as const;
  const sentAtOnce = (await db().queuedDelivery.findMany(first)).map(({ event_id }) => event_id);
  // Some of the concurrent deliveries may time out on a busy machine before they arrive.
  const probes = () => receiver.at('/probed').filter(({ body }) => !sentAtOnce.includes(body.id));
  // Longer than the initial delay of the breaker.
  start({ timeoutMs: 1200 });
  await until(() => probes().length >= 3);
  expect(probes().filter(({ openBefore }) => openBefore > 0)).toEqual([]);
});

it('the engine delivers to other endpoints while one does not respond, and to that one when it responds again', async () => {
  receiver.answers(({ path }) => (path === '/silent' ? 0 : 200));
  await newHook('/silent', 200);
  await newHook('/beside', 0);
  start();
  await until(() => receiver.open('/silent').length === INITIAL_SLOTS);
  // These events are for the silent endpoint too.
  await newEvents('/beside', 200);
  await until(() => receiver.at('/beside').length === 200);
  expect([receiver.open('/silent').length, receiver.at('/silent').length]).toEqual([INITIAL_SLOTS, INITIAL_SLOTS]);
  receiver.releaseAll();
  await until(() => new Set(receiver.at('/silent').map(({ body }) => body.id)).size === 400);
});

it('the engine raises the concurrency of a responding webhook up to fifty', async () => {
  receiver.answers(({ path }) => (path === '/growing' ? 0 : 200));
  await newHook('/growing', 600);
  start();
  // Each response frees a slot and adds another.
  for (const slots of [INITIAL_SLOTS, 20, 40, MAX_SLOTS, MAX_SLOTS]) {
    await until(() => receiver.open('/growing').length === slots);
    await engineHasPassed();
    expect(receiver.open('/growing')).toHaveLength(slots);
    receiver.release(receiver.open('/growing'));
  }
  receiver.releaseAll();
  await until(() => receiver.at('/growing').length === 600);
  expect(Math.max(...receiver.at('/growing').map(({ openBefore }) => openBefore + 1))).toBe(MAX_SLOTS);
});

it('the engine signs waiting deliveries with a new secret, and sends nothing more to a deleted webhook', async () => {
  const id = await newHook('/rotated', 1500);
  start();
  const received = () => receiver.at('/rotated');
  await until(() => received().length === 1500);
  // The webhook responded fast, so many deliveries are read for it at a time.
  receiver.answers(({ path }) => (path === '/rotated' ? 0 : 200));
  await newEvents('/slow', 600);
  const isFull = () => receiver.open('/rotated').length === MAX_SLOTS;
  await until(isFull);
  const { body } = await api.rest('POST', `/webhooks/${id}/rotate_secret`, { body: {} });
  await engineHasPassed();
  for (let round = 0; round < 3; round++) {
    receiver.release(receiver.open('/rotated'));
    await until(isFull);
  }
  const later = received().slice(1500 + MAX_SLOTS);
  expect(later).toHaveLength(3 * MAX_SLOTS);
  expect(later.filter(request => !isSignedBy(request, body.secret))).toEqual([]);
  expect((await api.rest('DELETE', `/webhooks/${id}`)).status).toBe(204);
  await engineHasPassed();
  receiver.release(receiver.open('/rotated'));
  await engineHasPassed();
  expect(received()).toHaveLength(1500 + 4 * MAX_SLOTS);
});

it('the engine reads no more bytes than requested, even if events are large', async () => {
  const long = 'x'.repeat(200_000);
  receiver.answers(() => 0);
  const ids = [];
  for (let i = 0; i < 20; i++) ids.push(await newHook(`/long-${i}`, 0));
  await db().event.createMany({
    data: Array.from({ length: 40 }, (_, i) => ({ ...newEventRow(), object_id: `t${i}`, object: { long } })),
  });
  const workerId = randomUUID();
  await acquireLeases(db(), workerId, ids);
  const requests = ids.map(id => ({
    id,
    max_rows: 40,
    max_retries: 40,
    max_bytes: 1_000_000,
    from_sequence: 0,
    held: [],
  }));
  const webhooks = await readQueue(db(), workerId, requests);
  expect(webhooks.map(({ deliveries }) => deliveries.length)).toEqual(Array(20).fill(5));
});
