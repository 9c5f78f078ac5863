/** The quota for redeliveries that a merchant requests. */
import { until } from '../../harness/flow/until';
import { errorOf } from '../../harness/servers/api';
import { testWebhooks } from '../../harness/webhooks/webhooks';

const { api, post, db, newHook, deliveries, pay } = testWebhooks();
const ALL = { from: '2020-01-01', to: '2099-01-01', before_creation: true };
const MAX_PER_HOUR = 100_000;
const count = (webhook_id: string): Promise<number> => db().delivery.count({ where: { webhook_id } });
/** Sets the remaining quota of this hour. */
const leave = async (left: number): Promise<void> => {
  const merchant_id = api.merchants().own.id;
  // The hour does not end while the test runs.
  const hour = new Date(Date.now() + 3_600_000);
  const row = { merchant_id, name: 'redeliveries', hour, used: MAX_PER_HOUR - left };
  await db().quota.upsert({ where: { merchant_id_name: { merchant_id, name: row.name } }, create: row, update: row });
};

it('a range counts each of its deliveries; beyond the quota it fails with 1011 and Retry-After, and sends nothing', async () => {
  for (let i = 0; i < 3; i++) await pay();
  const { id } = await newHook({ event_types: ['charge.succeeded'] });
  await leave(5);
  const before = await count(id);
  expect((await post(`/webhooks/${id}/redeliver`, ALL)).body).toEqual({ count: 3 });
  const refused = await post(`/webhooks/${id}/redeliver`, ALL);
  expect([refused.status, errorOf(refused), refused.body.category]).toEqual([429, 1011, 'request']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(3600);
  const inGraphql = await api.graphql(
    'mutation ($id: ID!, $range: Redeliver!) { redeliverRange(webhook_id: $id, range: $range) { count } }',
    { id, range: ALL },
  );
  expect([errorOf(inGraphql), inGraphql.headers.get('retry-after')]).toEqual([1011, expect.stringMatching(/^\d+$/)]);
  expect(await count(id)).toBe(before + 3);
});

it('a single delivery counts too, and the quota is reset each hour', async () => {
  const { id } = await newHook();
  await until(async () => (await deliveries(id)).length === 1);
  const [delivery] = await deliveries(id);
  const redeliver = (headers = {}) => post(`/webhooks/${id}/deliveries/${delivery.id}/redeliver`, {}, headers);
  await leave(1);
  expect((await redeliver()).status).toBe(200);
  const key = { 'idempotency-key': 'again' };
  expect(errorOf(await redeliver(key))).toBe(1011);
  const where = { merchant_id: api.merchants().own.id };
  await db().quota.updateMany({ where, data: { hour: new Date(0) } });
  // The refusal was not stored, so the same request is executed now.
  const later = await redeliver(key);
  expect([later.status, later.headers.get('idempotent-replayed')]).toEqual([200, null]);
  expect(await db().quota.findMany({ where })).toMatchObject([{ name: 'redeliveries', used: 1 }]);
});
