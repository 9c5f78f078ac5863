/** Changes that make a charge due at once return its outcome. */
import { eventually } from '../../harness/flow/until';
import { testBilling } from '../../harness/merchant/subscriptions';
import { type ApiResponse, errorOf } from '../../harness/servers/api';

const billing = testBilling();
const { api, shop } = billing;

const DECLINES_LATER = '4000000000000341';
const pastDue = async (plan: object = {}) => {
  const subscription = await billing.subscribe('2040-01-10', { card: DECLINES_LATER, plan });
  const otherCard = (number?: string) => shop.newCard(`/customers/${subscription.customer_id}/cards`, number);
  const retry = (): Promise<ApiResponse> => shop.post(`${subscription.path}/retry`, {});
  return { ...subscription, otherCard, retry };
};

describe('PUT of a new card', () => {
  it.concurrent('while past_due returns active if the charge is approved', async () => {
    const subscription = await pastDue();
    expect(subscription.created).toMatchObject({ status: 'past_due', retries_left: 3, error_code: 3001 });
    expect(subscription.created.error_message).toMatch(/declined/);
    const source_id = await subscription.otherCard();
    const { status, body } = await subscription.put({ source_id });
    expect([status, body]).toMatchObject([200, { status: 'active', card: { id: source_id } }]);
    expect(body).not.toHaveProperty('error_code');
    expect(body).toEqual(await subscription.read());
    expect(body.transaction_id).toBe((await subscription.charges()).at(-1).id);
  });

  it.concurrent('while past_due returns past_due if the charge is declined, with the same retries left', async () => {
    const subscription = await pastDue();
    const source_id = await subscription.otherCard('4000000000003345');
    const { status, body } = await subscription.put({ source_id });
    expect([status, body]).toMatchObject([200, { status: 'past_due', retries_left: 3, card: { id: source_id } }]);
    expect(await subscription.charges()).toMatchObject([
      { error_code: 3001 },
      { error_code: 3003, id: body.transaction_id },
    ]);
  });

  it.concurrent('while unpaid returns active if the charge is approved, and unpaid if it is declined', async () => {
    const subscription = await pastDue({ retry_times: 0, status_after_retry: 'unpaid' });
    expect(subscription.created).toMatchObject({ status: 'unpaid' });
    expect((await subscription.put({ source_id: await subscription.otherCard('4000000000003345') })).body.status).toBe(
      'unpaid',
    );
    expect((await subscription.put({ source_id: await subscription.otherCard() })).body.status).toBe('active');
  });

  it.concurrent('returns the unchanged status if the acquirer does not respond', async () => {
    const subscription = await pastDue();
    const source_id = await subscription.otherCard();
    await shop.script(source_id, ...Array(20).fill('timeout'));
    expect((await subscription.put({ source_id })).body).toMatchObject({ status: 'past_due', card: { id: source_id } });
    await shop.script(source_id);
    expect(await subscription.diary('2040-01-12')).toContain('active 1');
    expect((await subscription.journal()).map(({ outcome }) => outcome)).toEqual([3001, 'approved']);
  });
});

it('a trial whose end is moved into the past returns the outcome of the first charge', async () => {
  const paid = await billing.subscribe('2040-01-10', { plan: { trial_days: 30 } });
  expect((await paid.put({ trial_end_date: '2040-01-09' })).body).toMatchObject({
    ...{ status: 'active', current_period_number: 1, charge_date: '2040-02-10' },
  });
  const declined = await billing.subscribe('2040-01-10', { card: DECLINES_LATER, plan: { trial_days: 30 } });
  expect((await declined.put({ trial_end_date: '2040-01-09' })).body).toMatchObject({ status: 'past_due' });
});

describe('POST …/retry', () => {
  it.concurrent('charges an unpaid period at once, without using up a retry', async () => {
    const subscription = await pastDue();
    const declined = await subscription.retry();
    expect(declined).toMatchObject({ status: 200, body: { status: 'past_due', retries_left: 3 } });
    await shop.script(subscription.card_id, 'approve');
    expect(await subscription.retry()).toMatchObject({
      status: 200,
      body: { status: 'active', current_period_number: 1 },
    });
    const { entries } = await subscription.history();
    expect(entries.map(({ event }: { event: string }) => event)).toEqual([
      'created',
      'declined',
      'retry_requested',
      'declined',
      'retry_requested',
      'charged',
    ]);
    await eventually(async () =>
      expect(await subscription.details()).toContainEqual(expect.stringContaining('**active**')),
    );
  });

  it.concurrent.each(['approve', '3001'])(
    'repeated after a crash returns the outcome of the first attempt: %s',
    async outcome => {
      const subscription = await pastDue();
      await shop.script(subscription.card_id, outcome, 'approve');
      const headers = { 'idempotency-key': subscription.id };
      const first = await shop.post(`${subscription.path}/retry`, {}, headers);
      await api.database.db().idempotentReply.updateMany({
        where: { key: subscription.id },
        data: { status: null, body: null, lease_until: new Date(0) },
      });
      expect(await shop.post(`${subscription.path}/retry`, {}, headers)).toMatchObject({
        status: 200,
        body: first.body,
      });
      expect(await subscription.charges()).toHaveLength(2);
    },
  );

  it.concurrent('fifty concurrent requests charge once', async () => {
    const subscription = await pastDue();
    await shop.script(subscription.card_id, ...Array(60).fill('approve'));
    const answers = await Promise.all(Array.from({ length: 50 }, subscription.retry));
    expect(answers.every(({ status, body }) => (status === 200 ? body.status === 'active' : status === 412))).toBe(
      true,
    );
    expect((await subscription.journal()).filter(({ outcome }) => outcome === 'approved')).toHaveLength(1);
  });

  it.concurrent('fails with 3006 if no period is unpaid, and with 1005 for another customer', async () => {
    const trial = await billing.subscribe('2040-01-10', { plan: { trial_days: 5 } });
    expect(errorOf(await shop.post(`${trial.path}/retry`, {}))).toBe(3006);
    const subscription = await pastDue();
    expect(errorOf(await shop.post(`/customers/${trial.customer_id}/subscriptions/${subscription.id}/retry`, {}))).toBe(
      1005,
    );
    const mutation = 'mutation($id: ID!) { retrySubscription(subscription_id: $id) { status } }';
    const { private_key: key } = api.merchants().other;
    expect(errorOf(await api.graphql(mutation, { id: subscription.id }, { key }))).toBe(1005);
    expect((await api.graphql(mutation, { id: subscription.id })).body.data.retrySubscription).toEqual({
      status: 'past_due',
    });
    await subscription.remove();
    expect(errorOf(await subscription.retry())).toBe(3006);
  });
});
