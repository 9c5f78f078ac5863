/** A webhook that fails for days is disabled, and its pending deliveries fail. */
import { until } from '../../harness/flow/until';
import { testLaterAttempts } from '../../harness/webhooks/laterAttempts';

const { api, receiver, db, start, engineHasPassed, newEvents, newHook, ...later } = testLaterAttempts();
const { deliver, rowOf, makeDue, queued, newFailed, requeue } = later;

describe('a failing webhook', () => {
  const FOUR_DAYS_AGO = new Date(Date.now() - 4 * 86_400_000);
  const statusOf = async (id: string) => (await db().webhook.findUniqueOrThrow({ where: { id } })).status;
  const failsSince = (id: string, failing_since: Date | null) =>
    db().webhook.update({ where: { id }, data: { failing_since } });

  it('is disabled after three days by a retry, not by a first attempt', async () => {
    const { webhook_id, ids } = await newFailed('/disabled', 2);
    await failsSince(webhook_id, FOUR_DAYS_AGO);
    receiver.answers(({ path }) => (path === '/disabled' ? 500 : 200));
    await newEvents('/first', 1);
    start();
    await until(async () => (await queued(webhook_id)).length === 0);
    await engineHasPassed();
    expect(await statusOf(webhook_id)).toBe('verified');
    await requeue(ids.slice(0, 1));
    await until(async () => (await statusOf(webhook_id)) === 'disabled');
    expect(await db().event.count({ where: { type: 'webhook.disabled', object_id: webhook_id } })).toBe(1);
    expect(await db().outbox.count({ where: { kind: 'webhook_mail', object_id: webhook_id } })).toBe(1);
  });

  it('is disabled at once by a response 410 Gone, with the reason, and enabled by its code', async () => {
    receiver.answers(({ path }) => (path === '/gone' ? 410 : 200));
    const webhook_id = await newHook('/gone', 1);
    start();
    await until(async () => (await statusOf(webhook_id)) === 'disabled');
    const shown = async () => (await api.rest('GET', `/webhooks/${webhook_id}`)).body;
    expect(await shown()).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
    const [event] = await db().event.findMany({ where: { type: 'webhook.disabled', object_id: webhook_id } });
    expect(event?.object).toMatchObject({ disabled_reason: 'gone' });
    expect(await db().outbox.count({ where: { kind: 'webhook_mail', object_id: webhook_id } })).toBe(1);
    const { verification_code } = await db().webhook.findUniqueOrThrow({ where: { id: webhook_id } });
    expect((await api.rest('POST', `/webhooks/${webhook_id}/verify/${verification_code}`)).status).toBe(204);
    expect(await shown()).toMatchObject({ status: 'verified', disabled_reason: null });
  });

  it('is not disabled if another delivery succeeded during the failing attempt', async () => {
    const { webhook_id, ids } = await newFailed('/recovered', 1);
    await failsSince(webhook_id, FOUR_DAYS_AGO);
    receiver.answers(async () => {
      await failsSince(webhook_id, null);
      return 500;
    });
    await requeue(ids);
    const stop = start();
    await until(async () => (await queued(webhook_id)).length === 0);
    await stop();
    expect(await statusOf(webhook_id)).toBe('verified');
  });

  it('receives nothing more after it is disabled, and its pending deliveries fail, queued or not', async () => {
    const { webhook_id, ids } = await newFailed('/given-up', 3);
    const [waiting = '', due = '', inQueue = ''] = ids;
    await requeue([inQueue]);
    await makeDue(due);
    // The delay of ten seconds must not end during the test.
    await db().delivery.update({ where: { id: waiting }, data: { next_at: new Date('2099-01-01Z') } });
    await db().webhook.update({ where: { id: webhook_id }, data: { status: 'disabled' } });
    start();
    await engineHasPassed();
    const last = { attempt: 1, status: '500', text: 'attempt 1 returned HTTP 500' };
    const until = expect.stringMatching(/^20.*-05:00$/);
    expect(await deliver(waiting)).toEqual({ waitMs: expect.any(Number), attempt: 2, until, last });
    for (const id of [due, inQueue]) {
      expect(await deliver(id)).toMatchObject({ over: 'failed', last });
      expect(await rowOf(id)).toMatchObject({ status: 'failed', attempts: 1, next_at: null });
    }
    expect([await queued(webhook_id), receiver.at('/given-up')]).toEqual([[], []]);
  });
});
