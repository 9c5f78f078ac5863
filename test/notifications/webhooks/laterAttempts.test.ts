/** Retries: their times, and their concurrency with first attempts. */
import { randomUUID } from 'node:crypto';
import { recordAttempts } from '../../../src/notifications/webhooks/delivery/attempts/rows';
import { acquireLeases, readQueue } from '../../../src/notifications/webhooks/delivery/rows';
import { sweepActivities } from '../../../src/operations/background/sweep';
import { freezeClock } from '../../harness/flow/frozenClock';
import { until } from '../../harness/flow/until';
import { INITIAL_SLOTS } from '../../harness/webhooks/engine';
import { testLaterAttempts } from '../../harness/webhooks/laterAttempts';
import { inDatabase } from '../../harness/world/database';

const { api, receiver, db, start, engineHasPassed, newEvents, newEventRow, newHook, ...later } = testLaterAttempts();
const { deliver, rowOf, makeDue, queued, nextResult, newFailed, requeue } = later;
const MAX_RETRIES_AT_ONCE = 5;

describe('the times of retries', () => {
  it('a delivery fails after seventeen attempts within three days, with growing delays', async () => {
    // The first delay of ten seconds must not end before the test has read it.
    freezeClock();
    const { webhook_id, ids } = await newFailed('/seventeen', 1);
    const [id = ''] = ids;
    const delays: number[] = [];
    while ((await rowOf(id)).status === 'retrying') {
      const [row] = await db().$queryRaw<{ seconds: number }[]>`
        select extract(epoch from next_at - max(date))::float as seconds
        from deliveries join delivery_attempts using (sequence) where id = ${id} group by next_at`;
      delays.push(row?.seconds ?? 0);
      expect(await deliver(id)).toMatchObject({ waitMs: expect.any(Number), attempt: delays.length + 1 });
      expect(await queued(webhook_id)).toEqual([]);
      await requeue([id]);
      expect(await queued(webhook_id)).toMatchObject([{ delivery_id: id, attempts: delays.length }]);
      await recordAttempts(db(), [await nextResult(id, 500)]);
    }
    const { attempts, sequence, status, next_at } = await rowOf(id);
    const loggedAttempts = await db().deliveryAttempt.count({ where: { sequence } });
    expect([attempts, loggedAttempts, status, next_at]).toEqual([17, 17, 'failed', null]);
    expect(await deliver(id)).toMatchObject({
      over: 'failed',
      last: { attempt: 17, status: '500' },
      problem: 'attempt 17 returned HTTP 500: no retries left',
    });
    expect(await queued(webhook_id)).toEqual([]);
    expect(delays).toEqual(delays.toSorted((a, b) => a - b));
    expect(delays).toHaveLength(16);
    expect(delays.reduce((sum, delay) => sum + delay, 0) / 86_400).toBeCloseTo(3, 1);
  });

  it('a delivery is queued once, even if its workflow requests it several times', async () => {
    const { webhook_id, ids } = await newFailed('/once', 1);
    await requeue([...ids, ...ids, ...ids]);
    expect(await queued(webhook_id)).toMatchObject([{ delivery_id: ids[0], attempts: 1 }]);
  });

  it('a delivery whose attempt is being recorded is not queued again', async () => {
    const { webhook_id, ids } = await newFailed('/recorded', 1);
    const [id = ''] = ids;
    await requeue(ids);
    const step = await inDatabase(api.database.url(), async client => {
      await client.query('begin');
      await client.query(`update deliveries set status = 'delivered', attempts = 2, next_at = null where id = $1`, [
        id,
      ]);
      await client.query('delete from delivery_queue where delivery_id = $1', [id]);
      const asking = deliver(id);
      await until(async () => {
        const blocked = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
        return (await client.query(blocked)).rowCount === 1;
      });
      await client.query('commit');
      return asking;
    });
    expect(step).toMatchObject({ waitMs: expect.any(Number), attempt: 2, until: null });
    expect(await queued(webhook_id)).toEqual([]);
    expect(await deliver(id)).toMatchObject({ over: 'delivered' });
  });

  it('the first of two results of an attempt is recorded, and the retry stays in the queue', async () => {
    const { webhook_id, ids } = await newFailed('/twice', 1);
    const [id = ''] = ids;
    await requeue(ids);
    const late = await nextResult(id, 200);
    await recordAttempts(db(), [await nextResult(id, 500)]);
    await requeue(ids);
    await recordAttempts(db(), [late]);
    expect(await rowOf(id)).toMatchObject({ status: 'retrying', attempts: 2 });
    expect(await queued(webhook_id)).toMatchObject([{ attempts: 2 }]);
  });

  it('the sweep puts a delivery with a lost workflow into the outbox again, unless it is queued', async () => {
    const { webhook_id, ids } = await newFailed('/lost', 2);
    await requeue(ids.slice(1));
    await makeDue(ids[0] ?? '');
    const sweep = async () => {
      await db().outbox.deleteMany();
      await sweepActivities(db(), api.temporal())
        .sweepExpired()
        .catch(() => undefined);
      const rows = await db().outbox.findMany({ where: { kind: 'delivery' } });
      return rows.map(({ object_id }) => object_id).sort();
    };
    expect(await sweep()).toEqual(ids.slice(0, 1));
    // The webhook is disabled now, so its workflow must fail the delivery.
    await db().webhook.update({ where: { id: webhook_id }, data: { status: 'disabled' } });
    expect(await sweep()).toEqual(ids.toSorted());
  });
});

