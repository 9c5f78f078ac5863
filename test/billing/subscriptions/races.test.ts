/** Concurrent requests: money and ledger agree in any order. */
import pino from 'pino';
import { HttpAcquirer } from '../../../src/gateway/acquirer/client';
import { drainOutbox } from '../../../src/operations/background/outbox';
import { outboxHandlers } from '../../../src/operations/background/outboxHandlers';
import { recover } from '../../../src/operations/background/recovery';
import { openTemporal } from '../../../src/platform/temporal';
import { eventually } from '../../harness/flow/until';
import { testBilling } from '../../harness/merchant/subscriptions';
import type { ApiResponse } from '../../harness/servers/api';
import { vault } from '../../harness/world/secrets';
import { temporalAddress } from '../../harness/world/temporal';

const billing = testBilling({ ownWorld: true });
const { api, shop } = billing;
const db = () => api.database.db();
const log = pino({ level: 'silent' });
let acquirer: HttpAcquirer;
beforeAll(() => {
  acquirer = new HttpAcquirer({ ...api.acquirer.credentials(), vault, log, timeoutMs: 5000 });
});
afterAll(() => acquirer.close());

/** A creation without a trial whose first charge is in flight at the acquirer. */
async function creating(...script: string[]) {
  const { customer_id, card_id } = await billing.newCustomerWithCard('2040-01-10');
  const plan_id = await billing.newPlan();
  await shop.script(card_id, ...script);
  const path = `/customers/${customer_id}/subscriptions`;
  const answer: Promise<ApiResponse> = shop.post(path, { plan_id, source_id: card_id });
  const charge = await eventually(() => db().transaction.findFirstOrThrow({ where: { customer_id } }));
  const outcome = async () => {
    const { status, body } = await answer;
    // The worker's recovery may have taken over the charge, and it returns no response.
    const kept = await eventually(() =>
      db().transaction.findFirstOrThrow({ where: { id: charge.id, status: { not: 'in_progress' } } }),
    );
    const undone = shop.journalOf(charge.id).some(({ operation }) => operation === 'reverse');
    const listed = (await api.rest('GET', path)).body.length;
    return { status, shown: body.status ?? body.error_code, kept: kept.status, undone, listed };
  };
  return { customer_id, path, charge, answer, outcome };
}
const none = { status: 503, shown: 1004, kept: 'failed', undone: true, listed: 0 };

describe('a first charge in flight', () => {
  it.each(['timeout', 'timeout_after_charge'])(
    'is not taken over by a move of the clock or by the sweep (%s)',
    async script => {
      const { customer_id, outcome } = await creating(script);
      await eventually(() => billing.namespace.client().schedule.getHandle('sweep').trigger());
      expect((await billing.moveClock('2040-03-01', { customer_id })).status).toBe(200);
      expect(await outcome()).toEqual(none);
    },
  );

  it('returns its outcome, also when the clock is moved in the meantime', async () => {
    const { customer_id, outcome } = await creating('slow');
    expect((await billing.moveClock('2040-01-20', { customer_id })).status).toBe(200);
    expect(await outcome()).toEqual({ status: 201, shown: 'active', kept: 'completed', undone: false, listed: 1 });
  });

  it('is reversed by the recovery when its lease expires, and a later response changes nothing', async () => {
    const { release } = api.acquirer.hold('/charge');
    const { charge, outcome } = await creating();
    await db().transaction.update({ where: { id: charge.id }, data: { lease_until: new Date(0) } });
    await recover(db(), { sandbox: acquirer }, log);
    // The recovery of the worker may have been first.
    await eventually(() => db().transaction.findFirstOrThrow({ where: { id: charge.id, status: 'failed' } }));
    release();
    expect(await outcome()).toEqual(none);
  });
});

describe('a token of a repeated creation', () => {
  it.concurrent('keeps no secret after its use', async () => {
    const { customer_id } = await billing.newCustomerWithCard('2040-01-10');
    const [plan_id, source_id] = [await billing.newPlan(), await shop.newToken()];
    await api.acquirer.script(source_id, 'timeout', 'timeout');
    const statuses = [];
    for (let i = 0; i < 3; i++) {
      const path = `/customers/${customer_id}/subscriptions`;
      statuses.push((await shop.post(path, { plan_id, source_id }, { 'idempotency-key': 'token' })).status);
    }
    expect(statuses).toEqual([503, 503, 201]);
    const token = await db().token.findUniqueOrThrow({ where: { id: source_id } });
    expect(token).toMatchObject({ number_sealed: null, cvv2_sealed: null, fingerprint: null });
  });

  it.concurrent('can be used again after the creation is refused', async () => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 5 } });
    const source_id = await shop.newToken();
    await subscription.remove();
    expect((await subscription.put({ source_id })).status).toBe(412);
    expect(await db().token.findUniqueOrThrow({ where: { id: source_id } })).toMatchObject({ used_by: null });
  });
});

