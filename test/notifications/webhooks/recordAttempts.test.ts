/** The result of an attempt is recorded once, by the first process that reports it. */
import { type AttemptResult, recordAttempts } from '../../../src/notifications/webhooks/delivery/attempts/rows';
import { PATIENCE } from '../../harness/servers/database';
import { testEngine } from '../../harness/webhooks/engine';
import { inDatabase } from '../../harness/world/database';

const { api, db, newHook } = testEngine();
/** Creates a webhook with this number of deliveries, and returns first results with this HTTP status. */
async function newResults(count: number, status: number): Promise<AttemptResult[]> {
  const webhook_id = await newHook('/outcomes', count);
  const rows = await db().queuedDelivery.findMany({ where: { webhook_id }, orderBy: { sequence: 'asc' } });
  return rows.map(({ delivery_id: id, sequence }) => ({
    id,
    webhook_id,
    sequence: Number(sequence),
    previousAttempts: 0,
    isVerification: false,
    startedAt: Date.parse('2026-11-15T12:00:00Z'),
    status,
    answer: `it's "${status}", {ok}\n\\`,
    durationMs: 7,
  }));
}
const withStatus = (status: number, results: AttemptResult[]) => results.map(result => ({ ...result, status }));

/** The status of each delivery and of its attempts, as the merchant sees them. */
const listStatuses = async (webhook_id = '') => {
  const { body } = await api.rest('GET', `/webhooks/${webhook_id}/deliveries?limit=100`);
  return body.map(({ status, attempts }: { status: string; attempts: { status: number }[] }) => [
    status,
    attempts.map(attempt => attempt.status),
  ]);
};

it('the log shows the time and duration of an attempt, and the exact response', async () => {
  const [delivered, failed] = await newResults(2, 200);
  if (!delivered || !failed) throw new Error('there are no results');
  await recordAttempts(db(), [delivered, { ...failed, status: 500 }]);
  const { body } = await api.rest('GET', `/webhooks/${delivered.webhook_id}/deliveries`);
  const log = { number: 1, date: '2026-11-15T07:00:00-05:00', duration: 7, error: null, answer: delivered.answer };
  expect(new Map(body.map(({ id, attempts }: { id: string; attempts: unknown[] }) => [id, attempts]))).toEqual(
    new Map([
      [delivered.id, [{ ...log, status: 200 }]],
      [failed.id, [{ ...log, status: 500 }]],
    ]),
  );
});

it('a delivery is pending until its first attempt has ended, then delivered or retrying', async () => {
  const results = await newResults(6, 200);
  const [first] = results;
  await recordAttempts(db(), [...results.slice(0, 3), ...withStatus(500, results.slice(3, 5))]);
  const count = async (status: string) =>
    (await api.rest('GET', `/webhooks/${first?.webhook_id}/deliveries?status=${status}`)).body.length;
  expect([await count('pending'), await count('delivered'), await count('retrying'), await count('failed')]).toEqual([
    1, 3, 2, 0,
  ]);
});

it('deliveries are listed newest first, even when they have the same time', async () => {
  const results = await newResults(30, 200);
  const { body } = await api.rest('GET', `/webhooks/${results[0]?.webhook_id}/deliveries?limit=20&offset=5`);
  const newestFirst = results.map(({ id }) => id).reverse();
  expect(body.map(({ id }: { id: string }) => id)).toEqual(newestFirst.slice(5, 25));
});

it('a delivered delivery stays delivered when another process records a failure later', async () => {
  const results = await newResults(1, 200);
  await recordAttempts(db(), results);
  await recordAttempts(db(), results);
  await recordAttempts(db(), withStatus(500, results));
  expect(await listStatuses(results[0]?.webhook_id)).toEqual([['delivered', [200]]]);
});

it('a delivery that was failed during an attempt stays failed, unless the attempt succeeds', async () => {
  const results = await newResults(2, 500);
  const [webhook_id, arrived] = [results[0]?.webhook_id ?? '', results[1]?.id];
  await db().delivery.updateMany({ where: { webhook_id }, data: { status: 'failed', next_at: null } });
  await recordAttempts(
    db(),
    results.map(result => ({ ...result, status: result.id === arrived ? 200 : 500 })),
  );
  expect(await listStatuses(webhook_id)).toEqual([
    ['delivered', [200]],
    ['failed', [500]],
  ]);
  expect(await db().delivery.count({ where: { webhook_id, next_at: { not: null } } })).toBe(0);
});

it('a retrying delivery stays retrying when another process records a success of the same attempt later', async () => {
  const results = await newResults(1, 500);
  await recordAttempts(db(), results);
  await recordAttempts(db(), withStatus(200, results));
  await recordAttempts(db(), results);
  expect(await listStatuses(results[0]?.webhook_id)).toEqual([['retrying', [500]]]);
  expect(await db().outbox.count({ where: { kind: 'delivery', object_id: { in: results.map(({ id }) => id) } } })).toBe(
    1,
  );
});

