/** Statistics of the charges, declines and recovered renewals that the test creates over the API. */
import { testBilling } from '../../harness/merchant/subscriptions';
import { errorOf, sendRequest } from '../../harness/servers/api';

const CARD_DECLINED_TWICE = '4000000000000028';
const ALWAYS_WITHOUT_FUNDS = '4000000000003345';
const ALWAYS_DECLINED = '4222222222222220';

const billing = testBilling();
const { api, shop } = billing;
const stats = async (query = '') => (await api.rest('GET', `/stats?${query}`)).body;
const STORY = 'from=2039-01-05&to=2039-01-08';
const plans: Record<string, string> = {};
const subscriptions: { id: string; customer_id: string }[] = [];

const subscribe = async (plan: string, card_number?: string) => {
  const customer_id = await shop.newCustomer({ requires_account: false });
  const source_id = await shop.newCard(`/customers/${customer_id}/cards`, card_number);
  const { body } = await shop.post(`/customers/${customer_id}/subscriptions`, { plan_id: plans[plan], source_id });
  subscriptions.push({ id: body.id, customer_id });
  return body;
};

beforeAll(async () => {
  plans.monthly = await shop.newPlan({ name: 'Monthly', amount: 49900 });
  plans.yearly = await shop.newPlan({ name: 'Yearly', amount: 1200000, repeat_unit: 'year', trial_days: 10 });
  plans.weekly = await shop.newPlan({ name: 'Weekly', amount: 10000, repeat_unit: 'week' });
  plans.strict = await shop.newPlan({
    name: 'Strict',
    amount: 70000,
    retry_times: 1,
    status_after_retry: 'cancelled',
  });
  expect((await billing.moveClock('2039-01-05T12:00:00-05:00')).status).toBe(200);
  expect(await subscribe('monthly')).toMatchObject({ status: 'active' });
  expect(await subscribe('monthly', CARD_DECLINED_TWICE)).toMatchObject({ status: 'past_due' });
  expect(await subscribe('yearly')).toMatchObject({ status: 'trial' });
  expect(await subscribe('weekly')).toMatchObject({ status: 'active' });
  expect(await subscribe('strict', ALWAYS_WITHOUT_FUNDS)).toMatchObject({ status: 'past_due' });
  const paid = await shop.newCharge(await shop.newCard(), { amount: 100000 });
  expect((await shop.post(`/charges/${paid}/refund`, {})).status).toBe(200);
  const declined = { ...shop.charge, customer: shop.payer, source_id: await shop.newToken(ALWAYS_DECLINED) };
  expect((await shop.post('/charges', declined)).status).toBe(402);
  await shop.post('/charges', shop.store);
  // The monthly and the weekly charge; neither the charge without a subscription nor the declined ones.
  expect(await stats()).toMatchObject({
    renewed_today: 2,
    renewals_today: { paid: 0, declined: 0, first_charges: 2 },
  });
  expect((await billing.moveClock('2039-01-08T12:00:00-05:00')).status).toBe(200);
});

it('the statistics count subscriptions by status and plan, with their monthly recurring revenue', async () => {
  const { subscriptions: all, mrr, plans: byPlan, ...rest } = await stats(STORY);
  const none = { trial: 0, active: 0, past_due: 0, unpaid: 0, cancelled: 0, paused: 0, lost_subscriptions: 0 };
  expect(all).toEqual({ trial: 1, active: 3, past_due: 0, unpaid: 0, cancelled: 1, paused: 0 });
  expect(mrr).toBe(143133.33);
  expect(rest).toMatchObject({ new_subscriptions: 5, lost_subscriptions: 1 });
  const { monthly, yearly, weekly, strict } = plans;
  const every = (repeat_unit: string, amount: number) => ({ ...none, amount, repeat_every: 1, repeat_unit });
  expect(byPlan).toEqual([
    { ...every('month', 49900), plan_id: monthly, name: 'Monthly', active: 2, mrr: 99800, new_subscriptions: 2 },
    ...[
      { ...every('year', 1200000), plan_id: yearly, name: 'Yearly', trial: 1, mrr: 0, new_subscriptions: 1 },
      { ...every('week', 10000), plan_id: weekly, name: 'Weekly', active: 1, mrr: 43333.33, new_subscriptions: 1 },
    ].sort((a, b) => ((a.plan_id ?? '') < (b.plan_id ?? '') ? -1 : 1)),
    {
      ...every('month', 70000),
      plan_id: strict,
      name: 'Strict',
      cancelled: 1,
      mrr: 0,
      new_subscriptions: 1,
      lost_subscriptions: 1,
    },
  ]);
});

it('the statistics count paid and declined charges by day, declines by reason, and recovered charges', async () => {
  expect(await stats(STORY)).toMatchObject({
    from: '2039-01-05',
    to: '2039-01-08',
    currency: 'COP',
    days: [
      { day: '2039-01-05', paid: 3, volume: 49900 + 10000 + 100000, failed: 3 },
      { day: '2039-01-06', paid: 0, volume: 0, failed: 2 },
      { day: '2039-01-07', paid: 1, volume: 49900, failed: 0 },
      { day: '2039-01-08', paid: 0, volume: 0, failed: 0 },
    ],
    declines: [
      { error_code: 3001, description: 'The card was declined', failed: 3 },
      { error_code: 3003, description: 'Insufficient funds', failed: 2 },
    ],
    renewals: { declined: 2, recovered: 1, recovery_rate: 50 },
  });
});

