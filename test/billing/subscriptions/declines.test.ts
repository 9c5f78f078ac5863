/** Subscriptions with declined charges, as diaries with a line per day. */
import { testBilling, trimDiary } from '../../harness/merchant/subscriptions';

const billing = testBilling();
const { shop } = billing;
const DECLINES = '4000000000000341';
const TWICE = '4000000000000028';

describe('a declined charge', () => {
  it.concurrent('is retried the next day, and the second retry is approved', async () => {
    const subscription = await billing.subscribe('2040-01-10', { card: TWICE, plan: { trial_days: 1 } });
    expect(await subscription.diary('2040-01-11', '2040-01-12', '2040-01-13', '2040-02-11')).toBe(
      trimDiary(`
        2040-01-11 | past_due 1 | next 2040-02-11 | retry 2040-01-12, 3 left | declined 3001
        2040-01-12 | past_due 1 | next 2040-02-11 | retry 2040-01-13, 2 left | declined 3001
        2040-01-13 | active 1 | next 2040-02-11 | paid
        2040-02-11 | active 2 | next 2040-03-11 | paid
      `),
    );
    const events = await billing.api.database.db().event.findMany({
      where: { OR: [{ object_id: subscription.id }, { type: 'subscription.charge.failed' }] },
      orderBy: { creation_date: 'asc' },
    });
    const own = events.filter(({ object, object_id }) =>
      object_id === subscription.id
        ? true
        : (object as { subscription_id: string }).subscription_id === subscription.id,
    );
    expect(own.map(({ type }) => type).sort()).toEqual([
      'subscription.activated',
      'subscription.charge.failed',
      'subscription.charge.failed',
      'subscription.created',
      'subscription.past_due',
    ]);
  });

  it.concurrent('at creation returns 201 with status past_due', async () => {
    const subscription = await billing.subscribe('2040-01-10', { card: TWICE });
    expect(subscription.created).toMatchObject({
      status: 'past_due',
      current_period_number: 1,
      charge_date: '2040-02-10',
      next_retry_date: '2040-01-11',
      retries_left: 3,
    });
    expect(await subscription.diary('2040-01-11', '2040-01-12')).toBe(
      trimDiary(`
        2040-01-11 | past_due 1 | next 2040-02-10 | retry 2040-01-12, 2 left | declined 3001
        2040-01-12 | active 1 | next 2040-02-10 | paid
      `),
    );
  });

  it.concurrent('makes the subscription unpaid after its last retry, and cancels it on the next billing day without payment', async () => {
    const subscription = await billing.subscribe('2040-01-10', { card: DECLINES, plan: { retry_times: 2 } });
    expect(await subscription.diary('2040-01-11', '2040-01-12', '2040-02-09', '2040-02-10')).toBe(
      trimDiary(`
        2040-01-11 | past_due 1 | next 2040-02-10 | retry 2040-01-12, 1 left | declined 3001
        2040-01-12 | unpaid 1 | next 2040-02-10 | declined 3001
        2040-02-09 | unpaid 1 | next 2040-02-10
        2040-02-10 | cancelled 1
      `),
    );
    expect(await subscription.workflow().result()).toEqual({ reason: 'left_unpaid', current_period_number: 1 });
    expect((await subscription.history()).summary).toBe(
      'Cancelled: The subscription ended because it was not paid in time.',
    );
    await subscription.record('unpaid and forgotten');
    const { body } = await billing.api.graphql(
      `query ($id: ID!) { subscription(subscription_id: $id) {
        events { edges { node { type object { ... on CustomerSubscription { status } } } } } } }`,
      { id: subscription.id },
    );
    expect(body.data.subscription.events.edges).toEqual([
      { node: { type: 'subscription_cancelled', object: { status: 'cancelled' } } },
      { node: { type: 'subscription_unpaid', object: { status: 'unpaid' } } },
      { node: { type: 'subscription_past_due', object: { status: 'past_due' } } },
      { node: { type: 'subscription_created', object: expect.anything() } },
    ]);
  });

  it.concurrent('leaves an unpaid weekly subscription a week for payment', async () => {
    const plan = { repeat_unit: 'week', retry_times: 5 };
    const subscription = await billing.subscribe('2040-01-10', { card: DECLINES, plan });
    expect(await subscription.diary('2040-01-15', '2040-01-17', '2040-01-21', '2040-01-22')).toBe(
      trimDiary(`
        2040-01-15 | unpaid 1 | next 2040-01-17 | declined 3001
        2040-01-17 | unpaid 1 | next 2040-01-17
        2040-01-21 | unpaid 1 | next 2040-01-17
        2040-01-22 | cancelled 1
      `),
    );
  });

  it.concurrent('cancels the subscription after the last retry if the plan says so', async () => {
    const subscription = await billing.subscribe('2040-01-10', {
      card: DECLINES,
      plan: { retry_times: 1, status_after_retry: 'cancelled' },
    });
    expect(await subscription.diary('2040-01-11')).toBe('2040-01-11 | cancelled 1 | declined 3001');
    expect(await subscription.workflow().result()).toMatchObject({ reason: 'retries_exhausted' });
  });

  it.concurrent('with retry_times 0 takes effect at once', async () => {
    const unpaid = await billing.subscribe('2040-01-10', { card: DECLINES, plan: { retry_times: 0 } });
    expect(unpaid.created).toMatchObject({ status: 'unpaid' });
    const plan = { retry_times: 0, status_after_retry: 'cancelled' };
    const ended = await billing.subscribe('2040-01-10', { card: DECLINES, plan });
    expect(ended.created).toMatchObject({ status: 'cancelled' });
    expect(await unpaid.diary('2040-02-10')).toBe('2040-02-10 | cancelled 1');
  });

  it.concurrent('postpones later periods, which are charged one after the other when the period is paid', async () => {
    const subscription = await billing.subscribe('2040-01-01', { plan: { repeat_unit: 'week', retry_times: 20 } });
    await shop.script(subscription.card_id, ...Array(15).fill(3003));
    expect(await subscription.diary('2040-01-08', '2040-01-15', '2040-01-22', '2040-01-23', '2040-01-29')).toBe(
      trimDiary(`
        2040-01-08 | past_due 2 | next 2040-01-15 | retry 2040-01-09, 20 left | declined 3003
        2040-01-15 | past_due 2 | next 2040-01-15 | retry 2040-01-16, 13 left | declined 3003
        2040-01-22 | past_due 2 | next 2040-01-15 | retry 2040-01-23, 6 left | declined 3003
        2040-01-23 | active 4 | next 2040-01-29 | paid | paid | paid
        2040-01-29 | active 5 | next 2040-02-05 | paid
      `),
    );
  });
});

