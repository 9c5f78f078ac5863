/** Webhooks of a merchant, a receiver of theirs and a real worker that delivers. */
import { retryUntilAnswered } from '../../../src/embedded/managedProcess';
import { testBilling } from '../merchant/subscriptions';
import { testReceiver } from './endpoint';

export const until = (isSo: () => boolean | Promise<boolean>) =>
  retryUntilAnswered(async () => {
    if (!(await isSo())) throw new Error('not yet');
  }, 20);

export function testWebhooks() {
  const billing = testBilling();
  const { api, shop } = billing;
  const receiver = testReceiver();
  afterEach(() => receiver.answers(() => 200));

  const read = async (id: string) => (await api.rest('GET', `/webhooks/${id}`)).body;
  let count = 0;
  /** A webhook at a path of its own that is verified. */
  const newHook = async (more: object = {}, path = `/hook-${count++}`) => {
    const { body } = await shop.post('/webhooks', { url: receiver.url(path), ...more });
    await until(async () => (await read(body.id)).status === 'verified');
    return { id: body.id as string, secret: body.secret as string, path };
  };
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
    typesAt,
    deliveries,
    pay,
  };
}
