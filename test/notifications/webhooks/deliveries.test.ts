/** Deliveries of a real worker, as the merchant sees them. */
import { WorkflowNotFoundError } from '@temporalio/client';
import { newId } from '../../../src/platform/identifiers';
import { eventually, until } from '../../harness/flow/until';
import { errorOf } from '../../harness/servers/api';
import { isSignedBy } from '../../harness/webhooks/endpoint';
import { testWebhooks } from '../../harness/webhooks/webhooks';

const { shop, billing, api, post, receiver, db, read, newHook, typesAt, deliveries, pay } = testWebhooks();

it('deliveries are signed, sent in the order of their transaction, and limited to the selected event types', async () => {
  const unfiltered = await newHook();
  const filtered = await newHook({ event_types: ['charge.succeeded', 'CHARGE.REFUNDED'] });
  const token = await shop.newToken();
  const { id } = (await post('/charges', { ...shop.charge, capture: false, source_id: token, customer: shop.payer }))
    .body;
  await post(`/charges/${id}/capture`, {});
  await post(`/charges/${id}/refund`, { amount: 1000 });
  const expected = ['charge.created', 'charge.succeeded', 'charge.refunded'];
  const receivedAt = (path: string) => receiver.at(path).filter(({ body }) => body.transaction?.id === id);
  await until(() => receivedAt(unfiltered.path).length === 3 && receivedAt(filtered.path).length === 2);
  expect(receivedAt(unfiltered.path).map(({ body }) => body.type)).toEqual(expected);
  expect(receivedAt(filtered.path).map(({ body }) => body.type)).toEqual(expected.slice(1));
  for (const request of receivedAt(unfiltered.path)) expect(isSignedBy(request, unfiltered.secret)).toBe(true);
  const [created, succeeded] = receivedAt(unfiltered.path);
  expect([created?.body.transaction.status, succeeded?.body.transaction.status]).toEqual(['in_progress', 'completed']);
  expect(created?.body.event_date).toMatch(/-05:00$/);
  const { body: event } = await api.rest('GET', `/events/${created?.body.id}`);
  expect(event).toMatchObject({ type: 'charge.created', transaction: created?.body.transaction });
});

it('a failed delivery is retried by a workflow until it succeeds, and does not delay later deliveries', async () => {
  const { id, path } = await newHook({ event_types: ['charge.succeeded'] });
  let isFailing = true;
  receiver.answers(request => (request.path === path && isFailing ? 503 : 200));
  await pay();
  const failed = await eventually(async () => {
    const [delivery] = await deliveries(id, '?status=retrying');
    if (!delivery) throw new Error('not yet');
    return delivery;
  });
  expect(failed).toMatchObject({
    event_type: 'charge.succeeded',
    attempts: [{ number: 1, status: 503, answer: 'thanks', duration: expect.any(Number) }],
    request: { url: receiver.url(path), body: expect.stringContaining('charge.succeeded') },
  });
  // The delay of ten seconds must not end before the test has finished its checks.
  await db().delivery.update({ where: { id: failed.id }, data: { next_at: new Date('2099-01-01Z') } });
  const workflow = billing.namespace.client().workflow.getHandle(`delivery-${failed.id}`);
  const description = await eventually(() => workflow.describe());
  const { searchAttributes, memo } = description;
  const merchant_id = api.merchants().own.id;
  expect(searchAttributes).toMatchObject({
    MerchantId: [merchant_id],
    WebhookId: [id],
    LastStatus: ['503'],
    Attempt: [1],
  });
  expect(memo).toMatchObject({ kind: 'delivery', merchant_id, webhook_id: id, event_type: 'charge.succeeded' });
  expect(await description.staticSummary()).toBe(
    `undelivered charge.succeeded: webhook ${id}, merchant ${merchant_id}, sandbox`,
  );
  isFailing = false;
  await pay();
  await until(async () => (await deliveries(id, '?status=delivered')).length === 2);
  // A nudge before the workflow has read the result of the first attempt would replace its sleep.
  await until(async () =>
    ((await workflow.fetchHistory()).events ?? []).some(event => event.timerStartedEventAttributes),
  );
  await db().delivery.update({ where: { id: failed.id }, data: { next_at: new Date() } });
  await workflow.signal('nudge');
  expect(await workflow.result()).toBe('delivered');
  expect((await workflow.describe()).searchAttributes).toMatchObject({ LastStatus: ['200'], Attempt: [2] });
  const { events } = await workflow.fetchHistory();
  const said = (events ?? []).map(({ userMetadata }) => Buffer.from(userMetadata?.summary?.data ?? []).toString());
  expect(said.join('\n')).toMatch(/attempt 1 returned HTTP 503; then attempt 2 at 20\d\d-/);
  await billing.record('a delivery tried again', `delivery-${failed.id}`);
  const [retried] = (await deliveries(id, `?event_id=${failed.event_id}`)) as { attempts: { status: number }[] }[];
  expect(retried?.attempts.map(({ status }) => status)).toEqual([503, 200]);
});

