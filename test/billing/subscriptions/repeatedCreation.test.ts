/** A creation that is repeated because the process of the first request was killed. */
import { visa } from '../../harness/cards/testCards';
import { eventually } from '../../harness/flow/until';
import { testBackground } from '../../harness/merchant/background';
import { testBilling } from '../../harness/merchant/subscriptions';
import type { ApiResponse } from '../../harness/servers/api';

/** Long enough that a slow machine does not time out a call that the test keeps open. */
const PATIENCE_MS = 120_000;
const billing = testBilling({ acquirerTimeoutMs: PATIENCE_MS });
const { api, shop } = billing;
const { runRecovery } = testBackground(api);
const db = () => api.database.db();

it('a repeated creation makes a new charge when the recovery reverses the first charge in the meantime', async () => {
  const { customer_id } = await billing.newCustomerWithCard('2040-01-10');
  const request = { plan_id: await billing.newPlan(), card: visa };
  const path = `/customers/${customer_id}/subscriptions`;
  const post = (): Promise<ApiResponse> => shop.post(path, request, { 'idempotency-key': 'killed' });
  const charges = api.acquirer.hold('/charge');
  const first = post();
  await eventually(async () => expect(charges.count()).toBe(1));
  const verifications = api.acquirer.hold('/verify');
  const repeated = post();
  await eventually(async () => {
    await db().idempotentReply.updateMany({ where: { key: 'killed' }, data: { lease_until: new Date(0) } });
    expect(verifications.count()).toBe(1);
  });
  await db().transaction.updateMany({ where: { customer_id }, data: { lease_until: new Date(0) } });
  await runRecovery();
  // The recovery of the worker may have been first.
  await eventually(() => db().transaction.findFirstOrThrow({ where: { customer_id, status: 'failed' } }));
  charges.release();
  expect((await first).body.error_code).toBe(1004);
  verifications.release();
  expect(await repeated).toMatchObject({ status: 201, body: { status: 'active' } });
  expect((await api.rest('GET', path)).body).toHaveLength(1);
  expect((await post()).text).toBe((await repeated).text);
  const kept = await db().transaction.findMany({ where: { customer_id }, select: { status: true } });
  expect(kept.map(({ status }) => status).sort()).toEqual(['completed', 'failed']);
});