describe('a new card', () => {
  it.concurrent('while past_due is charged at once and uses up no retry', async () => {
    const subscription = await billing.subscribe('2040-01-10', { card: DECLINES });
    const other = await shop.newCard(`/customers/${subscription.customer_id}/cards`, '4000000000003345');
    expect((await subscription.put({ source_id: other })).body).toMatchObject({ card: { id: other }, retries_left: 3 });
    await subscription.diary('2040-01-10');
    expect(await subscription.diaryLine('2040-01-10')).toBe(
      '2040-01-10 | past_due 1 | next 2040-02-10 | retry 2040-01-11, 3 left | declined 3001 | declined 3003',
    );
    const good = await shop.newToken();
    expect((await subscription.put({ source_id: good })).body).toMatchObject({
      card: { card_number: '492938XXXXXX7748' },
    });
    expect(await subscription.diary('2040-01-11')).toBe('2040-01-11 | active 1 | next 2040-02-10');
    expect((await subscription.journal()).map(({ outcome }) => outcome)).toEqual([3001, 3003, 'approved']);
    await subscription.record('a new card while past due');
  });

  it.concurrent('while unpaid makes the subscription active if the charge is approved, and leaves it unpaid otherwise', async () => {
    const subscription = await billing.subscribe('2040-01-10', { card: DECLINES, plan: { retry_times: 0 } });
    const bad = await shop.newCard(`/customers/${subscription.customer_id}/cards`, '4000000000003345');
    await subscription.put({ source_id: bad });
    expect(await subscription.diary('2040-01-11')).toMatch(/unpaid 1/);
    expect((await subscription.charges()).map(({ error_code }: { error_code: number }) => error_code)).toEqual([
      3001, 3003,
    ]);
    const good = await shop.newCard(`/customers/${subscription.customer_id}/cards`);
    await subscription.put({ card_id: good });
    expect(await subscription.diary('2040-01-12', '2040-02-10')).toBe(
      trimDiary(`
        2040-01-12 | active 1 | next 2040-02-10
        2040-02-10 | active 2 | next 2040-03-10 | paid
      `),
    );
  });

  it.concurrent('that the acquirer refuses changes nothing', async () => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
    const declined = await subscription.put({ source_id: await shop.newToken('4222222222222220') });
    expect([declined.status, declined.body.error_code]).toEqual([402, 3001]);
    expect(await subscription.read()).toMatchObject({ card: { id: subscription.card_id } });
  });

  it.concurrent('belongs to the subscription alone if it was sent as a token or as card data', async () => {
    const { customer_id } = await billing.newCustomerWithCard('2040-01-10');
    const path = `/customers/${customer_id}/subscriptions`;
    const plan_id = await billing.newPlan({ trial_days: 1 });
    const typed = {
      holder_name: 'Ana',
      card_number: '5555555555554444',
      cvv2: '123',
      expiration_month: '12',
      expiration_year: '69',
    };
    const first = await shop.post(path, { plan_id, card: typed });
    expect(first).toMatchObject({
      status: 201,
      body: { card: { card_number: '555555XXXXXX4444', brand: 'mastercard' } },
    });
    expect(first.body.card).not.toHaveProperty('id');
    const second = await shop.post(path, { plan_id, source_id: await shop.newToken() });
    expect(second.body.card).not.toHaveProperty('id');
    expect((await billing.api.rest('GET', `/customers/${customer_id}/cards`)).body).toHaveLength(1);
    const subscription = billing.subscriptionCalls(customer_id, first.body.id);
    expect(await subscription.diary('2040-01-11')).toBe('2040-01-11 | active 1 | next 2040-02-11 | paid');
    // Its number is deleted when the card is replaced, and when the subscription ends.
    const cards = () => billing.api.database.db().card.findMany({ where: { customer_id, status: 'held' } });
    expect(await cards()).toHaveLength(2);
    await subscription.put({ card: { ...typed, card_number: '4242424242424242' } });
    expect((await cards()).map(({ card_number }) => card_number).sort()).toEqual([
      '424242XXXXXX4242',
      '492938XXXXXX7748',
    ]);
    await subscription.remove();
    expect(await cards()).toHaveLength(1);
    expect((await subscription.read()).card).toMatchObject({ card_number: '424242XXXXXX4242' });
  });

  it.concurrent('with the masked number of the current card leaves it unchanged', async () => {
    const subscription = await billing.subscribe('2040-01-10');
    const { body } = await billing.api.rest('PUT', subscription.path, { body: await subscription.read() });
    expect(body).toEqual(await subscription.read());
    expect(body).toMatchObject({ status: 'active', card: { id: subscription.card_id } });
  });

  it.concurrent('cannot be deleted while a subscription uses it', async () => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 5 } });
    const path = `/customers/${subscription.customer_id}/cards/${subscription.card_id}`;
    expect(await billing.api.rest('DELETE', path)).toMatchObject({ status: 412, body: { error_code: 3006 } });
    await subscription.remove();
    expect((await billing.api.rest('DELETE', path)).status).toBe(204);
  });
});
