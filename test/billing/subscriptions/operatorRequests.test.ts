/** Requests of operators to a subscription in the Temporal UI. Each is an update with a result. */
import { eventually } from '../../harness/flow/until';
import { type TestSubscription, testBilling } from '../../harness/merchant/subscriptions';

const billing = testBilling();
const { shop, api } = billing;
const form = { reason: 'The bank had an outage', actor: 'ana' };

const ask = (subscription: TestSubscription, name: string, ...args: unknown[]) =>
  subscription.workflow().executeUpdate<unknown, [unknown]>(name, { args: args as [unknown] });
const auditOf = async ({ id }: TestSubscription) => (await api.rest('GET', `/audit_log?object_id=${id}`)).body;

async function pastDue(...outcomes: number[]): Promise<TestSubscription> {
  const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1, retry_times: 3 } });
  await subscription.waitForWorkflow();
  await shop.script(subscription.card_id, 3003, ...outcomes);
  expect(await subscription.diary('2040-01-11')).toMatch('past_due 1');
  return subscription;
}

it.concurrent('retryNow charges an unpaid period at once, uses up no retry, and returns the outcome', async () => {
  const subscription = await pastDue(3001);
  expect(await ask(subscription, 'retryNow', form)).toMatchObject({ status: 'past_due' });
  expect(await subscription.read()).toMatchObject({ status: 'past_due', retries_left: 3 });
  expect(await ask(subscription, 'retryNow', form)).toMatchObject({ status: 'active' });
  expect(await subscription.read()).toMatchObject({ status: 'active', current_period_number: 1 });
  expect(await subscription.journal()).toMatchObject([{ outcome: 3003 }, { outcome: 3001 }, { outcome: 'approved' }]);
  const events = (await subscription.history()).entries.map(({ event }: { event: string }) => event);
  expect(events).toEqual([
    'created',
    'declined',
    ...['retry_requested_by_operator', 'declined', 'retry_requested_by_operator', 'charged'],
  ]);
  expect((await auditOf(subscription)).slice(0, 2)).toMatchObject(
    Array(2).fill({
      action: 'subscription.changed',
      actor: 'temporal',
      actor_id: 'ana',
      after: { retry: true, ...{ reason: form.reason } },
    }),
  );
});

it.concurrent('askAcquirerNow looks up a charge without a response at once, instead of after the delay', async () => {
  const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
  await subscription.waitForWorkflow();
  await shop.script(subscription.card_id, ...Array(3).fill('timeout'));
  const moving = billing.moveClock('2040-01-12', { subscription_id: subscription.id });
  const db = api.database.db();
  // From the third lookup on, the delay would be a minute.
  await eventually(async () => {
    const { open } = await db.subscription.findUniqueOrThrow({ where: { id: subscription.id } });
    expect(open).toMatchObject({ tries: 3 });
  });
  expect(await ask(subscription, 'askAcquirerNow', form)).toMatchObject({ status: 'active' });
  expect((await moving).status).toBe(200);
  expect(await subscription.journal()).toMatchObject([{ outcome: 'approved' }]);
  expect((await auditOf(subscription))[0]).toMatchObject({
    ...{ action: 'acquirer.asked', actor: 'temporal', actor_id: 'ana' },
    after: { reason: form.reason, transaction_id: expect.any(String) },
  });
});

it.concurrent('cancel works like DELETE, and the audit log has the operator and the reason', async () => {
  const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 3 } });
  await subscription.waitForWorkflow();
  expect(await ask(subscription, 'cancel', form)).toMatchObject({ status: 'cancelled' });
  expect(await subscription.read()).toMatchObject({ status: 'cancelled' });
  expect((await auditOf(subscription))[0]).toMatchObject({
    ...{ action: 'subscription.cancelled', actor: 'temporal', actor_id: 'ana' },
    after: { status: 'cancelled', reason: form.reason },
  });
});

it.concurrent('every refusal states its reason in a sentence and changes nothing', async () => {
  const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 3 } });
  await subscription.waitForWorkflow();
  const refusal = (name: string, ...args: unknown[]) =>
    ask(subscription, name, ...args).then(
      () => 'taken',
      ({ cause }) => cause.message,
    );
  const problem = 'reason and actor are required, for example {"reason": "Wrong price", "actor": "Ana"}';
  for (const bad of [
    [],
    [null],
    ['now'],
    [{}],
    [{ reason: 'x' }],
    [{ reason: ' ', actor: 'ana' }],
    [{ reason: 1, actor: 2 }],
  ])
    expect(await refusal('cancel', ...bad)).toBe(problem);
  expect(await refusal('cancel', { ...form, reason: 'x'.repeat(1001) })).toMatch('at most 1000');
  expect(await refusal('cancel', { ...form, actor: 'x'.repeat(101) })).toMatch('at most 100');
  expect(await refusal('retryNow', form)).toBe('The subscription has no unpaid period');
  expect(await refusal('askAcquirerNow', form)).toMatch('No charge of the subscription is waiting for the acquirer');
  expect(await refusal('changeCard', form)).toMatch('Only the merchant can change the card');
  expect(await auditOf(subscription)).toEqual([]);
  expect(await subscription.read()).toMatchObject({ status: 'trial' });
});

it.concurrent('the Temporal UI shows the purpose and the input of each request', async () => {
  const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 3 } });
  await subscription.waitForWorkflow();
  await subscription.workflow().executeUpdate('nudge');
  const { definition } = (await subscription.workflow().query('__temporal_workflow_metadata')) as {
    definition: { updateDefinitions: { name: string; description: string }[] };
  };
  const words = definition.updateDefinitions.map(({ name, description }) => `${name}: ${description}`);
  expect(words).toContain(
    'retryNow: Retries the unpaid period immediately, without using up a retry. Input: {"reason": "Wrong price", "actor": "Ana"}',
  );
});
