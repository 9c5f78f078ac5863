/** How many deliveries a webhook gets at once, and that a slow one does not delay the others. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLeases, readQueue } from '../../src/webhooks/delivery/leases';
import { isSignedBy } from '../harness/webhooks/endpoint';
import { INITIAL_SLOTS, MAX_SLOTS, testEngine, until } from '../harness/webhooks/engine';

const { api, receiver, db, start, newEventRow, newHook } = testEngine();

it('probes an endpoint that times out with one attempt at a time, however long each takes', async () => {
  receiver.answers(() => 0);
  await newHook('/probed', 200);
  // Longer than the breaker stays open at first.
  const stop = start(1200);
  const requestCount = () => receiver.at('/probed').length;
  await until(() => requestCount() >= INITIAL_SLOTS + 3);
  await stop();
  expect(requestCount()).toBeLessThan(INITIAL_SLOTS + 10);
});

it('delivers without delay while another endpoint is silent, and to that one when it is back', async () => {
  let isBack = false;
  receiver.answers(({ path }) => (path === '/silent' && !isBack ? 0 : 200));
  await newHook('/silent', 200);
  const stop = start(3000);
  await until(() => receiver.at('/silent').length === INITIAL_SLOTS);
  const startedAt = Date.now();
  // These events go to the silent one too.
  await newHook('/beside', 200);
  await until(() => receiver.at('/beside').length === 200);
  // Less than the timeout for the silent one.
  expect(Date.now() - startedAt).toBeLessThan(3000);
  isBack = true;
  await until(() => new Set(receiver.at('/silent').map(({ body }) => body.id)).size === 400);
  await stop();
});

it('raises the concurrency of a webhook that answers, up to fifty', async () => {
  let [inFlight, maxInFlight] = [0, 0];
  receiver.answers(async () => {
    inFlight += 1;
    maxInFlight = Math.max(maxInFlight, inFlight);
    await sleep(60);
    inFlight -= 1;
    return 200;
  });
  await newHook('/growing', 600);
  const stop = start(10_000);
  await until(() => receiver.at('/growing').length >= INITIAL_SLOTS);
  expect(maxInFlight).toBe(INITIAL_SLOTS);
  await until(() => receiver.at('/growing').length === 600);
  await stop();
  expect(maxInFlight).toBe(MAX_SLOTS);
});

it('signs waiting deliveries with a new secret, and sends nothing more to a deleted webhook', async () => {
  receiver.answers(() => 200);
  const id = await newHook('/rotated', 1500);
  const stop = start(10_000);
  const received = () => receiver.at('/rotated');
  await until(() => received().length === 1500);
  // It was fast, so many deliveries are read for it at once.
  receiver.answers(async () => sleep(500, 200));
  await db().event.createMany({
    data: Array.from({ length: 600 }, (_, i) => ({ ...newEventRow(), object_id: `tslow${i}` })),
  });
  await until(() => received().length >= 1500 + MAX_SLOTS);
  const { body } = await api.rest('POST', `/webhooks/${id}/rotate_secret`, { body: {} });
  const countBefore = received().length;
  await until(() => received().length >= countBefore + 3 * MAX_SLOTS);
  // Except for those that were sent while the secret was being rotated.
  const later = received().slice(countBefore + MAX_SLOTS);
  expect(later.filter(request => !isSignedBy(request, body.secret))).toEqual([]);
  expect((await api.rest('DELETE', `/webhooks/${id}`)).status).toBe(204);
  const countAtDeletion = received().length;
  await sleep(1500);
  expect(received().length - countAtDeletion).toBeLessThanOrEqual(MAX_SLOTS);
  await stop();
});

it('reads no more bytes than requested, however long the events are', async () => {
  const long = 'x'.repeat(200_000);
  receiver.answers(() => 0);
  const ids = [];
  for (let i = 0; i < 20; i++) ids.push(await newHook(`/long-${i}`, 0));
  await db().event.createMany({
    data: Array.from({ length: 40 }, (_, i) => ({ ...newEventRow(), object_id: `t${i}`, object: { long } })),
  });
  const workerId = randomUUID();
  await acquireLeases(db(), workerId, ids);
  const requests = ids.map(id => ({ id, max_rows: 40, max_bytes: 1_000_000, from_sequence: 0 }));
  const webhooks = await readQueue(db(), workerId, requests, []);
  expect(webhooks.map(({ deliveries }) => deliveries.length)).toEqual(Array(20).fill(5));
});