it('one delivery or a range of events can be redelivered, and a test event can be requested', async () => {
  const early = await pay();
  const { id, path } = await newHook();
  const charge = await pay();
  await until(() => typesAt(path).includes('charge.succeeded'));
  const [first] = await deliveries(id);
  expect((await post(`/webhooks/${id}/deliveries/${first.id}/redeliver`, {})).body.event_id).toBe(first.event_id);
  await until(() => receiver.at(path).filter(({ body }) => body.id === first.event_id).length === 2);
  const dayAt = (time: number) => new Date(time - 5 * 3_600_000).toISOString().slice(0, 10);
  // From the day before, because midnight may have passed since the first tests.
  const range = { from: `${dayAt(Date.now() - 86_400_000)}T00:00:00`, to: dayAt(Date.now()) };
  const arrivals = (id: string) => receiver.at(path).filter(({ body: event }) => event.transaction?.id === id).length;
  // Redelivers only events from after the creation of the webhook.
  expect((await post(`/webhooks/${id}/redeliver`, range)).body).toEqual({ count: 1 });
  await until(() => arrivals(charge) === 3);
  const { body } = await post(`/webhooks/${id}/redeliver`, { ...range, before_creation: true });
  expect(body.count).toBe(
    await db().event.count({
      where: { merchant_id: api.merchants().own.id, type: { notIn: ['verification', 'test'] } },
    }),
  );
  await until(() => arrivals(charge) === 4 && arrivals(early) === 1);
  const mutation =
    'mutation ($id: ID!, $range: Redeliver!) { redeliverRange(webhook_id: $id, range: $range) { count } }';
  const redelivered = async (variables: object) => (await api.graphql(mutation, { id, range: variables })).body.data;
  expect(await redelivered(range)).toEqual({ redeliverRange: { count: 1 } });
  expect(await redelivered({ ...range, before_creation: true })).toEqual({ redeliverRange: { count: body.count } });
  await until(() => arrivals(charge) === 6 && arrivals(early) === 2);
  expect((await post(`/webhooks/${id}/test`, {})).body.type).toBe('test');
  await until(() => typesAt(path).includes('test'));
  expect(errorOf(await post(`/webhooks/${id}/redeliver`, { from: '2027-01-02', to: '2027-01-01' }))).toBe(1003);
});

it('deliveries are signed with both secrets for a day after a rotation', async () => {
  const { id, secret, path } = await newHook();
  const { body } = await post(`/webhooks/${id}/rotate_secret`, {});
  await post(`/webhooks/${id}/test`, {});
  await until(() => typesAt(path).includes('test'));
  const request = receiver.at(path).at(-1);
  expect([request && isSignedBy(request, secret), request && isSignedBy(request, body.secret)]).toEqual([true, true]);
  await db().webhook.update({ where: { id }, data: { secret_old_until: new Date(Date.now() - 1) } });
  await post(`/webhooks/${id}/test`, {});
  await until(() => typesAt(path).filter(type => type === 'test').length === 2);
  const later = receiver.at(path).at(-1);
  expect([later && isSignedBy(later, secret), later && isSignedBy(later, body.secret)]).toEqual([false, true]);
});

