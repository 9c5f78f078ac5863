/** Paid subscriptions, as diaries with a line per day. */
import { eventually } from '../../harness/flow/until';
import { testBilling, trimDiary } from '../../harness/merchant/subscriptions';

const billing = testBilling();

describe('a subscription', () => {
  it.concurrent('is charged for each period after its trial', async () => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 3 } });
    expect(subscription.created).toMatchObject({
      status: 'trial',
      current_period_number: 0,
      trial_end_date: '2040-01-12',
      period_end_date: '2040-01-12',
      charge_date: '2040-01-13',
      transaction_id: null,
      cancel_at_period_end: false,
      card: { id: subscription.card_id, card_number: '492938XXXXXX7748', brand: 'visa' },
    });
    expect(await subscription.diary('2040-01-12', '2040-01-13', '2040-02-12', '2040-02-13', '2040-03-13')).toBe(
      trimDiary(`
        2040-01-12 | trial 0 | next 2040-01-13
        2040-01-13 | active 1 | next 2040-02-13 | paid
        2040-02-12 | active 1 | next 2040-02-13
        2040-02-13 | active 2 | next 2040-03-13 | paid
        2040-03-13 | active 3 | next 2040-04-13 | paid
      `),
    );
    const charges = await subscription.charges();
    expect(charges.map(({ id }: { id: string }) => id).at(-1)).toBe((await subscription.read()).transaction_id);
    expect(charges[0]).toMatchObject({
      amount: 49900,
      description: 'Monthly',
      order_id: null,
      subscription_id: subscription.id,
      customer_id: subscription.customer_id,
      method: 'card',
      card: { id: subscription.card_id },
    });
    // Charges run within two hours of the start of the day, and have its date.
    for (const { creation_date, operation_date } of charges) {
      expect(creation_date.slice(11)).toMatch(/^0[01]:/);
      expect(operation_date).toBe(creation_date);
    }
    expect((await subscription.journal()).map(({ operation, outcome }) => `${operation} ${outcome}`)).toEqual(
      Array(3).fill('charge approved'),
    );
    await subscription.record('trial to active');
  });

  it.concurrent('without a trial is charged at once, within the request', async () => {
    const subscription = await billing.subscribe('2040-05-20');
    expect(subscription.created).toMatchObject({
      status: 'active',
      current_period_number: 1,
      trial_end_date: '2040-05-19',
      charge_date: '2040-06-20',
      period_end_date: '2040-06-19',
      transaction_id: expect.stringMatching(/^t/),
    });
    expect(await subscription.diaryLine('2040-05-20')).toBe('2040-05-20 | active 1 | next 2040-06-20 | paid');
    expect(await subscription.diary('2040-06-20')).toBe('2040-06-20 | active 2 | next 2040-07-20 | paid');
  });

  it.concurrent('has a trial until today, until tomorrow, or none, depending on trial_end_date', async () => {
    const subscriptions = [];
    for (const trial_end_date of ['2040-03-09', '2040-03-10', '2040-03-11'])
      subscriptions.push(await billing.subscribe('2040-03-10', { trial_end_date, plan: { trial_days: 30 } }));
    expect(subscriptions.map(({ created: { status, trial_end_date } }) => [status, trial_end_date])).toEqual([
      ['active', '2040-03-09'],
      ['trial', '2040-03-10'],
      ['trial', '2040-03-11'],
    ]);
    const diaries = [];
    for (const subscription of subscriptions) diaries.push(await subscription.diary('2040-03-11', '2040-03-12'));
    expect(diaries).toEqual(
      [
        `2040-03-11 | active 1 | next 2040-04-10
         2040-03-12 | active 1 | next 2040-04-10`,
        `2040-03-11 | active 1 | next 2040-04-11 | paid
         2040-03-12 | active 1 | next 2040-04-11`,
        `2040-03-11 | trial 0 | next 2040-03-12
         2040-03-12 | active 1 | next 2040-04-12 | paid`,
      ].map(trimDiary),
    );
  });

  it.concurrent('every 3 months from the 31st is charged on the last day of shorter months', async () => {
    const subscription = await billing.subscribe('2040-08-31', { plan: { repeat_every: 3 } });
    expect(await subscription.diary('2040-11-29', '2040-11-30', '2041-02-28', '2041-05-31', '2041-08-31')).toBe(
      trimDiary(`
        2040-11-29 | active 1 | next 2040-11-30
        2040-11-30 | active 2 | next 2041-02-28 | paid
        2041-02-28 | active 3 | next 2041-05-31 | paid
        2041-05-31 | active 4 | next 2041-08-31 | paid
        2041-08-31 | active 5 | next 2041-11-30 | paid
      `),
    );
  });

  it.concurrent('yearly from 29 February is charged on 29 February in leap years', async () => {
    const subscription = await billing.subscribe('2040-02-29', { plan: { repeat_unit: 'year' } });
    expect(await subscription.diary('2041-02-28', '2043-12-31', '2044-02-28', '2044-02-29')).toBe(
      trimDiary(`
        2041-02-28 | active 2 | next 2042-02-28 | paid
        2043-12-31 | active 4 | next 2044-02-29
        2044-02-28 | active 4 | next 2044-02-29
        2044-02-29 | active 5 | next 2045-02-28 | paid
      `),
    );
  });

  it.concurrent('every 2 weeks continues across the end of a year', async () => {
    const subscription = await billing.subscribe('2040-12-10', { plan: { repeat_every: 2, repeat_unit: 'week' } });
    expect(await subscription.diary('2040-12-24', '2041-01-06', '2041-01-07')).toBe(
      trimDiary(`
        2040-12-24 | active 2 | next 2041-01-07 | paid
        2041-01-06 | active 2 | next 2041-01-07
        2041-01-07 | active 3 | next 2041-01-21 | paid
      `),
    );
  });

  it.concurrent('weekly, moved by a year in one step of the clock, charges every period in order and with its own date', async () => {
    const subscription = await billing.subscribe('2040-01-02', { plan: { repeat_unit: 'week', amount: 1234567.89 } });
    expect(await subscription.diary('2040-12-31')).toBe('2040-12-31 | active 53 | next 2041-01-07 | paid');
    const days = (await subscription.charges()).map(({ creation_date }: { creation_date: string }) =>
      creation_date.slice(0, 10),
    );
    expect(days).toEqual(
      Array.from({ length: 53 }, (_, i) => new Date(Date.UTC(2040, 0, 2 + 7 * i)).toISOString().slice(0, 10)),
    );
    const journal = await subscription.journal();
    expect(journal.map(({ amount }) => amount)).toEqual(Array(53).fill(123456789));
    expect(new Set(journal.map(({ key }) => key)).size).toBe(53);
    // A local activity is one event.
    await eventually(async () => expect((await subscription.workflow().describe()).historyLength).toBeLessThan(130));
    await subscription.record('a year of weeks');
  });

  it.concurrent('monthly from the 31st, moved by three years in one step of the clock, charges every period', async () => {
    const subscription = await billing.subscribe('2040-01-31');
    expect(await subscription.diary('2043-01-30')).toBe('2043-01-30 | active 36 | next 2043-01-31');
    const days = (await subscription.charges()).map(({ creation_date }: { creation_date: string }) =>
      creation_date.slice(0, 10),
    );
    expect(days.slice(0, 5)).toEqual(['2040-01-31', '2040-02-29', '2040-03-31', '2040-04-30', '2040-05-31']);
    expect(days).toHaveLength(36);
  });

  it.concurrent('continues when its plan is deleted, although that plan accepts no new subscriptions', async () => {
    const subscription = await billing.subscribe('2040-04-01', { plan: { trial_days: 1 } });
    expect((await billing.api.rest('DELETE', `/plans/${subscription.created.plan_id}`)).status).toBe(204);
    expect(await subscription.diary('2040-04-02', '2040-05-02')).toBe(
      trimDiary(`
        2040-04-02 | active 1 | next 2040-05-02 | paid
        2040-05-02 | active 2 | next 2040-06-02 | paid
      `),
    );
    const again = await billing.shop.post(`/customers/${subscription.customer_id}/subscriptions`, {
      plan_id: subscription.created.plan_id,
      source_id: subscription.card_id,
    });
    expect([again.status, again.body.error_code]).toEqual([404, 1005]);
  });

  it.concurrent('credits the account of its customer, if it has one', async () => {
    const customer_id = await billing.shop.newCustomer();
    const source_id = await billing.shop.newCard(`/customers/${customer_id}/cards`);
    const plan_id = await billing.newPlan({ amount: 1000.5 });
    await billing.shop.post(`/customers/${customer_id}/subscriptions`, { plan_id, source_id });
    expect(await billing.shop.customerBalance(customer_id)).toBe(1000.5);
  });

  it.concurrent('can have its trial extended, shortened and ended', async () => {
    const subscription = await billing.subscribe('2040-06-01', { plan: { trial_days: 10 } });
    expect((await subscription.put({ trial_end_date: '2040-06-20' })).body).toMatchObject({
      status: 'trial',
      trial_end_date: '2040-06-20',
      charge_date: '2040-06-21',
    });
    expect(await subscription.diary('2040-06-15')).toBe('2040-06-15 | trial 0 | next 2040-06-21');
    expect((await subscription.put({ trial_end_date: '2040-06-01' })).body).toMatchObject({
      trial_end_date: '2040-06-01',
    });
    expect(await subscription.diary('2040-06-16')).toBe('2040-06-16 | active 1 | next 2040-07-15');
    expect((await subscription.put({ trial_end_date: '2040-07-01' })).body).toMatchObject({ error_code: 3006 });
  });
});
