/** A delivery as its merchant sees it, with a real worker that makes it. */
import { retryUntilAnswered } from '../../src/embedded/managedProcess';
import { newId } from '../../src/platform/identifiers';
import { errorOf } from '../harness/servers/api';
import { isSignedBy } from '../harness/webhooks/endpoint';
import { testWebhooks, until } from '../harness/webhooks/webhooks';

const { shop, billing, api, post, receiver, db, read, newHook, typesAt, deliveries, pay } = testWebhooks();

it('is signed, in order for one transaction, and of the chosen types only', async () => {
  const all = await newHook();
  const some = await newHook({ event_types: ['charge.succeeded', 'CHARGE.REFUNDED'] });
  const token = await shop.newToken();
  const { id } = (await post('/charges', { ...shop.charge, capture: false, source_id: token, customer: shop.payer }))
    .body;
  await post(`/charges/${id}/capture`, {});
  await post(`/charges/${id}/refund`, { amount: 1000 });
  const expected = ['charge.created', 'charge.succeeded', 'charge.refunded'];
  const ofIt = (path: string) => receiver.at(path).filter(({ body }) => body.transaction?.id === id);
  await until(() => ofIt(all.path).length === 3 && ofIt(some.path).length === 2);
  expect(ofIt(all.path).map(({ body }) => body.type)).toEqual(expected);
  expect(ofIt(some.path).map(({ body }) => body.type)).toEqual(expected.slice(1));
  for (const one of ofIt(all.path)) expect(isSignedBy(one, all.secret)).toBe(true);
  const [created, succeeded] = ofIt(all.path);
  expect([created?.body.transaction.status, succeeded?.body.transaction.status]).toEqual(['in_progress', 'completed']);
  expect(created?.body.event_date).toMatch(/-05:00$/);
  const { body: event } = await api.rest('GET', `/events/${created?.body.id}`);
  expect(event).toMatchObject({ type: 'charge.created', transaction: created?.body.transaction });
});

it('that fails is tried again by a workflow until it arrives; later ones are not held back', async () => {
  const { id, path } = await newHook({ event_types: ['charge.succeeded'] });
  let refuses = true;
  receiver.answers(request => (request.path === path && refuses ? 503 : 200));
  await pay();
  const failed = await retryUntilAnswered(async () => {
    const [delivery] = await deliveries(id, '?status=retrying');
    if (!delivery) throw new Error('not yet');
    return delivery;
  }, 20);
  expect(failed).toMatchObject({
    event_type: 'charge.succeeded',
    attempts: [{ number: 1, status: 503, answer: 'thanks', duration: expect.any(Number) }],
    request: { url: receiver.url(path), body: expect.stringContaining('charge.succeeded') },
  });
  const workflow = billing.namespace.client().workflow.getHandle(`delivery-${failed.id}`);
  await retryUntilAnswered(() => workflow.describe(), 20);
  refuses = false;
  await pay();
  await until(async () => (await deliveries(id, '?status=delivered')).length === 2);
  await db().delivery.update({ where: { id: failed.id }, data: { next_at: new Date() } });
  await workflow.signal('nudge');
  expect(await workflow.result()).toBe('delivered');
  await billing.record('a delivery tried again', `delivery-${failed.id}`);
  const [again] = (await deliveries(id, `?event_id=${failed.event_id}`)) as { attempts: { status: number }[] }[];
  expect(again?.attempts.map(({ status }) => status)).toEqual([503, 200]);
});

it('can be sent again, one or a range of them, and a test event on demand', async () => {
  const { id, path } = await newHook();
  const charge = await pay();
  await until(() => typesAt(path).includes('charge.succeeded'));
  const [first] = await deliveries(id);
  expect((await post(`/webhooks/${id}/deliveries/${first.id}/redeliver`, {})).body.event_id).toBe(first.event_id);
  await until(() => receiver.at(path).filter(({ body }) => body.id === first.event_id).length === 2);
  const day = new Date(Date.now() - 5 * 3_600_000).toISOString().slice(0, 10);
  const { body } = await post(`/webhooks/${id}/redeliver`, { from: `${day}T00:00:00`, to: day });
  expect(body.count).toBe(
    await db().event.count({
      where: { merchant_id: api.merchants().own.id, type: { notIn: ['verification', 'test'] } },
    }),
  );
  await until(() => receiver.at(path).filter(({ body: sent }) => sent.transaction?.id === charge).length >= 3);
  expect((await post(`/webhooks/${id}/test`, {})).body.type).toBe('test');
  await until(() => typesAt(path).includes('test'));
  expect(errorOf(await post(`/webhooks/${id}/redeliver`, { from: '2027-01-02', to: '2027-01-01' }))).toBe(1003);
});

