/** The details and search attributes of a subscription's workflow in the Temporal UI. */
import { SearchAttributeType } from '@temporalio/common';
import { SEARCH_ATTRIBUTES } from '../../../workflows/operating/attributes';
import { eventually } from '../../harness/flow/until';
import { type TestSubscription, testBilling } from '../../harness/merchant/subscriptions';

const billing = testBilling();
const { shop, api } = billing;

const attributesOf = async (subscription: TestSubscription) =>
  (await subscription.workflow().describe()).searchAttributes;
const untilFound = (subscription: TestSubscription, condition: string) =>
  eventually(async () => {
    const query = `WorkflowId = '${subscription.workflow().workflowId}' AND ${condition}`;
    expect((await billing.namespace.client().workflow.count(query)).count).toBeGreaterThan(0);
  });
const operatorPage = ({ id }: TestSubscription): string => `http://pages.test/operator/story/${id}`;
it('all attributes fit into a server with an SQL database', () => {
  const count = (type: SearchAttributeType) => SEARCH_ATTRIBUTES.filter(attribute => attribute.type === type).length;
  for (const { type } of SEARCH_ATTRIBUTES)
    expect(count(type)).toBeLessThanOrEqual(type === SearchAttributeType.KEYWORD ? 10 : 3);
});

it.concurrent('the attributes of a sleeping workflow follow a renewal, a decline and a retry', async () => {
  const subscription = await billing.subscribe('2040-01-10', {
    plan: { trial_days: 1, retry_times: 2, amount: 49_900.5 },
  });
  await subscription.waitForWorkflow();
  const untilAttributes = (expected: object) =>
    eventually(async () => expect(await attributesOf(subscription)).toMatchObject(expected));
  await untilAttributes({ BillingState: ['sleeping'], SubscriptionStatus: ['trial'], Amount: [49_900.5] });
  expect(await subscription.diary('2040-01-11')).toMatch('active 1');
  await untilAttributes({ BillingState: ['sleeping'], SubscriptionStatus: ['active'] });
  await shop.script(subscription.card_id, 3003, 3003);
  expect(await subscription.diary('2040-02-11')).toMatch('past_due 2');
  await untilAttributes({ BillingState: ['retrying'], RetriesLeft: [2], SubscriptionStatus: ['past_due'] });
  expect(await subscription.diary('2040-02-12')).toMatch('past_due 2');
  await untilAttributes({ BillingState: ['retrying'], RetriesLeft: [1] });
  expect(await subscription.diary('2040-02-13')).toMatch('active 2');
  await untilAttributes({ BillingState: ['sleeping'], SubscriptionStatus: ['active'], Amount: [49_900.5] });
  await untilFound(subscription, 'RetriesLeft IS NULL');
});

it.concurrent('the details have a planned change and credit, and the attributes follow the plan', async () => {
  const subscription = await billing.subscribe('2040-03-10', { plan: { amount: 30_000 } });
  await subscription.waitForWorkflow();
  const change = (body: object) => api.rest('POST', `${subscription.path}/change`, { body });
  const [larger, small] = [await billing.newPlan({ amount: 90_000 }), await billing.newPlan({ amount: 10_000 })];
  expect((await change({ plan_id: small, when: 'now' })).body).toMatchObject({ credit_balance: 20_000 });
  expect((await change({ plan_id: larger, quantity: 2 })).status).toBe(200);
  await eventually(async () =>
    expect((await subscription.details()).slice(1, 4)).toEqual([
      expect.stringContaining('charge period 3'),
      `It changes to ${larger} × 2 on 2040-04-10.`,
      'It has a credit of $\u00a020.000.',
    ]),
  );
  expect(await subscription.diary('2040-04-10')).toMatch('active 3');
  await eventually(async () => {
    const { searchAttributes } = await subscription.workflow().describe();
    expect(searchAttributes).toMatchObject({ PlanId: [larger], Amount: [180_000] });
  });
});

it.concurrent('the summary, memo and attributes are set at the start, and memo and attributes in later runs too', async () => {
  const subscription = await billing.subscribe('2040-01-02', {
    plan: { trial_days: 1, repeat_unit: 'week', repeat_every: 2, amount: 15_000 },
  });
  const { runId } = await subscription.waitForWorkflow();
  const [merchant_id, { customer_id }, { plan_id }] = [api.merchants().own.id, subscription, subscription.created];
  const check = async () => {
    const description = await subscription.workflow().describe();
    const ids = { merchant_id, customer_id, plan_id, operator_page: operatorPage(subscription) };
    const details = [expect.stringMatching(/^\*\*/), expect.stringMatching(/^next: charge period/)];
    expect(description.memo).toEqual({ kind: 'subscription', amount: 15_000, ...ids, details });
    expect(description.searchAttributes).toMatchObject({ Amount: [15_000], BillingState: ['sleeping'] });
    return description;
  };
  // Temporal does not pass a summary on to a later run.
  expect(await (await check()).staticSummary()).toBe(
    `15000 COP every 2 weeks: customer ${customer_id}, plan ${plan_id}, merchant ${merchant_id}, sandbox`,
  );
  await subscription.diary('2040-01-03');
  await eventually(async () => expect((await subscription.workflow().describe()).runId).not.toBe(runId));
  await check();
});

it.concurrent('the details show times, their test clock and the latest decline, asleep and awake', async () => {
  const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1, retry_times: 9 } });
  await subscription.waitForWorkflow();
  await shop.script(subscription.card_id, 3003, 3001);
  expect(await subscription.diary('2040-01-11')).toMatch('past_due 1');
  const declinedLine = (code: number) =>
    expect.stringMatching(
      new RegExp(`^2040-01-11 \\d\\d:\\d\\d:\\d\\d The .*period 1 was declined: .* \\(${code}\\)\\. \\(\\w{20}\\)$`),
    );
  const next = expect.stringMatching(
    /^next: retry period 1, 9 retries left, at 2040-01-12 0\d:\d\d:\d\d in Bogotá, by a test clock \d+ days ahead$/,
  );
  const state = '**past_due**, period 1, retrying';
  await eventually(async () =>
    expect((await subscription.details()).slice(0, 3)).toEqual([state, next, declinedLine(3003)]),
  );
  // The merchant retried over the API at once: the workflow was not involved, and reads the row again.
  await subscription.put({ cancel_at_period_end: true });
  await api.rest('POST', `${subscription.path}/retry`, { body: {} });
  await subscription.workflow().executeUpdate('nudge');
  await eventually(async () =>
    expect(await subscription.details()).toEqual([
      ...[state, next, 'It ends at the end of the period.', declinedLine(3001)],
      `[Timeline and actions on the operator page](${operatorPage(subscription)})`,
    ]),
  );
  expect(await subscription.diary('2040-01-12')).toMatch('active 1');
  await eventually(async () =>
    expect(await subscription.details()).not.toContainEqual(expect.stringContaining('declined')),
  );
});

it.concurrent('a cancelled subscription is found by its cancellation reason', async () => {
  const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 5 } });
  await subscription.waitForWorkflow();
  expect((await subscription.remove()).status).toBe(204);
  await subscription.workflow().result();
  const attributes = await attributesOf(subscription);
  expect(attributes).toMatchObject({ EndReason: ['cancelled_by_merchant'], SubscriptionStatus: ['cancelled'] });
  await untilFound(subscription, 'BillingState IS NULL AND NextChargeAt IS NULL');
});
