/** A merchant's webhooks, an endpoint that receives them, and a real worker that delivers. */
import { disableWebhooks } from '../../../src/notifications/webhooks/delivery/disable';
import { until } from '../flow/until';
import { testBilling } from '../merchant/subscriptions';
import { testReceiver } from './endpoint';

export function testWebhooks(options?: Parameters<typeof testBilling>[0]) {
  const billing = testBilling(options);
  const { api, shop } = billing;
  const receiver = testReceiver();

  const read = async (id: string) => (await api.rest('GET', `/webhooks/${id}`)).body;
  let count = 0;
  /** Creates a webhook at a new path and waits until it is verified. */
  const newHook = async (overrides: object = {}, path = `/hook-${count++}`) => {
    const { body } = await shop.post('/webhooks', { url: receiver.url(path), ...overrides });
    await until(async () => (await read(body.id)).status === 'verified');
    return { id: body.id as string, secret: body.secret as string, path };
  };
  /** Disables a webhook as after a long failure. A delivery that succeeds in the meantime enables it again, hence the loop. */
  const disable = (id: string): Promise<void> =>
    until(async () => {
      await api.database.db().webhook.update({ where: { id }, data: { failing_since: new Date(0) } });
      await disableWebhooks(api.database.db(), [{ webhook_id: id, url: '', is_gone: false }]);
      return (await read(id)).status === 'disabled';
    });
  const typesAt = (path: string): string[] => receiver.at(path).map(({ body }) => body.type);
  const deliveries = async (id: string, query = '') =>
    (await api.rest('GET', `/webhooks/${id}/deliveries${query}`)).body;
  const pay = async (): Promise<string> => shop.newCharge(await shop.newToken());
  return {
    billing,
    api,
    shop,
    post: shop.post,
    receiver,
    db: () => api.database.db(),
    read,
    newHook,
    disable,
    typesAt,
    deliveries,
    pay,
  };
}
