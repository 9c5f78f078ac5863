/** The amounts of overdue renewals, as the billing rules compute them. */
import { readOverdue } from '../../../src/operations/operators/incidents/rows';
import { formatMoney } from '../../../src/platform/money';
import { testBilling } from '../../harness/merchant/subscriptions';

const billing = testBilling();
const { api, shop } = billing;

it('overdue work has the amount that the next period costs', async () => {
  const coupon = { code: 'LATE', percent_off: 12.5, duration: 'forever' };
  expect((await shop.post('/coupons', coupon)).status).toBe(201);
  const options = { plan: { amount: 49_900, trial_days: 1 }, coupon: 'LATE' };
  const { id, path } = await billing.subscribe('2040-01-10', options);
  expect((await shop.post(`${path}/change`, { quantity: 3 })).status).toBe(200);
  for (const amount of [1500.5, -200])
    expect((await shop.post(`${path}/extras`, { description: 'Messages', amount })).status).toBeLessThan(300);
  const [next] = (await api.rest('GET', `${path}/projection`)).body;
  const db = api.database.db();
  // Not as late as what the sweep charges.
  await db.subscription.update({ where: { id }, data: { due_at: new Date(Date.now() - 240_000) } });
  const rows = await readOverdue(db, api.merchants().own.id, { limit: 10, offset: 0 });
  const [row] = rows.filter(each => each.id === id);
  expect(formatMoney(row?.amount ?? 0n)).toBe(next.amount);
  expect(next.amount).toBe(3 * 49_900 * 0.875 + 1500.5 - 200);
});
