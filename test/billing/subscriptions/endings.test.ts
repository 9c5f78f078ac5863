/** Subscriptions that end, as diaries with a line per day. */

import { visa } from '../../harness/cards/testCards';
import { eventually } from '../../harness/flow/until';
import { testBilling, trimDiary } from '../../harness/merchant/subscriptions';

const billing = testBilling();
const { api, shop } = billing;
const DECLINES = '4000000000000341';

describe('cancel_at_period_end', () => {
  it.concurrent('cancels the subscription on its next billing day, without a charge', async () => {
    const subscription = await billing.subscribe('2040-01-10');
    expect((await subscription.put({ cancel_at_period_end: true })).body).toMatchObject({
      status: 'active',
      cancel_at_period_end: true,
    });
    expect(await subscription.diary('2040-02-09', '2040-02-10')).toBe(
      trimDiary(`
        2040-02-09 | active 1 | next 2040-02-10
        2040-02-10 | cancelled 1
      `),
    );
    expect(await subscription.workflow().result()).toMatchObject({ reason: 'period_ended' });
    await subscription.record('cancelled at period end');
  });

  it.concurrent('can be revoked', async () => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 2 } });
    await subscription.put({ cancel_at_period_end: 'true' });
    await subscription.diary('2040-01-11');
    expect((await subscription.put({ cancel_at_period_end: false })).body).toMatchObject({
      cancel_at_period_end: false,
    });
    expect(await subscription.diary('2040-01-12')).toBe('2040-01-12 | active 1 | next 2040-02-12 | paid');
  });

  it.concurrent('during the trial cancels the subscription at the end of the trial', async () => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 2 } });
    await subscription.put({ cancel_at_period_end: true });
    expect(await subscription.diary('2040-01-12')).toBe('2040-01-12 | cancelled 0');
    expect(await subscription.charges()).toEqual([]);
  });

  it.concurrent('lets the retries of the unpaid period continue until that day', async () => {
    const plan = { repeat_unit: 'week', retry_times: 20 };
    const subscription = await billing.subscribe('2040-01-10', { card: DECLINES, plan });
    await subscription.put({ cancel_at_period_end: true });
    expect(await subscription.diary('2040-01-16', '2040-01-17')).toMatch(
      /^2040-01-16 \| past_due 1 .* declined 3001\n2040-01-17 \| cancelled 1$/,
    );
  });
});

describe('DELETE', () => {
  it.concurrent.each([
    ['in the trial', { plan: { trial_days: 5 } }, 'cancelled 0'],
    ['while active', {}, 'cancelled 1'],
    ['between retries', { card: DECLINES }, 'cancelled 1'],
    ['while unpaid', { card: DECLINES, plan: { retry_times: 0 } }, 'cancelled 1'],
  ])('%s cancels the subscription at once', async (_, more, expected) => {
    const subscription = await billing.subscribe('2040-01-10', more);
    const before = (await subscription.charges()).length;
    await subscription.waitForWorkflow();
    expect((await subscription.remove()).status).toBe(204);
    expect(await subscription.diaryLine('2040-01-10')).toContain(expected);
    expect(await subscription.workflow().result()).toMatchObject({ reason: 'cancelled_by_merchant' });
    expect(await subscription.diary('2040-03-31')).toBe(`2040-03-31 | ${expected}`);
    expect(await subscription.charges()).toHaveLength(before);
    expect(await subscription.remove()).toMatchObject({ status: 404, body: { error_code: 1005 } });
    expect(await subscription.put({ cancel_at_period_end: true })).toMatchObject({
      status: 412,
      body: { error_code: 3006 },
    });
    const listed = async (query = '') =>
      (await api.rest('GET', `/customers/${subscription.customer_id}/subscriptions${query}`)).body.length;
    expect([await listed(), await listed('?status=cancelled'), await listed('?status=ACTIVE')]).toEqual([0, 1, 0]);
  });

  it.concurrent('while a charge is in flight lets this charge complete and be recorded', async () => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
    await shop.script(subscription.card_id, 'slow');
    const moving = billing.moveClock('2040-01-12', { subscription_id: subscription.id });
    await eventually(async () => expect(await subscription.charges()).toHaveLength(1));
    expect((await subscription.remove()).status).toBe(204);
    expect((await moving).status).toBe(200);
    await eventually(async () => expect(await subscription.charges()).toMatchObject([{ status: 'completed' }]));
    expect(await subscription.read()).toMatchObject({ status: 'cancelled', current_period_number: 1 });
    expect(await subscription.workflow().result()).toMatchObject({
      reason: 'cancelled_by_merchant',
      current_period_number: 1,
    });
    expect(await subscription.journal()).toMatchObject([{ operation: 'charge', outcome: 'approved' }]);
    await subscription.record('deleted while a charge is in flight');
  });
});

