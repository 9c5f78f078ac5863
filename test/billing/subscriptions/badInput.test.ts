/** Invalid requests are refused with their code before any record, charge or workflow exists. */

import { visa } from '../../harness/cards/testCards';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { type ApiResponse, testApi } from '../../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const plan = { ...shop.plan, trial_days: 5 };
let [customer, card, plan_id, path] = ['', '', '', ''];
beforeAll(async () => {
  customer = await shop.newCustomer();
  path = `/customers/${customer}/subscriptions`;
  const clock_offset = Math.round((NOON - Date.now()) / 1000);
  await api.database.db().customer.update({ where: { id: customer }, data: { clock_offset } });
  card = await shop.newCard(`/customers/${customer}/cards`);
  plan_id = await shop.newPlan({ trial_days: 5 });
});

/** In the time of the customer's test clock, so that no test runs over midnight. */
const NOON = Date.parse('2040-01-10T12:00:00-05:00');
const day = (ahead: number): string => new Date(NOON + ahead * 86_400_000).toISOString().slice(0, 10);
const refused = ({ status, body }: ApiResponse): [number, number] => [status, body?.error_code];
const counts = async () => {
  const db = api.database.db();
  return [
    await db.subscription.count(),
    await db.outbox.count(),
    await db.transaction.count(),
    await db.card.count(),
    await db.event.count({ where: { type: { startsWith: 'subscription' } } }),
  ];
};
const ofOther = async (at: string, body: object): Promise<string> => {
  const { id, private_key: key } = api.merchants().other;
  const answer = await fetch(`${api.origin()}/v1/${id}${at}`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${key}:`)}` },
    body: JSON.stringify(body),
  });
  return ((await answer.json()) as { id: string }).id;
};