it('the statistics count only the requested period', async () => {
  const later = await stats('from=2039-01-07&to=2039-01-08');
  expect(later).toMatchObject({ new_subscriptions: 0, lost_subscriptions: 0, declines: [] });
  expect(later.renewals).toMatchObject({ declined: 0, recovered: 0, recovery_rate: null });
  expect(later.days).toHaveLength(2);
  expect(await stats('from=2039-01-06&to=2039-01-06')).toMatchObject({ new_subscriptions: 0, lost_subscriptions: 1 });
  const usual = await stats();
  expect([usual.from, usual.to, usual.days.length]).toEqual(['2038-12-10', '2039-01-08', 30]);
});

it('the upcoming charges are the sums of the projections of all subscriptions', async () => {
  const { upcoming } = await stats('upcoming_days=40');
  const expected = new Map<string, { charges: number; amount: number }>();
  for (const { id, customer_id } of subscriptions) {
    const path = `/customers/${customer_id}/subscriptions/${id}/projection`;
    for (const { charge_date, amount } of (await api.rest('GET', path)).body) {
      const day = expected.get(charge_date) ?? { charges: 0, amount: 0 };
      expected.set(charge_date, { charges: day.charges + 1, amount: day.amount + amount });
    }
  }
  expect(upcoming.map(({ day }: { day: string }) => day).slice(0, 2)).toEqual(['2039-01-08', '2039-01-09']);
  expect(upcoming).toHaveLength(40);
  for (const { day, ...sums } of upcoming)
    expect([day, sums]).toEqual([day, expected.get(day) ?? { charges: 0, amount: 0 }]);
  const days = upcoming.filter(({ charges }: { charges: number }) => charges > 0);
  expect(days.map(({ day, amount }: { day: string; amount: number }) => `${day} ${amount}`)).toEqual([
    '2039-01-12 10000',
    '2039-01-15 1200000',
    '2039-01-19 10000',
    '2039-01-26 10000',
    '2039-02-02 10000',
    '2039-02-05 99800',
    '2039-02-09 10000',
    '2039-02-16 10000',
  ]);
});

it('GraphQL returns the same statistics as REST, and another merchant sees none of them', async () => {
  const counts = 'trial active past_due unpaid cancelled paused';
  const query = `{ stats(from: "2039-01-05", to: "2039-01-08") {
    from to currency subscriptions { ${counts} } mrr new_subscriptions lost_subscriptions
    plans { ${counts} plan_id name amount repeat_every repeat_unit mrr new_subscriptions lost_subscriptions }
    renewals { declined recovered recovery_rate recovered_amount median_hours average_hours
      ways { way recovered recovered_amount recovery_rate median_hours } }
    renewed_today renewals_today { paid declined first_charges } days { day paid volume failed }
    declines { error_code description failed } upcoming { day charges amount } } }`;
  expect((await api.graphql(query)).body.data.stats).toEqual(await stats(STORY));
  const { other } = api.merchants();
  const { body } = await sendRequest(`${api.origin()}/v1/${other.id}/stats`, 'GET', { key: other.private_key });
  expect(body).toMatchObject({
    subscriptions: { trial: 0, active: 0, past_due: 0, unpaid: 0, cancelled: 0 },
    mrr: 0,
    plans: [],
    declines: [],
  });
  expect(body.days.every(({ paid, failed }: { paid: number; failed: number }) => paid + failed === 0)).toBe(true);
});

it.each([
  'from=2039-01-08&to=2039-01-05',
  'from=2038-01-01&to=2039-01-02',
  'from=2039-02-30',
  'from=yesterday',
  'upcoming_days=0',
  'upcoming_days=91',
])('the statistics refuse %s', async query => {
  const answer = await api.rest('GET', `/stats?${query}`);
  expect([answer.status, errorOf(answer)]).toEqual([422, 1003]);
});

it('the statistics accept a period of at most 366 days', async () => {
  expect((await stats('from=2038-01-02&to=2039-01-02')).days).toHaveLength(366);
});

it('the renewals of today count each period once, apart from first charges', async () => {
  const weekly = subscriptions[3] ?? { id: '', customer_id: '' };
  const { body: cards } = await api.rest('GET', `/customers/${weekly.customer_id}/cards`);
  const renewalsOn = async (day: string) => {
    expect((await billing.moveClock(day)).status).toBe(200);
    return (await stats()).renewals_today;
  };
  expect(await renewalsOn('2039-01-12')).toEqual({ paid: 1, declined: 0, first_charges: 0 });
  await shop.post(`/sandbox/cards/${cards[0].id}/script`, { outcomes: [3003] });
  expect(await renewalsOn('2039-01-19')).toEqual({ paid: 0, declined: 1, first_charges: 0 });
  await subscribe('weekly');
  expect(await renewalsOn('2039-01-20')).toEqual({ paid: 1, declined: 0, first_charges: 0 });
  const { renewals } = await stats();
  const path = `/customers/${weekly.customer_id}/subscriptions/${weekly.id}/change`;
  await shop.post(`/sandbox/cards/${cards[0].id}/script`, { outcomes: [3003] });
  const declined = await shop.post(path, { quantity: 2, when: 'now' });
  expect([declined.status, errorOf(declined)]).toEqual([402, 3003]);
  expect(await stats()).toMatchObject({ renewals, renewals_today: { paid: 1, declined: 0, first_charges: 0 } });
});
