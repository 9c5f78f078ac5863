import { testBilling, trimDiary } from '../../harness/merchant/subscriptions';
import { errorOf } from '../../harness/servers/api';
import { inDatabase } from '../../harness/world/database';

const billing = testBilling();
const { api, shop } = billing;
const plan = shop.plan;
const create = (change: object) => shop.post('/plans', { ...plan, ...change });

describe('retry_schedule of a plan', () => {
  it('is daily by default, paydays, or a list of days whose length is retry_times', async () => {
    const { retry_times: _, ...rest } = plan;
    expect((await create({})).body).toMatchObject({ retry_times: 3, retry_schedule: 'daily' });
    expect((await shop.post('/plans', rest)).body).toMatchObject({ retry_times: 3, retry_schedule: 'daily' });
    expect((await create({ retry_schedule: null })).body.retry_schedule).toBe('daily');
    expect((await create({ retry_schedule: 'PayDays', retry_times: 5 })).body).toMatchObject({
      retry_times: 5,
      retry_schedule: 'paydays',
    });
    const { body } = await shop.post('/plans', { ...rest, retry_schedule: [1, 3, 7, 60] });
    expect(body).toMatchObject({ retry_times: 4, retry_schedule: [1, 3, 7, 60] });
    expect((await api.rest('GET', `/plans/${body.id}`)).body).toEqual(body);
  });

  it.each([
    ['an unknown word', { retry_schedule: 'weekly' }, 1003],
    ['a number', { retry_schedule: 3 }, 1001],
    ['words in a list', { retry_schedule: ['1', 'b', 'c'] }, 1001],
    ['an empty list', { retry_schedule: [], retry_times: 0 }, 1003],
    ['day 0', { retry_schedule: [0, 1, 2] }, 1003],
    ['day 61', { retry_schedule: [1, 2, 61] }, 1003],
    ['the same day twice', { retry_schedule: [1, 1, 2] }, 1003],
    ['decreasing days', { retry_schedule: [3, 2, 1] }, 1003],
    ['fewer days than retries', { retry_schedule: [1, 3] }, 1003],
    ['21 days', { retry_schedule: Array.from({ length: 21 }, (_, i) => i + 1), retry_times: null }, 1003],
  ])('is refused as %s', async (_, change, code) => {
    const answer = await create(change);
    expect([errorOf(answer), answer.body.field]).toEqual([code, 'retry_schedule']);
  });

  it('cannot be changed, but sent back', async () => {
    const { body } = await create({ retry_schedule: [1, 3, 7] });
    expect((await api.rest('PUT', `/plans/${body.id}`, { body })).body).toEqual(body);
    const changed = await api.rest('PUT', `/plans/${body.id}`, { body: { ...body, retry_schedule: [1, 3, 8] } });
    expect([changed.status, changed.body.field]).toEqual([422, 'retry_schedule']);
  });

  it('is a scalar in GraphQL, in variables and in documents', async () => {
    const { retry_times: _, ...rest } = plan;
    const mutation = 'mutation ($plan: CreatePlan!) { createPlan(plan: $plan) { retry_times retry_schedule } }';
    const variables = { plan: { ...rest, retry_schedule: [2, 4] } };
    const { body } = await api.graphql(mutation, variables);
    expect(body.data.createPlan).toEqual({ retry_times: 2, retry_schedule: [2, 4] });
    const fields =
      'name: "N", amount: 1, repeat_every: 1, repeat_unit: month, status_after_retry: unpaid, trial_days: 0';
    const literal = (schedule: string) =>
      api.graphql(`mutation { createPlan(plan: { ${fields}, retry_schedule: ${schedule} }) { retry_schedule } }`);
    expect((await literal('[1, 3]')).body.data.createPlan).toEqual({ retry_schedule: [1, 3] });
    expect((await literal('"paydays"')).body.data.createPlan).toEqual({ retry_schedule: 'paydays' });
    expect(errorOf(await literal('[3, 1]'))).toBe(1003);
  });

  it('is checked by the database too', async () => {
    const { body } = await create({});
    const update = 'update plans set retry_schedule = $2, retry_times = $3 where id = $1';
    const set = (schedule: string, retries: number) =>
      inDatabase(api.database.url(), client => client.query(update, [body.id, schedule, retries]));
    for (const wrong of ['"weekly"', '[]', '[0]', '[61]', '[1.5]', '["1"]', '{}', 'null', '3'])
      await expect(set(wrong, 1)).rejects.toThrow(/plans_retry_schedule_check|not as many/);
    for (const wrong of ['[2, 1]', '[1, 1]']) await expect(set(wrong, 2)).rejects.toThrow('plans_retry_schedule_check');
    await expect(set('[1, 2]', 3)).rejects.toThrow('not as many retry days');
    await set('[1, 2, 60]', 3);
    await set('"paydays"', 20);
    const { id } = await billing.subscribe('2040-01-10', { card: '4000000000000341' });
    const refusal = (value: string) =>
      inDatabase(api.database.url(), client =>
        client.query('update subscriptions set card_refusal = $2 where id = $1', [id, value]),
      );
    for (const wrong of ['{}', '3', '{"error_code": 3004}', '{"error_code": "3004", "until": null}'])
      await expect(refusal(wrong)).rejects.toThrow('subscriptions_card_refusal_check');
  });
});

describe('a declined charge', () => {
  it.concurrent('is retried on paydays after insufficient funds', async () => {
    const schedule = { retry_schedule: 'paydays' };
    const subscription = await billing.subscribe('2040-01-10', { card: '4000000000003345', plan: schedule });
    expect(subscription.created).toMatchObject({ next_retry_date: '2040-01-13', retries_left: 3 });
    // 15 January is a Sunday.
    expect(await subscription.diary('2040-01-12', '2040-01-13', '2040-01-16', '2040-01-31')).toBe(
      trimDiary(`
        2040-01-12 | past_due 1 | next 2040-02-10 | retry 2040-01-13, 3 left
        2040-01-13 | past_due 1 | next 2040-02-10 | retry 2040-01-16, 2 left | declined 3003
        2040-01-16 | past_due 1 | next 2040-02-10 | retry 2040-01-31, 1 left | declined 3003
        2040-01-31 | unpaid 1 | next 2040-02-10 | declined 3003`),
    );
  });

  it.concurrent('is retried daily on a plan of paydays for another reason', async () => {
    const schedule = { retry_schedule: 'paydays' };
    const subscription = await billing.subscribe('2040-01-10', { card: '4000000000000341', plan: schedule });
    expect(subscription.created).toMatchObject({ next_retry_date: '2040-01-11', retries_left: 3 });
  });

  it.concurrent('is retried on the days of a list', async () => {
    const schedule = { retry_schedule: [2, 5, 6], status_after_retry: 'cancelled' };
    const subscription = await billing.subscribe('2040-01-10', { card: '4000000000000341', plan: schedule });
    expect(await subscription.diary('2040-01-12', '2040-01-15', '2040-01-16')).toBe(
      trimDiary(`
        2040-01-12 | past_due 1 | next 2040-02-10 | retry 2040-01-15, 2 left | declined 3001
        2040-01-15 | past_due 1 | next 2040-02-10 | retry 2040-01-16, 1 left | declined 3001
        2040-01-16 | cancelled 1 | declined 3001`),
    );
  });
});