describe('POST …/subscriptions', () => {
  const cases: [string, () => Promise<object> | object, number, number][] = [
    ['without a plan_id', () => ({ source_id: card }), 400, 1001],
    ['without source_id and card', () => ({ plan_id }), 400, 1001],
    ['with an unknown plan', () => ({ plan_id: 'p0000000000000000000', source_id: card }), 404, 1005],
    ['with an invalid plan_id', () => ({ plan_id: 'nope', source_id: card }), 404, 1005],
    ['with a plan_id of 46 characters', () => ({ plan_id: 'p'.repeat(46), source_id: card }), 400, 1001],
    [
      'with another merchant’s plan',
      async () => ({ plan_id: await ofOther('/plans', plan), source_id: card }),
      404,
      1005,
    ],
    ['with an unknown card', () => ({ plan_id, source_id: 'k0000000000000000000' }), 422, 1003],
    ['with another merchant’s card', async () => ({ plan_id, source_id: await ofOther('/cards', visa) }), 422, 1003],
    [
      'with the merchant’s own card',
      async () => ({ plan_id, source_id: await shop.newCard('/cards', '4242424242424242') }),
      422,
      1003,
    ],
    ['with source_id and card together', () => ({ plan_id, source_id: card, card: visa }), 422, 1003],
    ['with a day that does not exist', () => ({ plan_id, source_id: card, trial_end_date: '2026-02-30' }), 422, 1003],
    ['with a trial of ten years', () => ({ plan_id, source_id: card, trial_end_date: day(3650) }), 422, 1003],
    ['with a trial of 731 days', () => ({ plan_id, source_id: card, trial_end_date: day(731) }), 422, 1003],
    [
      'with a time in trial_end_date',
      () => ({ plan_id, source_id: card, trial_end_date: `${day(3)}T00:00:00Z` }),
      400,
      1001,
    ],
    ['with a number as trial_end_date', () => ({ plan_id, source_id: card, trial_end_date: 20270101 }), 400, 1001],
    ['with a card that has no cvv2', () => ({ plan_id, card: { ...visa, cvv2: undefined } }), 400, 2006],
    [
      'with a card with a wrong check digit',
      () => ({ plan_id, card: { ...visa, card_number: '4111111111111112' } }),
      422,
      2004,
    ],
    [
      'with a card that is declined',
      () => ({ plan_id, card: { ...visa, card_number: '4222222222222220' } }),
      402,
      3001,
    ],
    ['with a masked card', () => ({ plan_id, card: { ...visa, card_number: '411111XXXXXX1111' } }), 400, 1001],
    ['with a card that is not an object', () => ({ plan_id, card: 'visa' }), 400, 1001],
  ];
  it.each(cases)('%s', async (_, body, status, code) => {
    const sent = await body();
    const before = await counts();
    expect(refused(await shop.post(path, sent))).toEqual([status, code]);
    expect(await counts()).toEqual(before);
  });

  it('fails for a deleted plan, a deleted card, a used token and an unknown customer', async () => {
    const gone = await shop.newPlan({ trial_days: 5 });
    await api.rest('DELETE', `/plans/${gone}`);
    const lost = await shop.newCard(`/customers/${customer}/cards`, '5105105105105100');
    await api.rest('DELETE', `/customers/${customer}/cards/${lost}`);
    const token = await shop.newToken('5555555555554444');
    expect((await shop.post(path, { plan_id, source_id: token })).status).toBe(201);
    const before = await counts();
    expect(refused(await shop.post(path, { plan_id: gone, source_id: card }))).toEqual([404, 1005]);
    expect(refused(await shop.post(path, { plan_id, source_id: lost }))).toEqual([422, 1003]);
    expect(refused(await shop.post(path, { plan_id, source_id: token }))).toEqual([422, 1003]);
    expect(refused(await shop.post('/customers/a0000000000000000000/subscriptions', {}))).toEqual([404, 1005]);
    const stranger = await shop.newCustomer();
    expect(refused(await shop.post(`/customers/${stranger}/subscriptions`, { plan_id, source_id: card }))).toEqual([
      422, 1003,
    ]);
    expect(await counts()).toEqual(before);
  });

  it('accepts a trial of 730 days, card_id, null for optional fields, and unknown fields', async () => {
    const answer = await shop.post(path, { plan_id, card_id: card, trial_end_date: day(730), card: null, foo: 1 });
    expect(answer).toMatchObject({ status: 201, body: { status: 'trial', trial_end_date: day(730) } });
    expect(answer.headers.get('location')).toBe(`/v1/${api.merchants().own.id}${path}/${answer.body.id}`);
    expect(answer.headers.get('resource-id')).toBe(answer.body.id);
    expect(answer.body.id).toMatch(/^s[a-z0-9]{19}$/);
  });

  it('creates one subscription for fifty equal concurrent requests with one Idempotency-Key', async () => {
    const body = { plan_id: await shop.newPlan(), source_id: card };
    const [subscriptions] = await counts();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => shop.post(path, body, { 'idempotency-key': 'fifty' })),
    );
    expect(new Set(answers.map(({ body: { id } }) => id)).size).toBe(1);
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    expect((await counts())[0]).toBe((subscriptions ?? 0) + 1);
    expect(shop.journalOf(answers[0]?.body.transaction_id)).toHaveLength(1);
  });
});

describe('DELETE of a customer', () => {
  it('cancels its subscriptions in the same transaction, or is refused as a whole', async () => {
    const customer_id = await shop.newCustomer();
    const source_id = await shop.newCard(`/customers/${customer_id}/cards`);
    const subscribe = () => shop.post(`/customers/${customer_id}/subscriptions`, { plan_id, source_id });
    const ids = [(await subscribe()).body.id, (await subscribe()).body.id];
    const payment = { ...shop.charge, source_id, amount: 5000 };
    await shop.post(`/customers/${customer_id}/charges`, payment);
    const statuses = async () => {
      const rows = await api.database.db().subscription.findMany({ where: { customer_id }, orderBy: { id: 'asc' } });
      return rows.map(({ status, reason }) => `${status} ${reason}`);
    };
    expect(refused(await api.rest('DELETE', `/customers/${customer_id}`))).toEqual([412, 3006]);
    expect(await statuses()).toEqual(['trial null', 'trial null']);
    await shop.post('/fees', { customer_id, amount: 5000, description: 'All of it' });
    expect((await api.rest('DELETE', `/customers/${customer_id}`)).status).toBe(204);
    expect(await statuses()).toEqual(['cancelled customer_deleted', 'cancelled customer_deleted']);
    for (const id of ids) expect(await shop.eventsOf(id)).toEqual(['subscription.created', 'subscription.cancelled']);
  });
});