it('is signed by both secrets for a day after a rotation', async () => {
  const { id, secret, path } = await newHook();
  const { body } = await post(`/webhooks/${id}/rotate_secret`, {});
  await post(`/webhooks/${id}/test`, {});
  await until(() => typesAt(path).includes('test'));
  const got = receiver.at(path).at(-1);
  expect([got && isSignedBy(got, secret), got && isSignedBy(got, body.secret)]).toEqual([true, true]);
  await db().webhook.update({ where: { id }, data: { secret_old_until: new Date(0) } });
  await post(`/webhooks/${id}/test`, {});
  await until(() => typesAt(path).filter(type => type === 'test').length === 2);
  const later = receiver.at(path).at(-1);
  expect([later && isSignedBy(later, secret), later && isSignedBy(later, body.secret)]).toEqual([false, true]);
});

it('keeps the last two secrets, however many rotate at once', async () => {
  const { id, path } = await newHook();
  const rotated = await Promise.all(Array.from({ length: 6 }, () => post(`/webhooks/${id}/rotate_secret`, {})));
  await post(`/webhooks/${id}/test`, {});
  await until(() => typesAt(path).includes('test'));
  const got = receiver.at(path).at(-1);
  expect(rotated.filter(({ body }) => got && isSignedBy(got, body.secret))).toHaveLength(2);
});

it('has arrived with any 2xx, and with nothing else', async () => {
  const { id, path } = await newHook({ event_types: ['charge.succeeded'] });
  for (const [status, after] of [
    [204, 'delivered'],
    [299, 'delivered'],
    [302, 'retrying'],
    [400, 'retrying'],
  ] as const) {
    receiver.answers(request => (request.path === path ? status : 200));
    await pay();
    await until(async () => (await deliveries(id, '?limit=1'))[0]?.attempts[0]?.status === status);
    expect((await deliveries(id, '?limit=1'))[0].status).toBe(after);
  }
});

it('that was disabled gets what waited for it, once it is verified by its code again', async () => {
  const { id, path } = await newHook({ event_types: ['charge.succeeded'] });
  const code = receiver.at(path)[0]?.body.verification_code;
  await db().webhook.update({ where: { id }, data: { status: 'disabled' } });
  const [sent] = await deliveries(id);
  const waiting = await db().delivery.create({
    data: { id: newId('delivery'), webhook_id: id, event_id: sent.event_id },
  });
  await pay();
  expect((await post(`/webhooks/${id}/verify/${code}`, {})).status).toBe(204);
  await until(() => receiver.at(path).length === 2);
  // What happened meanwhile was not for it.
  expect(typesAt(path)).toEqual(['verification', 'verification']);
  const hasArrived = async (): Promise<boolean> =>
    (await deliveries(id, '?status=delivered')).some((one: { id: string }) => one.id === waiting.id);
  await until(hasArrived);
});

it('is given up with its webhook after three days: disabled, with an event and a letter', async () => {
  const witness = await newHook({ event_types: ['webhook.disabled'] });
  const { id, path } = await newHook();
  receiver.answers(request => (request.path === path ? 500 : 200));
  await pay();
  const [failed] = await retryUntilAnswered(async () => {
    const some = await deliveries(id, '?status=retrying');
    if (some.length === 0) throw new Error('not yet');
    return some;
  }, 20);
  const workflow = billing.namespace.client().workflow.getHandle(`delivery-${failed.id}`);
  await retryUntilAnswered(() => workflow.describe(), 20);
  await db().webhook.update({ where: { id }, data: { failing_since: new Date(Date.now() - 4 * 86_400_000) } });
  await db().delivery.update({ where: { id: failed.id }, data: { next_at: new Date() } });
  await workflow.signal('nudge');
  await until(async () => (await read(id)).status === 'disabled');
  await until(() => typesAt(witness.path).includes('webhook.disabled'));
  expect(receiver.at(witness.path).at(-1)?.body.webhook).toMatchObject({ id, status: 'disabled' });
  expect(await db().outbox.count({ where: { kind: 'webhook_mail', object_id: id } })).toBe(1);
  // From then on nothing goes there, neither by itself nor on demand.
  const before = receiver.at(path).length;
  await db().delivery.update({ where: { id: failed.id }, data: { next_at: new Date() } });
  await workflow.signal('nudge');
  expect(await workflow.result()).toBe('failed');
  expect(receiver.at(path)).toHaveLength(before);
  expect((await deliveries(id, '?status=failed')).map((one: { id: string }) => one.id)).toContain(failed.id);
  expect(errorOf(await post(`/webhooks/${id}/deliveries/${failed.id}/redeliver`, {}))).toBe(3006);
});