describe('a new card', () => {
  it('that is set during the last retry is charged before the subscription is cancelled', async () => {
    const plan = { retry_times: 1, status_after_retry: 'cancelled' };
    const subscription = await billing.subscribe('2040-01-10', { card: '4000000000000341', plan });
    const other = await shop.newCard(`/customers/${subscription.customer_id}/cards`);
    const { release } = api.acquirer.hold('/charge');
    const moving = billing.moveClock('2040-01-12', { subscription_id: subscription.id });
    await eventually(async () => expect(await subscription.charges()).toHaveLength(2));
    expect((await subscription.put({ source_id: other })).body).toMatchObject({ status: 'past_due' });
    release();
    await moving;
    expect(await subscription.read()).toMatchObject({ status: 'active', current_period_number: 1 });
    expect((await subscription.journal()).map(({ outcome }) => outcome)).toEqual([3001, 3001, 'approved']);
  });

  it('followed by the previous card causes no decline when the recovery reversed the charge in flight', async () => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
    const other = await shop.newCard(`/customers/${subscription.customer_id}/cards`, '5555555555554444');
    await subscription.waitForWorkflow();
    await shop.script(subscription.card_id, 'timeout');
    const moving = billing.moveClock('2040-01-12', { subscription_id: subscription.id });
    const charge = await eventually(async () => {
      const [first] = await subscription.charges();
      expect(first).toBeDefined();
      return first;
    });
    await Promise.all(billing.workers.splice(0).map(worker => worker.stop('SIGKILL')));
    await subscription.put({ source_id: other });
    // Simulates a worker that reversed the charge and crashed right after it.
    await acquirer.reverse(charge.id);
    await subscription.put({ source_id: subscription.card_id });
    await billing.startWorker();
    expect((await moving).status).toBe(200);
    expect(await subscription.read()).toMatchObject({ status: 'active', current_period_number: 1 });
    const { entries } = await subscription.history();
    expect(entries.map(({ event }: { event: string }) => event)).not.toContain('declined');
  });
});

describe('the workflow', () => {
  it.concurrent('continues after a cancellation request that arrives with the last step before continue-as-new', async () => {
    const subscription = await billing.subscribe('2040-01-02', { plan: { repeat_unit: 'week' } });
    await subscription.waitForWorkflow();
    await shop.script(subscription.card_id, ...Array(11).fill('approve'), 'slow');
    const moving = billing.moveClock('2040-03-27', { subscription_id: subscription.id });
    await eventually(async () => expect(await subscription.charges()).toHaveLength(13));
    await subscription.workflow().cancel();
    expect((await moving).status).toBe(200);
    expect(await subscription.diary('2040-04-02')).toBe('2040-04-02 | active 14 | next 2040-04-09 | paid');
  });

  it.concurrent('charges on the same day after many nudges, and keeps the link to the operator page', async () => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 5 } });
    await subscription.waitForWorkflow();
    for (let i = 0; i < 20; i++) await subscription.workflow().executeUpdate('nudge');
    expect(await subscription.diary('2040-01-15')).toBe('2040-01-15 | active 1 | next 2040-02-15 | paid');
    const { memo } = await subscription.workflow().describe();
    expect(memo).toMatchObject({ operator_page: `http://pages.test/operator/story/${subscription.id}` });
  });

  it.concurrent('for an unknown subscription ends', async () => {
    const handle = await billing.namespace.client().workflow.start('subscription', {
      workflowId: 'subscription-nobody',
      taskQueue: 'recaudo',
      args: [{ id: 's0000000000000000000' }],
    });
    expect(await handle.result()).toEqual({ reason: 'not_begun', current_period_number: 0 });
  });
});

describe('the outbox', () => {
  it('performs entries that need no Temporal during its outage, and schedules failed ones for later', async () => {
    await Promise.all(billing.workers.splice(0).map(worker => worker.stop()));
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 5 } });
    const other = await billing.subscribe('2040-01-10', { plan: { trial_days: 5 } });
    await api.rest('DELETE', `/customers/${subscription.customer_id}`);
    const nowhere = openTemporal(temporalAddress(), 'no-such-namespace');
    const before = Date.now();
    await drainOutbox(db(), outboxHandlers('temporal', { db: db(), temporal: nowhere })).catch(() => undefined);
    await drainOutbox(db(), outboxHandlers('database', { db: db() }));
    const cancelled = await db().subscription.findUniqueOrThrow({ where: { id: subscription.id } });
    expect([cancelled.status, cancelled.reason]).toEqual(['cancelled', 'customer_deleted']);
    const [waits] = await db().outbox.findMany({ where: { object_id: other.id } });
    expect(waits?.tries).toBe(1);
    expect(waits?.again_at.getTime()).toBeGreaterThanOrEqual(before + 1000);
    await nowhere.connection.close();
    await billing.startWorker();
    await other.waitForWorkflow();
    await eventually(async () => expect(await db().outbox.count()).toBe(0));
  });
});