describe('PUT and DELETE …/subscriptions/{id}', () => {
  let id: string;
  beforeAll(async () => {
    id = (await shop.post(path, { plan_id, source_id: card })).body.id;
  });

  it.each([
    ['a day that does not exist', { trial_end_date: '2026-02-30' }, 422, 1003],
    ['a trial beyond 730 days', { trial_end_date: '2099-01-01' }, 422, 1003],
    ['an unknown source', { source_id: 'k0000000000000000000' }, 422, 1003],
    ['source and card together', { source_id: 'k0000000000000000000', card: visa }, 422, 1003],
    ['an invalid flag', { cancel_at_period_end: 'perhaps' }, 400, 1001],
    ['a card without its number', { card: { holder_name: 'Ana' } }, 400, 1001],
    ['a different plan', { plan_id: 'p0000000000000000000', cancel_at_period_end: true }, 422, 1003],
    ['a different quantity', { quantity: 2, cancel_at_period_end: true }, 422, 1003],
  ])('refuses %s', async (_, body, status, code) => {
    const before = [await counts(), (await api.rest('GET', `${path}/${id}`)).body];
    expect(refused(await api.rest('PUT', `${path}/${id}`, { body }))).toEqual([status, code]);
    expect([await counts(), (await api.rest('GET', `${path}/${id}`)).body]).toEqual(before);
  });

  it('accepts an unchanged plan and quantity', async () => {
    const answer = await api.rest('PUT', `${path}/${id}`, { body: { plan_id, quantity: '1', status: 'unpaid' } });
    expect(answer).toMatchObject({ status: 200, body: { plan_id, status: 'trial' } });
  });

  it('fails with 1005 for an unknown subscription and for one of another customer or merchant', async () => {
    const stranger = await shop.newCustomer();
    for (const at of [`/customers/${stranger}/subscriptions/${id}`, `${path}/s0000000000000000000`, `${path}/x`]) {
      expect(refused(await api.rest('GET', at))).toEqual([404, 1005]);
      expect(refused(await api.rest('PUT', at, { body: {} }))).toEqual([404, 1005]);
      expect(refused(await api.rest('DELETE', at))).toEqual([404, 1005]);
      expect(refused(await api.rest('GET', `${at}/history`))).toEqual([404, 1005]);
    }
    const { private_key: key } = api.merchants().other;
    const { body } = await api.graphql(
      'mutation($id: ID!) { deleteSubscription(subscription_id: $id) { id } }',
      { id },
      { key },
    );
    expect(body.errors[0].extensions.error_code).toBe(1005);
  });

  it('two concurrent changes both take effect', async () => {
    const changes = [{ cancel_at_period_end: true }, { trial_end_date: day(20) }];
    const answers = await Promise.all(changes.map(body => api.rest('PUT', `${path}/${id}`, { body })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await api.rest('GET', `${path}/${id}`)).body).toMatchObject({
      cancel_at_period_end: true,
      trial_end_date: day(20),
      charge_date: day(21),
    });
  });

  it('an empty change changes nothing; fifty concurrent deletions cancel the subscription once', async () => {
    expect((await api.rest('PUT', `${path}/${id}`, { body: {} })).status).toBe(200);
    const answers = await Promise.all(Array.from({ length: 50 }, () => api.rest('DELETE', `${path}/${id}`)));
    const statuses = answers.map(({ status }) => status);
    expect(
      [statuses.filter(status => status === 204), statuses.filter(status => status === 404)].map(
        ({ length }) => length,
      ),
    ).toEqual([1, 49]);
    const events = await api.database.db().event.findMany({ where: { object_id: id, type: 'subscription.cancelled' } });
    expect(events).toHaveLength(1);
  });
});

describe('POST /plans with invalid terms', () => {
  it.each([{ repeat_every: 0 }, { retry_times: -1 }, { retry_times: 21 }, { repeat_every: 101 }, { trial_days: 731 }])(
    'fails with 1003 for %j',
    async wrong => expect(refused(await shop.post('/plans', { ...plan, ...wrong }))).toEqual([422, 1003]),
  );
});
