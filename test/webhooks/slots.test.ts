/** How much goes to a webhook at once, and what it costs the others. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLeases, readQueue } from '../../src/webhooks/delivery/leases';
import { isSignedBy } from '../harness/webhooks/endpoint';
import { INITIAL_SLOTS, MAX_SLOTS, testEngine, until } from '../harness/webhooks/engine';

const { api, receiver, db, start, anEvent, newHook } = testEngine();

it('looks at one that times out with one attempt at a time, however long each takes', async () => {
  receiver.answers(() => 0);
  await newHook('/probed', 200);
  // Longer than the first pauses between two looks.
  const stop = start(1200);
  const tried = () => receiver.at('/probed').length;
  await until(() => tried() >= INITIAL_SLOTS + 3);
  await stop();
  expect(tried()).toBeLessThan(INITIAL_SLOTS + 10);
});

it('delivers to one at once while another says nothing, and to that one when it is back', async () => {
  let isBack = false;
  receiver.answers(({ path }) => (path === '/silent' && !isBack ? 0 : 200));
  await newHook('/silent', 200);
  const stop = start(3000);
  await until(() => receiver.at('/silent').length === INITIAL_SLOTS);
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
  await until(() => receiver.at('/growing').length >= INITIAL_SLOTS);
  expect(most).toBe(INITIAL_SLOTS);
  await until(() => receiver.at('/growing').length === 600);
  await stop();
  expect(most).toBe(MAX_SLOTS);
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
  await until(() => at().length >= 1500 + MAX_SLOTS);
  const { body } = await api.rest('POST', `/webhooks/${id}/rotate_secret`, { body: {} });
  const before = at().length;
  await until(() => at().length >= before + 3 * MAX_SLOTS);
  // But for what went out while it was being said.
  const later = at().slice(before + MAX_SLOTS);
  expect(later.filter(one => !isSignedBy(one, body.secret))).toEqual([]);
  expect((await api.rest('DELETE', `/webhooks/${id}`)).status).toBe(204);
  const told = at().length;
  await sleep(1500);
  expect(at().length - told).toBeLessThanOrEqual(MAX_SLOTS);
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
    await acquireLeases(db(), me, ids);
    return readQueue(
      db(),
      me,
      ids.map(id => ({ id, count: 40, bytes: 1_000_000, from: 0 })),
      [],
    );
  })();
  expect(found.map(({ deliveries }) => deliveries.length)).toEqual(Array(20).fill(5));
});