it('the last two secrets are used for signatures, however many rotations run concurrently', async () => {
  const { id, path } = await newHook();
  const rotated = await Promise.all(Array.from({ length: 6 }, () => post(`/webhooks/${id}/rotate_secret`, {})));
  await post(`/webhooks/${id}/test`, {});
  await until(() => typesAt(path).includes('test'));
  const request = receiver.at(path).at(-1);
  expect(rotated.filter(({ body }) => request && isSignedBy(request, body.secret))).toHaveLength(2);
});

it('a delivery succeeds with a 2xx status and with no other', async () => {
  const { id, path } = await newHook({ event_types: ['charge.succeeded'] });
  for (const [status, deliveryStatus] of [
    [204, 'delivered'],
    [299, 'delivered'],
    [302, 'retrying'],
    [400, 'retrying'],
  ] as const) {
    receiver.answers(request => (request.path === path ? status : 200));
    await pay();
    await until(async () => (await deliveries(id, '?limit=1'))[0]?.attempts[0]?.status === status);
    expect((await deliveries(id, '?limit=1'))[0].status).toBe(deliveryStatus);
  }
});

it('a disabled webhook receives its queued deliveries when its verification code is confirmed', async () => {
  const { id, path } = await newHook({ event_types: ['charge.succeeded'] });
  const code = receiver.at(path)[0]?.body.verification_code;
  await db().webhook.update({ where: { id }, data: { status: 'disabled' } });
  const [sent] = await deliveries(id);
  const queued = await db().delivery.create({
    data: { id: newId('delivery'), webhook_id: id, event_id: sent.event_id },
  });
  await pay();
  expect((await post(`/webhooks/${id}/verify/${code}`, {})).status).toBe(204);
  await until(() => receiver.at(path).length === 2);
  // Events from the time when it was disabled are not sent.
  expect(typesAt(path)).toEqual(['verification', 'verification']);
  const isDelivered = async (): Promise<boolean> =>
    (await deliveries(id, '?status=delivered')).some((delivery: { id: string }) => delivery.id === queued.id);
  await until(isDelivered);
});

it('a webhook that fails for three days is disabled, with an event and an e-mail, and its deliveries fail', async () => {
  const otherHook = await newHook({ event_types: ['webhook.disabled'] });
  const { id, path } = await newHook();
  receiver.answers(request => (request.path === path ? 500 : 200));
  await pay();
  const [failed] = await eventually(async () => {
    const retrying = await deliveries(id, '?status=retrying');
    if (retrying.length === 0) throw new Error('not yet');
    return retrying;
  });
  const workflow = billing.namespace.client().workflow.getHandle(`delivery-${failed.id}`);
  await eventually(() => workflow.describe());
  await db().webhook.update({ where: { id }, data: { failing_since: new Date(Date.now() - 4 * 86_400_000) } });
  await db().delivery.update({ where: { id: failed.id }, data: { next_at: new Date() } });
  await workflow.signal('nudge');
  await until(async () => (await read(id)).status === 'disabled');
  await until(() => typesAt(otherHook.path).includes('webhook.disabled'));
  expect(receiver.at(otherHook.path).at(-1)?.body.webhook).toMatchObject({ id, status: 'disabled' });
  expect(await db().outbox.count({ where: { kind: 'webhook_mail', object_id: id } })).toBe(1);
  // From then on the webhook receives nothing, neither retries nor requested deliveries.
  const requestCount = receiver.at(path).length;
  await db().delivery.update({ where: { id: failed.id }, data: { next_at: new Date() } });
  // The signal about the previous attempt may arrive only now, when the workflow is already over.
  await workflow.signal('nudge').catch(error => expect(error).toBeInstanceOf(WorkflowNotFoundError));
  await expect(workflow.result()).rejects.toMatchObject({
    cause: { message: 'the webhook is disabled' },
  });
  expect((await workflow.describe()).status.name).toBe('FAILED');
  expect(receiver.at(path)).toHaveLength(requestCount);
  expect((await deliveries(id, '?status=failed')).map((delivery: { id: string }) => delivery.id)).toContain(failed.id);
  expect(errorOf(await post(`/webhooks/${id}/deliveries/${failed.id}/redeliver`, {}))).toBe(3006);
});
