/** A verification code proves that the merchant reads requests to the URL: the API never returns the code. */

import { toEvent } from '../../../src/events/list';
import { liveEvents } from '../../../src/events/live';
import { until } from '../../harness/flow/until';
import { testWebhooks } from '../../harness/webhooks/webhooks';

const { api, post, receiver, db, deliveries } = testWebhooks();

it('a verification code is sent only to the URL: events, live events and the delivery log do not contain it', async () => {
  receiver.answers(() => 500);
  const merchant_id = api.merchants().own.id;
  const live = await liveEvents({ db: db(), merchant_id }, { types: ['verification'] });
  const { id } = (await post('/webhooks', { url: receiver.url('/secret') })).body;
  await until(async () => (await deliveries(id))[0]?.attempts.length === 1);
  const code = receiver.at('/secret')[0]?.body.verification_code;
  expect(code).toMatch(/^[0-9a-f]{16}$/);
  // An endpoint that only echoes the request proves nothing.
  await db().deliveryAttempt.updateMany({ data: { answer: `<p>${receiver.at('/secret')[0]?.text}</p>` } });

  const [event] = (await api.rest('GET', `/events?object_id=${id}`)).body;
  expect(event).toMatchObject({ type: 'verification', object_id: id, webhook: { id } });
  const [delivery] = await deliveries(id);
  expect(delivery.request.body).toBe(receiver.at('/secret')[0]?.text.replace(code, '…'));
  const redelivered = (await post(`/webhooks/${id}/deliveries/${delivery.id}/redeliver`, {})).body;
  const { data, errors } = (
    await api.graphql(
      `query ($id: ID!, $object: ID, $event: ID!) { events(object_id: $object) { nodes { webhook } } event(event_id: $event) { webhook }
        deliveries(webhook_id: $id) { nodes { attempts { answer } request { body } } } }`,
      { id, object: id, event: event.id },
    )
  ).body;
  expect(errors).toBeUndefined();
  const { value } = await live.next();
  await live.return(undefined);
  const shown = [
    event,
    (await api.rest('GET', `/events/${event.id}`)).body,
    delivery,
    redelivered,
    data,
    toEvent(value),
  ];
  expect(JSON.stringify(shown)).not.toContain(code);
});
