/** Calls the operations of pauses, coupons, plan changes, replacements of plans, extras, links and credit. */
import { applyPeriodPayment } from '../../../src/billing/subscriptions/billing/periodPayment';
import type { testBilling } from '../merchant/subscriptions';
import type { documentedCalls } from './documentedCalls';

const TERMS = { amount: 1000, repeat_every: 1, repeat_unit: 'month', trial_days: 0, retry_times: 0 };

export async function callSubscriptionChanges(
  { call, create }: ReturnType<typeof documentedCalls>,
  billing: Pick<ReturnType<typeof testBilling>, 'api' | 'shop' | 'newPlan' | 'newCustomerWithCard'>,
): Promise<void> {
  const percent = { code: 'HALF', percent_off: 50, duration: 'once', plan_ids: [await billing.newPlan(TERMS)] };
  const half = await create('POST /coupons', [], percent);
  const amount = { code: 'FREE', amount_off: 1000, duration: 'periods', periods: 2, metadata: { campaign: 'one' } };
  const free = await create('POST /coupons', [], { ...amount, max_redemptions: 9, redeem_by: '2099-01-01' });
  await call('GET /coupons');
  await call('GET /coupons/{coupon_id}', [half]);
  await call('DELETE /coupons/{coupon_id}', [half]);
  const { customer_id, card_id } = await billing.newCustomerWithCard('2039-01-31');
  const path = '/customers/{customer_id}/subscriptions';
  const input = { plan_id: await billing.newPlan(TERMS), source_id: card_id, coupon: free };
  const ids = [customer_id, await create(`POST ${path}`, [customer_id], input)];
  const below = `${path}/{subscription_id}`;
  const pauses = [['preview', { pause: {} }] as const, ['pause', {}] as const, ['resume', undefined] as const];
  for (const [name, body] of pauses) await call(`POST ${below}/${name}`, ids, body);
  await call(`DELETE ${below}/coupon`, ids);
  await call(`POST ${below}/coupon`, ids, { coupon: 'free' });
  await call(`POST ${below}/change`, ids, { quantity: 2 });
  await call(`DELETE ${below}/change`, ids);
  const extra = await create(`POST ${below}/extras`, ids, { description: 'Messages', amount: 1200 });
  await call(`GET ${below}/extras`, ids);
  await call(`DELETE ${below}/extras/{extra_id}`, [...ids, extra]);
  for (const quantity of [3, 1]) await call(`POST ${below}/change`, ids, { quantity, when: 'now' });
  await call('POST /plans/{plan_id}/replace', [input.plan_id], { name: 'Next', amount: 1100, schedule: true });
  await call('GET /plans/{plan_id}/replacement', [input.plan_id]);
  for (const rotate of [false, true]) await call(`POST ${below}/link`, ids, { rotate });
  await call(`DELETE ${below}/link`, ids);
  const return_url = 'https://tienda.example/cuenta';
  await call('POST /customers/{customer_id}/portal', [customer_id], { return_url });
  await payLate(billing, ids);
  await call(`GET ${below}`, ids);
  await call(`GET ${below}/projection`, ids);
  await call(`GET ${path}`, [customer_id], undefined, '?has_credit=true');
  await call(`DELETE ${below}`, ids);
  await call(`POST ${below}/credit/return`, ids);
}

/** A payment that arrives when nothing is due. */
async function payLate(
  { api, shop }: Pick<ReturnType<typeof testBilling>, 'api' | 'shop'>,
  [customer_id, subscription_id]: string[],
): Promise<void> {
  const { customer: _, ...voucher } = shop.store;
  const { id } = (await shop.post(`/customers/${customer_id}/charges`, voucher)).body;
  await api.database.db().transaction.update({ where: { id }, data: { subscription_id: subscription_id ?? '' } });
  await shop.post(`/sandbox/charges/${id}/pay`, {});
  await applyPeriodPayment(api.database.db(), id);
}
