/**
 * Subscriptions survive outages and crashes of other processes: no change is lost, and no customer is charged twice.
 */

import { eventually } from '../../harness/flow/until';
import { testBilling } from '../../harness/merchant/subscriptions';

const billing = testBilling({ ownWorld: true });
const { api, shop } = billing;
/** The acquirer may report settlements at any moment. */
const outbox = () => api.database.db().outbox.count({ where: { kind: { not: 'settlement' } } });

describe('an acquirer that does not respond', () => {
  it.concurrent('to a renewal is queried, and gets the attempt again under the same key, with no retry used up', async () => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
    // Two timeouts: after a halt longer than its task timeout, a worker sends the attempt again before it is recorded.
    await shop.script(subscription.card_id, 'timeout', 'timeout');
    expect(await subscription.diary('2040-01-12')).toBe('2040-01-12 | active 1 | next 2040-02-11');
    expect(await subscription.charges()).toMatchObject([
      { status: 'completed', creation_date: expect.stringMatching(/^2040-01-11/) },
    ]);
    expect(await subscription.journal()).toMatchObject([{ operation: 'charge', outcome: 'approved' }]);
    const { entries } = await subscription.history();
    expect(entries.map(({ event }: { event: string }) => event)).toEqual(['created', 'unanswered', 'charged']);
    await subscription.record('an acquirer without an answer');
  });

  it.concurrent('after it has charged is queried, and no second charge is made', async () => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
    await shop.script(subscription.card_id, 'timeout_after_charge', 3001);
    expect(await subscription.diary('2040-01-12')).toBe('2040-01-12 | active 1 | next 2040-02-11');
    expect(await subscription.journal()).toMatchObject([{ operation: 'charge', outcome: 'approved' }]);
  });

  it.concurrent.each([
    ['timeout_after_charge', ['charge approved']],
    ['timeout', ['reverse approved', 'charge approved']],
  ])('before a new card is set (%s) charges the period once, to the card that came first', async (step, expected) => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
    await shop.script(subscription.card_id, ...Array(20).fill(step));
    const moving = billing.moveClock('2040-01-12', { subscription_id: subscription.id });
    await eventually(async () => expect(await subscription.charges()).toHaveLength(1));
    const other = await shop.newCard(`/customers/${subscription.customer_id}/cards`, '5555555555554444');
    expect((await subscription.put({ source_id: other })).status).toBe(200);
    await moving;
    expect(await subscription.read()).toMatchObject({
      status: 'active',
      current_period_number: 1,
      card: { id: other },
    });
    expect((await subscription.journal()).map(({ operation, outcome }) => `${operation} ${outcome}`)).toEqual(expected);
  });

  it.concurrent('before a cancellation is only queried; the charge is never sent again', async () => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
    await shop.script(subscription.card_id, ...Array(20).fill('timeout'));
    const moving = billing.moveClock('2040-01-12', { subscription_id: subscription.id });
    await eventually(async () => expect(await subscription.charges()).toHaveLength(1));
    expect((await subscription.remove()).status).toBe(204);
    await moving;
    expect(await subscription.workflow().result()).toMatchObject({
      reason: 'cancelled_by_merchant',
      current_period_number: 0,
    });
    expect(await subscription.journal()).toMatchObject([{ operation: 'reverse' }]);
    expect(await subscription.charges()).toMatchObject([{ status: 'failed', error_code: 1004 }]);
  });

  it.concurrent.each(['timeout', 'timeout_after_charge'])(
    'at creation (%s) leads to no subscription and no charge',
    async step => {
      const { customer_id, card_id } = await billing.newCustomerWithCard('2040-01-10');
      const plan_id = await billing.newPlan();
      await shop.script(card_id, step);
      const path = `/customers/${customer_id}/subscriptions`;
      const refused = await shop.post(path, { plan_id, source_id: card_id }, { 'idempotency-key': `first ${step}` });
      expect([refused.status, refused.body.error_code]).toEqual([503, 1004]);
      expect((await api.rest('GET', path)).body).toEqual([]);
      const [charge] = (await api.rest('GET', `/customers/${customer_id}/charges`)).body;
      expect(charge).toMatchObject({ status: 'failed', error_code: 1004 });
      expect(charge).not.toHaveProperty('subscription_id');
      expect(shop.journalOf(charge.id).at(-1)).toMatchObject({ operation: 'reverse' });
      // The same request is a new attempt.
      const repeated = await shop.post(path, { plan_id, source_id: card_id }, { 'idempotency-key': `first ${step}` });
      expect(repeated).toMatchObject({ status: 201, body: { status: 'active' } });
      expect((await api.rest('GET', path)).body).toHaveLength(1);
    },
  );

  it.concurrent('at creation leaves the token unused', async () => {
    const { customer_id } = await billing.newCustomerWithCard('2040-01-10');
    const plan_id = await billing.newPlan();
    const source_id = await shop.newToken();
    await api.acquirer.script(source_id, 'timeout');
    const path = `/customers/${customer_id}/subscriptions`;
    expect((await shop.post(path, { plan_id, source_id })).status).toBe(503);
    expect(await shop.post(path, { plan_id, source_id })).toMatchObject({ status: 201, body: { status: 'active' } });
    expect(await shop.post(path, { plan_id, source_id })).toMatchObject({ status: 422, body: { error_code: 1003 } });
  });
});