describe('the engine', () => {
  it('makes retries like first attempts, logs them and notifies their workflow', async () => {
    const { webhook_id, ids } = await newFailed('/again', 3);
    await requeue(ids);
    await db().outbox.deleteMany();
    start();
    await until(async () => (await queued(webhook_id)).length === 0);
    const rows = await db().delivery.findMany({ where: { webhook_id } });
    expect(rows).toMatchObject(Array(3).fill({ status: 'delivered', attempts: 2, next_at: null }));
    const { body } = await api.rest('GET', `/webhooks/${webhook_id}/deliveries`);
    const statuses = body.map(({ attempts }: { attempts: { status: number }[] }) => attempts.map(a => a.status));
    expect(statuses).toEqual(Array(3).fill([500, 200]));
    const nudges = await db().outbox.findMany({ where: { kind: 'delivery' } });
    expect(nudges.map(({ object_id }) => object_id).sort()).toEqual(ids.toSorted());
  });

  it('makes five retries at a time at an endpoint, beside its first attempts, until all are made', async () => {
    receiver.answers(() => 0);
    const { ids } = await newFailed('/beside-first', 60);
    await requeue(ids);
    await newEvents('/first', 60);
    start();
    await until(() => receiver.open('/beside-first').length === INITIAL_SLOTS);
    await engineHasPassed();
    const failed = new Set((await db().delivery.findMany({ where: { id: { in: ids } } })).map(row => row.event_id));
    expect(receiver.open('/beside-first').filter(({ body }) => failed.has(body.id))).toHaveLength(MAX_RETRIES_AT_ONCE);
    expect(receiver.open('/beside-first')).toHaveLength(INITIAL_SLOTS);
    receiver.releaseAll();
    await until(() => receiver.at('/beside-first').length === 120);
    await until(async () => (await db().delivery.count({ where: { status: 'delivered' } })) >= 120);
  });

  it('makes a retry while another event of its object is in flight, and that event although the retry fails', async () => {
    const webhook_id = await newHook('/object', 0);
    const newEvent = () => db().event.create({ data: { ...newEventRow(), object_id: 't-one' } });
    const failed = await newEvent();
    const [{ delivery_id = '' } = {}] = await queued(webhook_id);
    await recordAttempts(db(), [await nextResult(delivery_id, 500)]);
    receiver.answers(({ body }) => (body.id === failed.id ? 500 : 0));
    const under_way = await newEvent();
    start();
    await until(() => receiver.open('/object').length === 1);
    await requeue([delivery_id]);
    await until(() => receiver.at('/object').some(({ body }) => body.id === failed.id));
    expect(receiver.open('/object').map(({ body }) => body.id)).toEqual([under_way.id]);
    const next = await newEvent();
    receiver.release(receiver.open('/object'));
    await until(() => receiver.at('/object').some(({ body }) => body.id === next.id));
  });

  it('reads due retries at any position of the queue of first attempts', async () => {
    const { webhook_id, ids } = await newFailed('/found', 3);
    await requeue(ids);
    const workerId = randomUUID();
    await acquireLeases(db(), workerId, [webhook_id]);
    const request = { id: webhook_id, max_rows: 10, max_bytes: 1_000_000, from_sequence: 1_000_000_000 };
    const read = async (max_retries: number, held: number[] = []) => {
      const [webhook] = await readQueue(db(), workerId, [{ ...request, max_retries, held }]);
      return webhook?.deliveries.map(({ id, previousAttempts }) => [id, previousAttempts]);
    };
    expect(await read(2)).toEqual(ids.slice(0, 2).map(id => [id, 1]));
    const { sequence } = await rowOf(ids[0] ?? '');
    expect(await read(2, [Number(sequence)])).toEqual(ids.slice(1).map(id => [id, 1]));
    expect(await read(0)).toEqual([]);
  });

  it('releases the slot of an attempt that could not start', async () => {
    const { webhook_id, ids } = await newFailed('/unreadable', 1);
    await requeue(ids);
    await db().webhook.update({ where: { id: webhook_id }, data: { secret_sealed: Buffer.from('nonsense') } });
    const stop = start();
    await until(async () => (await queued(webhook_id)).length === 0);
    // The stop would wait for an attempt in flight.
    await stop();
    expect(await rowOf(ids[0] ?? '')).toMatchObject({ status: 'retrying', attempts: 2 });
    const log = await db().deliveryAttempt.findFirst({ where: { number: 2 } });
    expect(log).toMatchObject({ status: null, error: 'The request could not be sent' });
  });
});
