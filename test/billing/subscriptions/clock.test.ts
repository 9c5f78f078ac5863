/** The test clock of a merchant, a customer and a subscription. */

import { eventually } from '../../harness/flow/until';
import { testBilling } from '../../harness/merchant/subscriptions';
import { sendRequest } from '../../harness/servers/api';
import { startApi } from '../../harness/servers/apiProgram';

const billing = testBilling();
const { api, shop, moveClock } = billing;
const refused = ({ status, body }: { status: number; body: { error_code?: number } }) => [status, body.error_code];
const now = async (query = ''): Promise<string> => (await api.rest('GET', `/sandbox/clock${query}`)).body.now;

describe('POST /sandbox/clock', () => {
  it.concurrent('moves the clock of one subscription and not the clocks of the customer and the merchant', async () => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
    const { body: beside } = await shop.post(`/customers/${subscription.customer_id}/subscriptions`, {
      plan_id: subscription.created.plan_id,
      source_id: subscription.card_id,
    });
    expect(await moveClock('2040-01-11', { subscription_id: subscription.id })).toMatchObject({
      status: 200,
      body: { now: expect.stringMatching(/^2040-01-11T23:00/) },
    });
    expect((await subscription.read()).status).toBe('active');
    expect(
      (await api.rest('GET', `/customers/${subscription.customer_id}/subscriptions/${beside.id}`)).body.status,
    ).toBe('trial');
    // The day continues for an hour, so the next read is still on that day.
    expect(await now(`?subscription_id=${subscription.id}`)).toMatch(/^2040-01-11T23:/);
    expect(await now(`?customer_id=${subscription.customer_id}`)).toMatch(/^2040-01-10T12/);
  });

  it.concurrent('moves a customer with all its subscriptions, except subscriptions whose clock is already later', async () => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
    await subscription.diary('2040-03-01');
    const { body: beside } = await shop.post(`/customers/${subscription.customer_id}/subscriptions`, {
      plan_id: subscription.created.plan_id,
      source_id: subscription.card_id,
    });
    expect((await moveClock('2040-02-01', { customer_id: subscription.customer_id })).status).toBe(200);
    expect(await now(`?subscription_id=${subscription.id}`)).toMatch(/^2040-03-01/);
    const other = billing.subscriptionCalls(subscription.customer_id, beside.id);
    expect(await other.read()).toMatchObject({ status: 'active', current_period_number: 1, charge_date: '2040-02-11' });
    expect((await subscription.read()).current_period_number).toBe(2);
  });

  it.concurrent('fails with 422/1003 for earlier or invalid times and two scopes, and with 400/1001 for a value that is no text', async () => {
    const subscription = await billing.subscribe('2040-01-10');
    const { customer_id, id: subscription_id } = subscription;
    expect(refused(await shop.post('/sandbox/clock', { to: '2040-01-09', customer_id }))).toEqual([422, 1003]);
    expect(refused(await shop.post('/sandbox/clock', { to: '2026-02-30', customer_id }))).toEqual([422, 1003]);
    expect(refused(await shop.post('/sandbox/clock', { to: 'tomorrow', customer_id }))).toEqual([422, 1003]);
    expect(refused(await shop.post('/sandbox/clock', { to: '2040-01-20', customer_id, subscription_id }))).toEqual([
      422, 1003,
    ]);
    expect(refused(await shop.post('/sandbox/clock', { to: '2140-01-20', customer_id }))).toEqual([422, 1003]);
    expect(refused(await shop.post('/sandbox/clock', { to: 20400120, customer_id }))).toEqual([400, 1001]);
    expect(refused(await shop.post('/sandbox/clock', { customer_id }))).toEqual([400, 1001]);
    expect(
      refused(await shop.post('/sandbox/clock', { to: '2040-01-20', customer_id: 'a0000000000000000000' })),
    ).toEqual([404, 1005]);
    expect(refused(await shop.post('/sandbox/clock', { to: '2040-01-20', subscription_id: 'x' }))).toEqual([404, 1005]);
    expect(refused(await api.rest('GET', '/sandbox/clock?customer_id=a0000000000000000000'))).toEqual([404, 1005]);
    expect(await now(`?customer_id=${customer_id}`)).toMatch(/^2040-01-10T12/);
  });

  it.concurrent('responds 200 to repeated moves to the current time', async () => {
    const { customer_id } = await billing.newCustomerWithCard('2040-01-10');
    const to = '2040-01-15T08:00:00-05:00';
    for (let i = 0; i < 3; i++) {
      const answer = await moveClock(to, { customer_id });
      expect(answer).toMatchObject({ status: 200, body: { now: expect.stringMatching(/^2040-01-15T08:00/) } });
    }
    expect(refused(await shop.post('/sandbox/clock', { to: '2040-01-15T07:59:00-05:00', customer_id }))).toEqual([
      422, 1003,
    ]);
  });

  it.concurrent('fails with 422/1003 for a time before the clock of the customer', async () => {
    const subscription = await billing.subscribe('2040-01-10');
    const { customer_id, id: subscription_id } = subscription;
    expect((await moveClock('2040-01-20', { subscription_id })).status).toBe(200);
    expect((await moveClock('2040-01-25', { customer_id })).status).toBe(200);
    expect(refused(await shop.post('/sandbox/clock', { to: '2040-01-20', subscription_id }))).toEqual([422, 1003]);
  });

  it.concurrent('also moves the clock of a cancelled subscription', async () => {
    const subscription = await billing.subscribe('2040-01-10');
    await subscription.remove();
    expect((await moveClock('2040-02-20T12:00:00-05:00', { subscription_id: subscription.id })).body).toEqual({
      now: '2040-02-20T12:00:00-05:00',
    });
    expect(await now(`?subscription_id=${subscription.id}`)).toMatch(/^2040-02-20T12/);
  });

  it.concurrent('expires an authorization whose workflow was lost', async () => {
    const { customer_id, card_id } = await billing.newCustomerWithCard('2040-01-10');
    const path = `/customers/${customer_id}/charges`;
    const { body } = await shop.post(path, { ...shop.charge, source_id: card_id, capture: false });
    const handle = billing.namespace.client().workflow.getHandle(`expiry-${body.id}`);
    await eventually(() => handle.terminate());
    expect((await moveClock('2040-01-20', { customer_id })).status).toBe(200);
    expect((await api.rest('GET', `${path}/${body.id}`)).body.status).toBe('cancelled');
  });

  it.concurrent('runs two concurrent moves one after the other', async () => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { repeat_unit: 'week' } });
    const whose = { subscription_id: subscription.id };
    const answers = await Promise.all([moveClock('2040-02-28', whose), moveClock('2040-04-30', whose)]);
    expect(answers.map(({ status }) => status).sort()).toEqual(answers[0]?.status === 200 ? [200, 200] : [200, 422]);
    const days = (await subscription.charges()).map(({ creation_date }: { creation_date: string }) =>
      creation_date.slice(0, 10),
    );
    expect(days).toEqual([...days].sort());
    expect(days).toHaveLength(16);
  });

  it.concurrent('responds 202 with its progress while the acquirer is unavailable, and finishes later', async () => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
    await shop.script(subscription.card_id, 'timeout', 'timeout');
    const body = { to: '2040-01-12', customer_id: subscription.customer_id };
    const ask = () => shop.post('/sandbox/clock', body, { 'idempotency-key': 'waits' });
    let first = await ask();
    // A busy Temporal server has not responded in time.
    while (first.status === 503) first = await ask();
    expect(first).toMatchObject({
      status: 202,
      body: { now: expect.stringMatching(/^2040-01-11/), to: '2040-01-12T23:00:00-05:00', done: 0, total: 1 },
    });
    await eventually(async () => expect((await ask()).status).toBe(200));
    expect(await subscription.journal()).toHaveLength(1);
  });

  it.concurrent('names the card script it waits for, and continues when the script is removed', async () => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
    await shop.script(subscription.card_id, ...Array(50).fill('timeout'));
    const clock = { to: '2040-01-12', subscription_id: subscription.id };
    const mutation = 'mutation($c: MoveClock!) { moveClock(clock: $c) { done waiting_for { id reason } } }';
    const reason = expect.stringMatching(
      /^The acquirer has not answered the charge of period 1\. The next attempt is at /,
    );
    const waiting_for = [{ id: subscription.id, reason }];
    await eventually(async () => {
      const [answer, { body }] = await Promise.all([
        shop.post('/sandbox/clock', clock),
        api.graphql(mutation, { c: clock }),
      ]);
      expect(answer).toMatchObject({ status: 202, body: { done: 0, waiting_for } });
      expect(body.data?.moveClock).toEqual({ done: 0, waiting_for });
    });
    // After a longer outage the next status request is scheduled much later.
    const inAnHour = Date.now() + 3_600_000;
    await api.database.db().$executeRaw`
      update subscriptions set version = version + 1, open = open || jsonb_build_object('tries', 4, 'again_at', ${inAnHour}::bigint)
      where id = ${subscription.id}`;
    expect((await shop.script(subscription.card_id)).body).toEqual({ outcomes: [] });
    await eventually(async () => expect((await shop.post('/sandbox/clock', clock)).status).toBe(200));
    expect(await subscription.read()).toMatchObject({ status: 'active', current_period_number: 1 });
    expect(await subscription.journal()).toMatchObject([{ operation: 'charge', outcome: 'approved' }]);
    const { entries } = await subscription.history();
    expect(entries.map(({ event }: { event: string }) => event)).toEqual(['created', 'unanswered', 'charged']);
  });

  it('moves the whole merchant: subscriptions, expiring authorizations, and creation dates of new records', async () => {
    const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
    const plan_id = await billing.newPlan({ trial_days: 2 });
    const subscriptions = [];
    for (let i = 0; i < 5; i++) {
      const customer_id = await shop.newCustomer({ requires_account: false });
      const source_id = await shop.newCard(`/customers/${customer_id}/cards`);
      const { body } = await shop.post(`/customers/${customer_id}/subscriptions`, { plan_id, source_id });
      subscriptions.push(billing.subscriptionCalls(customer_id, body.id));
    }
    const source_id = await shop.newCard();
    const reserved = await shop.newCharge(source_id, { capture: false });
    expect((await moveClock(`${day}T12:00:00-05:00`)).status).toBe(200);
    for (const subscription of subscriptions)
      expect(await subscription.read()).toMatchObject({ status: 'active', current_period_number: 2 });
    const { body } = await api.rest('GET', `/charges/${reserved}`);
    expect(body.status).toBe('cancelled');
    expect(new Date(body.operation_date).getTime() - new Date(body.creation_date).getTime()).toBe(7 * 86_400_000);
    for (const path of ['/customers', '/plans'])
      expect((await shop.post(path, path === '/plans' ? monthly : shop.payer)).body.creation_date).toContain(day);
    expect(await now()).toContain(day);
  });

  it('fails with 503/1004 while Temporal is unavailable, although all other requests succeed', async () => {
    const { customer_id, card_id } = await billing.newCustomerWithCard('2040-01-10');
    const { origin, program: alone } = await startApi({
      DATABASE_URL: api.database.url(),
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      ACQUIRER_URL: api.acquirer.credentials().url,
    });
    const { id, private_key: key } = api.merchants().own;
    const send = (method: string, path: string, body: object) =>
      sendRequest(`${origin}/v1/${id}${path}`, method, { key, body });
    const post = (path: string, body: object) => send('POST', path, body);
    expect(refused(await post('/sandbox/clock', { to: '2040-03-01', customer_id }))).toEqual([503, 1004]);
    expect(await now(`?customer_id=${customer_id}`)).toMatch(/^2040-01-10/);
    const plan_id = await billing.newPlan();
    const begun = await post(`/customers/${customer_id}/subscriptions`, { plan_id, source_id: card_id });
    expect(begun).toMatchObject({ status: 201, body: { status: 'active', current_period_number: 1 } });
    const path = `/customers/${customer_id}/subscriptions/${begun.body.id}`;
    expect((await send('PUT', path, { cancel_at_period_end: true })).body).toMatchObject({
      cancel_at_period_end: true,
    });
    expect([await alone.stop(), alone.output]).toEqual([0, expect.any(String)]);
    // The worker performs the accepted requests as soon as it is back.
    const subscription = billing.subscriptionCalls(customer_id, begun.body.id);
    expect(await subscription.diary('2040-02-10')).toBe('2040-02-10 | cancelled 1');
  });
});

const monthly = {
  name: 'New',
  amount: 1,
  repeat_every: 1,
  repeat_unit: 'month',
  status_after_retry: 'unpaid',
  trial_days: 0,
};

it('the clock move is available as a GraphQL mutation', async () => {
  const { customer_id } = await billing.newCustomerWithCard('2040-01-10');
  const mutation = 'mutation($c: MoveClock!) { moveClock(clock: $c) { now to } }';
  // Retries while a busy Temporal server has not responded in time.
  await eventually(async () => {
    const moved = await api.graphql(mutation, { c: { to: '2040-01-20', customer_id } });
    expect(moved.body.data?.moveClock).toMatchObject({ to: null });
  });
  const { body } = await api.graphql('query($c: ID) { clock(customer_id: $c) { now } }', { c: customer_id });
  expect(body.data.clock.now).toMatch(/^2040-01-20T23:/);
});
