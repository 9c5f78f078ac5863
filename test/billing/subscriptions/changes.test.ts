import { testBilling } from '../../harness/merchant/subscriptions';

const billing = testBilling();
const { api, shop } = billing;

it('smoke', async () => {
  const show = (name: string, answer: { status: number; body: unknown }) =>
    console.log(name, answer.status, JSON.stringify(answer.body, null, 1));
  const s = await billing.subscribe('2040-01-10', { quantity: 2 });
  const other = await shop.newPlan({ name: 'Pro', amount: 99_900 });
  show('created', { status: 0, body: s.created });
  show('preview', await shop.post(`${s.path}/preview`, { change: { plan_id: other, when: 'now' } }));
  show('planned', await shop.post(`${s.path}/change`, { plan_id: other }));
  show('withdrawn', await api.rest('DELETE', `${s.path}/change`));
  show('coupon', await shop.post('/coupons', { code: 'Launch20', percent_off: 20, duration: 'periods', periods: 3 }));
  show('coupons', await api.rest('GET', '/coupons'));
  show('applied', await shop.post(`${s.path}/coupon`, { coupon: 'launch20' }));
  show('now', await shop.post(`${s.path}/change`, { plan_id: other, when: 'now' }));
  const extra = await shop.post(`${s.path}/extras`, { description: 'x', amount: 1000 });
  show('extra', extra);
  show('extras', await api.rest('GET', `${s.path}/extras`));
  show('removed', await api.rest('DELETE', `${s.path}/extras/${extra.body.id}`));
  show('removed coupon', await api.rest('DELETE', `${s.path}/coupon`));
  show('charges', { status: 0, body: await s.charges() });
  show('history', { status: 0, body: await s.history() });
  show('history', await api.rest('GET', `${s.path}/history?language=es`));
  show('projection', await api.rest('GET', `${s.path}/projection`));
  show('delete', await s.remove());
  show('read', { status: 0, body: await s.read() });
  show('return', await shop.post(`${s.path}/credit/return`, {}));
  show('events', await api.rest('GET', `/events?object_id=${s.id}&limit=50`));
});