describe('while no worker is running', () => {
  it('the API accepts requests, and the worker performs each of them once when it is back', async () => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 2 } });
    await subscription.waitForWorkflow();
    const pastDue = await billing.subscribe('2040-01-10', { card: '4000000000000341' });
    const other = await shop.newCard(`/customers/${pastDue.customer_id}/cards`);
    await Promise.all(billing.workers.splice(0).map(worker => worker.stop()));
    expect((await pastDue.put({ source_id: other })).body).toMatchObject({ status: 'active', card: { id: other } });
    const waiting = await billing.subscribe('2040-01-10');
    expect(waiting.created).toMatchObject({ status: 'active' });
    expect((await subscription.put({ trial_end_date: '2040-01-20' })).body).toMatchObject({
      charge_date: '2040-01-21',
    });
    expect((await subscription.put({ trial_end_date: '2040-01-15' })).body).toMatchObject({
      charge_date: '2040-01-16',
    });
    expect(await outbox()).toBeGreaterThan(0);
    await billing.startWorker();
    expect(await subscription.diary('2040-01-15', '2040-01-16')).toBe(
      '2040-01-15 | trial 0 | next 2040-01-16\n2040-01-16 | active 1 | next 2040-02-16 | paid',
    );
    expect(await waiting.diary('2040-02-10')).toBe('2040-02-10 | active 2 | next 2040-03-10 | paid');
    await eventually(async () => expect(await outbox()).toBe(0));
  });

  it('a charge during which the worker was killed is made once', async () => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
    await subscription.waitForWorkflow();
    const { release } = api.acquirer.hold('/charge');
    const moving = billing.moveClock('2040-01-12', { subscription_id: subscription.id });
    await eventually(async () => expect(await subscription.journal()).toHaveLength(1));
    await Promise.all(billing.workers.splice(0).map(worker => worker.stop('SIGKILL')));
    expect(await subscription.charges()).toMatchObject([{ status: 'in_progress' }]);
    release();
    await billing.startWorker();
    expect((await moving).status).toBe(200);
    expect(await subscription.diaryLine('2040-01-11')).toBe('2040-01-11 | active 1 | next 2040-02-11 | paid');
    expect(await subscription.journal()).toMatchObject([{ operation: 'charge', outcome: 'approved' }]);
    await subscription.record('a worker killed');
  });
});

describe('a workflow that an operator terminated', () => {
  it('is restarted from the row by the sweep', async () => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 2 } });
    await subscription.waitForWorkflow();
    await subscription.workflow().terminate('by mistake');
    const { client } = billing.namespace;
    await eventually(async () => {
      await client().schedule.getHandle('sweep').trigger();
      expect((await subscription.workflow().describe()).status.name).toBe('RUNNING');
    });
    expect(await subscription.diary('2040-01-12')).toBe('2040-01-12 | active 1 | next 2040-02-12 | paid');
    expect(await subscription.journal()).toHaveLength(1);
    await billing.recordScheduled('a sweep', 'sweep');
  });
});