it('one of many different concurrent results of an attempt is recorded', async () => {
  const results = await newResults(40, 200);
  await Promise.allSettled(
    Array.from({ length: 10 }, (_, i) => recordAttempts(db(), withStatus(i % 2 ? 200 : 500, results))),
  );
  const states = new Set((await listStatuses(results[0]?.webhook_id)).map((state: unknown) => JSON.stringify(state)));
  for (const state of states) expect(['["delivered",[200]]', '["retrying",[500]]']).toContain(state);
  expect(
    await db().queuedDelivery.count({ where: { webhook_id: { in: results.map(({ webhook_id }) => webhook_id) } } }),
  ).toBe(0);
});

it('no rows are left behind when the webhook is deleted before the result is recorded', async () => {
  const results = await newResults(300, 200);
  const id = results[0]?.webhook_id;
  const answers = await Promise.all([
    api.rest('DELETE', `/webhooks/${id}`),
    ...Array.from({ length: 6 }, (_, i) => {
      const batch = results.slice(i * 50, i * 50 + 50);
      return recordAttempts(db(), withStatus(i % 2 ? 200 : 500, batch));
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

it('an attempt without a response is logged with its error, cut to the length of the column', async () => {
  const [result] = await newResults(1, 200);
  if (!result) throw new Error('there is no result');
  const { status: _, answer: __, ...unanswered } = result;
  await recordAttempts(db(), [{ ...unanswered, error: 'x'.repeat(300) }]);
  const { body } = await api.rest('GET', `/webhooks/${result.webhook_id}/deliveries`);
  expect(body[0].attempts).toMatchObject([{ status: null, answer: null, error: 'x'.repeat(250) }]);
});

it('a webhook with a success and a failure in one batch is not failing', async () => {
  const results = await newResults(4, 500);
  const webhook = async () => (await api.rest('GET', `/webhooks/${results[0]?.webhook_id}`)).body;
  await recordAttempts(db(), results.slice(0, 1));
  expect((await webhook()).failing_since).not.toBeNull();
  await recordAttempts(db(), [...results.slice(1, 2), ...withStatus(204, results.slice(2))]);
  expect((await webhook()).failing_since).toBeNull();
});

describe('the delay that an endpoint asks for', () => {
  /** Seconds until the next attempt; undefined if there is none. */
  const delayAfter = async (result: AttemptResult): Promise<number | undefined> => {
    await db().delivery.update({ where: { id: result.id }, data: { attempts: result.previousAttempts } });
    const before = Date.now();
    await recordAttempts(db(), [{ ...result, status: 503 }]);
    const { next_at } = await db().delivery.findUniqueOrThrow({ where: { id: result.id } });
    return next_at ? Math.round((next_at.getTime() - before) / 10_000) * 10 : undefined;
  };

  it.each([
    ['shorter than the planned delay', { previousAttempts: 2, retryAfterSeconds: 5 }, 60],
    ['longer', { retryAfterSeconds: 600 }, 600],
    ['longer than a day', { retryAfterSeconds: 999_999_999 }, 86_400],
  ])('%s', async (_, asked, expected) => {
    const [result] = await newResults(1, 503);
    if (!result) throw new Error('there is no result');
    expect(await delayAfter({ ...result, ...asked })).toBe(expected);
  });

  it('leaves fewer attempts, so that the last one is within three days', async () => {
    const [result] = await newResults(1, 503);
    if (!result) throw new Error('there is no result');
    const delays: number[] = [];
    for (let previousAttempts = 0; ; previousAttempts++) {
      const delay = await delayAfter({ ...result, previousAttempts, retryAfterSeconds: 80_000 });
      if (delay === undefined) break;
      delays.push(delay);
    }
    expect(delays.slice(0, 3)).toEqual([80_000, 80_000, 80_000]);
    expect(delays.reduce((sum, delay) => sum + delay, 0)).toBeLessThanOrEqual(259_200);
    expect(await db().delivery.findUnique({ where: { id: result.id } })).toMatchObject({ status: 'failed' });
  });
});

it('a delivery is updated in place, so that no index grows', async () => {
  const results = await newResults(500, 200);
  const counts = await db().$transaction(async tx => {
    // The counters include earlier writes of this connection that were not reported yet.
    const read = async () => {
      const [row] = await tx.$queryRaw<{ all: bigint; in_place: bigint }[]>`
        select pg_stat_get_xact_tuples_updated('deliveries'::regclass) as all,
          pg_stat_get_xact_tuples_hot_updated('deliveries'::regclass) as in_place`;
      return [Number(row?.all), Number(row?.in_place)] as const;
    };
    const before = await read();
    await recordAttempts(tx as ReturnType<typeof db>, results);
    const after = await read();
    return [after[0] - before[0], after[1] - before[1]];
  }, PATIENCE);
  expect(counts).toEqual([500, 500]);
});
