/** What became of an attempt is written down once, by whoever comes first. */

import { type AttemptResult, recordAttempts } from '../../src/webhooks/delivery/recordAttempts';
import { recordDelivered } from '../../src/webhooks/delivery/recordDelivered';
import { inDatabase } from '../harness/servers/database';
import { testEngine } from '../harness/webhooks/engine';

const { api, db, newHook } = testEngine();

/** A webhook with so many deliveries, and first attempts at them that were answered like that. */
async function attempted(count: number, status: number): Promise<AttemptResult[]> {
  const webhook_id = await newHook('/outcomes', count);
  const rows = await db().queuedDelivery.findMany({ where: { webhook_id }, orderBy: { sequence: 'asc' } });
  return rows.map(({ delivery_id: id, sequence }) => ({
    id,
    webhook_id,
    sequence: Number(sequence),
    attempts: 0,
    verifies: false,
    at: Date.parse('2026-11-15T12:00:00Z'),
    status,
    answer: `it's "${status}", {ok}\n\\`,
    ms: 7,
  }));
}
const answeredWith = (status: number, all: AttemptResult[]) => all.map(one => ({ ...one, status }));

/** Each as its merchant sees it. */
const shown = async (webhook_id = '') => {
  const { body } = await api.rest('GET', `/webhooks/${webhook_id}/deliveries?limit=100`);
  return body.map(({ status, attempts }: { status: string; attempts: { status: number }[] }) => [
    status,
    attempts.map(attempt => attempt.status),
  ]);
};

it('keeps of an attempt when it was made, how long it took, and the answer to the letter', async () => {
  const [one, other] = await attempted(2, 200);
  if (!one || !other) throw new Error('there are none');
  await recordDelivered(db(), [one]);
  await recordAttempts(db(), [{ ...other, status: 500 }]);
  const { body } = await api.rest('GET', `/webhooks/${one.webhook_id}/deliveries`);
  const log = { number: 1, date: '2026-11-15T07:00:00-05:00', duration: 7, error: null, answer: one.answer };
  expect(new Map(body.map(({ id, attempts }: { id: string; attempts: unknown[] }) => [id, attempts]))).toEqual(
    new Map([
      [one.id, [{ ...log, status: 200 }]],
      [other.id, [{ ...log, status: 500 }]],
    ]),
  );
});

it('is new as long as it waits, and has then arrived or is tried again', async () => {
  const all = await attempted(6, 200);
  const [first] = all;
  await recordDelivered(db(), all.slice(0, 3));
  await recordAttempts(db(), answeredWith(500, all.slice(3, 5)));
  const count = async (status: string) =>
    (await api.rest('GET', `/webhooks/${first?.webhook_id}/deliveries?status=${status}`)).body.length;
  expect([await count('new'), await count('delivered'), await count('retrying'), await count('failed')]).toEqual([
    1, 3, 2, 0,
  ]);
});

it('is listed before what came before it, also where that was in the same moment', async () => {
  const all = await attempted(30, 200);
  const { body } = await api.rest('GET', `/webhooks/${all[0]?.webhook_id}/deliveries?limit=20&offset=5`);
  const newestFirst = all.map(({ id }) => id).reverse();
  expect(body.map(({ id }: { id: string }) => id)).toEqual(newestFirst.slice(5, 25));
});

it('has arrived, though somebody else says later that it failed', async () => {
  const all = await attempted(1, 200);
  await recordDelivered(db(), all);
  await recordDelivered(db(), all);
  expect(await recordAttempts(db(), answeredWith(500, all))).toEqual([]);
  expect(await shown(all[0]?.webhook_id)).toEqual([['delivered', [200]]]);
});

it('is tried again, though somebody else says later that it arrived', async () => {
  const all = await attempted(1, 500);
  await recordAttempts(db(), all);
  await recordDelivered(db(), answeredWith(200, all));
  await recordAttempts(db(), all);
  expect(await shown(all[0]?.webhook_id)).toEqual([['retrying', [500]]]);
  expect(await db().outbox.count({ where: { kind: 'delivery', object_id: all[0]?.id } })).toBe(1);
});

it('is what one of them says, where many say different things at once', async () => {
  const all = await attempted(40, 200);
  await Promise.allSettled(
    Array.from({ length: 10 }, (_, i) =>
      i % 2 ? recordDelivered(db(), all) : recordAttempts(db(), answeredWith(500, all)),
    ),
  );
  const states = new Set((await shown(all[0]?.webhook_id)).map((state: unknown) => JSON.stringify(state)));
  for (const state of states) expect(['["delivered",[200]]', '["retrying",[500]]']).toContain(state);
  expect(await db().queuedDelivery.count({ where: { webhook_id: all[0]?.webhook_id } })).toBe(0);
});

it('leaves nothing behind, where its webhook is deleted meanwhile', async () => {
  const all = await attempted(300, 200);
  const id = all[0]?.webhook_id;
  const answers = await Promise.all([
    api.rest('DELETE', `/webhooks/${id}`),
    ...Array.from({ length: 6 }, (_, i) => {
      const some = all.slice(i * 50, i * 50 + 50);
      return i % 2 ? recordDelivered(db(), some) : recordAttempts(db(), answeredWith(500, some));
    }),
  ]);
  expect(answers[0]).toMatchObject({ status: 204 });
  const { rows } = await inDatabase(api.database.url(), client =>
    client.query(
      `select (select count(*)::integer from delivery_queue) as queue, count(*)::integer as log from delivery_attempts`,
    ),
  );
  expect(rows).toEqual([{ queue: 0, log: 0 }]);
});