describe('a deleted customer', () => {
  it.concurrent('has its subscriptions cancelled', async () => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 3 } });
    await subscription.waitForWorkflow();
    expect((await api.rest('DELETE', `/customers/${subscription.customer_id}`)).status).toBe(204);
    expect((await api.rest('GET', subscription.path)).status).toBe(404);
    expect(await subscription.workflow().result()).toMatchObject({ reason: 'customer_deleted' });
    const listed = await api.rest('GET', `/plans/${subscription.created.plan_id}/subscriptions?status=cancelled`);
    expect(listed.body).toMatchObject([{ id: subscription.id, status: 'cancelled' }]);
  });
});

describe('an operator in the Temporal UI', () => {
  it.concurrent('does not end the subscription with Request Cancellation, and reads how to cancel it', async () => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 3 } });
    await subscription.waitForWorkflow();
    await subscription.workflow().cancel();
    const notice = expect.stringContaining('send the update `cancel` with a reason');
    await eventually(async () => expect(await subscription.details()).toContainEqual(notice));
    expect(await subscription.diary('2040-01-13')).toBe('2040-01-13 | active 1 | next 2040-02-13 | paid');
    await eventually(async () => expect(await subscription.details()).toContainEqual(notice));
    const form = { reason: 'Holidays', actor: 'ana' };
    await subscription.workflow().executeUpdate('hold', { args: [form] });
    await subscription.workflow().executeUpdate('release', { args: [form] });
    await subscription.record('cancellation requested');
    await subscription.workflow().executeUpdate('cancel', { args: [form] });
    expect(await subscription.workflow().result()).toMatchObject({ reason: 'cancelled_by_operator' });
  });

  it.concurrent('cancels the subscription with an update, and queries its state', async () => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 3 } });
    await subscription.waitForWorkflow();
    expect(await subscription.details()).toEqual([
      '**trial**, period 0, sleeping',
      expect.stringContaining('next: charge period 1, at 2040-'),
    ]);
    expect(
      await subscription.workflow().executeUpdate('cancel', { args: [{ reason: 'A twin', actor: 'ana' }] }),
    ).toMatchObject({ status: 'cancelled' });
    expect(await subscription.workflow().result()).toMatchObject({ reason: 'cancelled_by_operator' });
    await subscription.record('cancelled by an update');
  });

  it.concurrent('finds the subscription by its search attributes, reads what it waits for, and sees no personal data', async () => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 3 } });
    await subscription.diary('2040-01-13');
    const { client } = billing.namespace;
    await eventually(async () => {
      const query = `CustomerId = '${subscription.customer_id}' AND SubscriptionStatus = 'active' AND PlanId = '${subscription.created.plan_id}' AND Environment = 'sandbox' AND NextChargeAt > '2040-02-13T00:00:00-05:00' AND MerchantId = '${api.merchants().own.id}'`;
      const found = [];
      for await (const { workflowId } of client().workflow.list({ query })) found.push(workflowId);
      expect(found).toEqual([`subscription-${subscription.id}`]);
    });
    const history = await subscription.workflow().fetchHistory();
    const text = JSON.stringify(history, (_, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString() : value,
    );
    const decoded = text.replace(/"([A-Za-z0-9+/=]{8,})"/g, (_, base64) => `"${Buffer.from(base64, 'base64')}"`);
    expect(decoded).toMatch(/next: charge period 2, at 2040-02-13 0\d:\d\d:\d\d in Bogotá, by a test clock .* ahead/);
    // Random IDs and nanoseconds may contain the same digits.
    expect(decoded).not.toContain(visa.card_number);
    expect(decoded).not.toMatch(/492938X|X7748|Monthly|María|maria@example.com/);
  });
});
