import { errorOf, testApi } from '../../harness/servers/api';

const api = testApi();
const monthly = {
  name: 'Mensual',
  amount: 49900.5,
  repeat_every: 1,
  repeat_unit: 'month',
  status_after_retry: 'cancelled',
  trial_days: 30,
};
const create = (overrides: object = {}) => api.rest('POST', '/plans', { body: { ...monthly, ...overrides } });
const newPlan = async (): Promise<string> => (await create()).body.id;

describe('POST /plans', () => {
  it('creates a plan', async () => {
    const { status, body, headers } = await create();
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^p[a-z0-9]{19}$/),
      creation_date: expect.stringMatching(/-05:00$/),
      ...monthly,
      currency: 'COP',
      retry_times: 3,
      retry_schedule: 'daily',
      status: 'active',
    });
    expect(headers.get('resource-id')).toBe(body.id);
    expect((await api.rest('GET', `/plans/${body.id}`)).body).toEqual(body);
  });

  it('accepts numbers as strings, words in any letter case, and the largest amount with centavos', async () => {
    const fields = {
      amount: '9999999999999.99',
      repeat_every: '2',
      repeat_unit: 'WEEK',
      trial_days: '0',
      retry_times: 0,
      currency: 'cop',
    };
    const { status, body } = await create(fields);
    expect([status, body.amount, body.repeat_every, body.repeat_unit, body.trial_days, body.retry_times]).toEqual([
      201,
      9999999999999.99,
      2,
      'week',
      0,
      0,
    ]);
  });

  it('returns the same plan to a repeated request', async () => {
    const request = { body: monthly, headers: { 'idempotency-key': 'plan' } };
    const first = await api.rest('POST', '/plans', request);
    await api.database.db().idempotentReply.updateMany({
      where: { key: 'plan' },
      data: { status: null, body: null, lease_until: new Date(0) },
    });
    expect((await api.rest('POST', '/plans', request)).text).toBe(first.text);
  });

  it.each([
    ['no name', { name: undefined }, 1001],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, 1001],
    ['no amount', { amount: undefined }, 1001],
    ['amount 0', { amount: 0 }, 1003],
    ['an amount with three decimals', { amount: 1.234 }, 1003],
    ['repeat_every 0', { repeat_every: 0 }, 1003],
    ['repeat_every 101', { repeat_every: 101 }, 1003],
    ['repeat_every 1.5', { repeat_every: 1.5 }, 1001],
    ['day as repeat_unit', { repeat_unit: 'day' }, 1003],
    ['no repeat_unit', { repeat_unit: null }, 1001],
    ['active as status_after_retry', { status_after_retry: 'active' }, 1003],
    ['retry_times -1', { retry_times: -1 }, 1003],
    ['retry_times 21', { retry_times: 21 }, 1003],
    ['no trial_days', { trial_days: undefined }, 1001],
    ['trial_days 731', { trial_days: 731 }, 1003],
    ['dollars', { currency: 'USD' }, 1003],
  ])('refuses %s', async (_, change, code) => {
    const before = await api.database.db().plan.count({ where: api.ownRows() });
    expect(errorOf(await create(change))).toBe(code);
    expect(await api.database.db().plan.count({ where: api.ownRows() })).toBe(before);
  });
});

describe('PUT /plans/:plan_id', () => {
  it('changes name and trial_days, and accepts the other terms in any format if they are unchanged', async () => {
    const plan = (await create()).body;
    const stale = { status: 'deleted', id: 'p0000000000000000000', creation_date: '2020-01-01T00:00:00-05:00' };
    const terms = {
      amount: `${plan.amount}0`,
      retry_times: `${plan.retry_times}`,
      repeat_unit: 'MONTH',
      currency: 'cop',
    };
    const body = { ...plan, ...terms, ...stale, name: 'Nuevo', trial_days: 7 };
    const { status, body: changed } = await api.rest('PUT', `/plans/${plan.id}`, { body });
    expect([status, changed]).toEqual([200, { ...plan, name: 'Nuevo', trial_days: 7 }]);
    expect((await api.rest('PUT', `/plans/${plan.id}`)).body).toEqual(changed);
  });

  it.each([
    ['amount', { amount: 59900 }],
    ['currency', { currency: 'USD' }],
    ['repeat_every', { repeat_every: 5 }],
    ['repeat_unit', { repeat_unit: 'week' }],
    ['retry_times', { retry_times: 9 }],
    ['status_after_retry', { status_after_retry: 'unpaid' }],
    ['amount, retry_times', { amount: 59900, retry_times: 9 }],
  ])('fails with 1003 for a changed %s, and changes nothing', async (names, change) => {
    const plan = (await create()).body;
    const { status, body } = await api.rest('PUT', `/plans/${plan.id}`, {
      body: { ...plan, name: 'Nuevo', ...change },
    });
    expect([status, body.error_code]).toEqual([422, 1003]);
    expect(body.description).toContain(names);
    expect((await api.rest('GET', `/plans/${plan.id}`)).body).toEqual(plan);
    const [name, value] = Object.entries(change)[0] ?? [];
    const literal = typeof value === 'string' ? value : JSON.stringify(value);
    const query = `mutation { updatePlan(plan_id: "${plan.id}", plan: { ${name}: ${literal} }) { id } }`;
    expect(errorOf(await api.graphql(query))).toBe(1003);
  });

  it('fails with 1001 for a blank name or one of 81 characters, and with 1003 for a trial that is too long', async () => {
    const id = await newPlan();
    for (const [change, code] of [
      [{ name: 'x'.repeat(81) }, 1001],
      [{ name: ' ' }, 1001],
      [{ trial_days: 731 }, 1003],
    ] as const)
      expect(errorOf(await api.rest('PUT', `/plans/${id}`, { body: change }))).toBe(code);
  });
});

describe('DELETE /plans/:plan_id', () => {
  it('keeps the plan readable, but not listed and not changeable', async () => {
    const id = await newPlan();
    expect((await api.rest('DELETE', `/plans/${id}`)).status).toBe(204);
    expect((await api.rest('GET', `/plans/${id}`)).body).toMatchObject({ id, status: 'deleted' });
    expect(errorOf(await api.rest('DELETE', `/plans/${id}`))).toBe(1005);
    expect(errorOf(await api.rest('PUT', `/plans/${id}`, { body: { name: 'x' } }))).toBe(1005);
    const listed = (await api.rest('GET', '/plans?limit=1000')).body.map((plan: { id: string }) => plan.id);
    expect(listed).not.toContain(id);
  });
});

describe('GET /plans', () => {
  it('lists plans newest first, and by cursor in GraphQL', async () => {
    const ids = [await newPlan(), await newPlan()].toReversed();
    expect((await api.rest('GET', '/plans?limit=2')).body.map((plan: { id: string }) => plan.id)).toEqual(ids);
    const { body } = await api.graphql('{ plans(first: 1) { edges { node { id amount } } pageInfo { hasNextPage } } }');
    expect(body.data.plans).toEqual({
      edges: [{ node: { id: ids[0], amount: 49900.5 } }],
      pageInfo: { hasNextPage: true },
    });
  });
});
