/** The details and search attributes of a subscription's workflow in the Temporal UI. */
import { SearchAttributeType } from '@temporalio/common';
import { SEARCH_ATTRIBUTES } from '../../../workflows/operating/attributes';
import { eventually } from '../../harness/flow/until';
import { type TestSubscription, testBilling } from '../../harness/merchant/subscriptions';

const billing = testBilling();
const { shop, api } = billing;

const eventsOf = async (subscription: TestSubscription) => (await subscription.workflow().fetchHistory()).events ?? [];
const upsertsOf = async (subscription: TestSubscription) =>
  (await eventsOf(subscription)).flatMap(({ upsertWorkflowSearchAttributesEventAttributes: upsert }) =>
    upsert ? [Object.keys(upsert.searchAttributes?.indexedFields ?? {}).sort()] : [],
  );
const attributesOf = async (subscription: TestSubscription) =>
  (await subscription.workflow().describe()).searchAttributes;
const untilFound = (subscription: TestSubscription, condition: string) =>
  eventually(async () => {
    const query = `WorkflowId = '${subscription.workflow().workflowId}' AND ${condition}`;
    expect((await billing.namespace.client().workflow.count(query)).count).toBeGreaterThan(0);
  });
const detailsOf = async (subscription: TestSubscription): Promise<string[]> => {
  const metadata = await subscription.workflow().query('__temporal_workflow_metadata');
  return (metadata as { currentDetails: string }).currentDetails.split('\n\n');
};
const operatorPage = ({ id }: TestSubscription): string => `http://pages.test/operator/story/${id}`;
const timersOf = async (subscription: TestSubscription): Promise<string[]> =>
  (await eventsOf(subscription)).flatMap(({ timerStartedEventAttributes, userMetadata }) =>
    timerStartedEventAttributes ? [JSON.parse(Buffer.from(userMetadata?.summary?.data ?? []).toString())] : [],
  );

it('all attributes fit into a server with an SQL database', () => {
  const count = (type: SearchAttributeType) => SEARCH_ATTRIBUTES.filter(attribute => attribute.type === type).length;
  for (const { type } of SEARCH_ATTRIBUTES)
    expect(count(type)).toBeLessThanOrEqual(type === SearchAttributeType.KEYWORD ? 10 : 3);
});

it.concurrent('a paid renewal updates one attribute once; a decline updates all of its attributes with one write', async () => {
  const subscription = await billing.subscribe('2040-01-10', {
    plan: { trial_days: 1, retry_times: 2, amount: 49_900.5 },
  });
  await subscription.waitForWorkflow();
  expect(await attributesOf(subscription)).toMatchObject({ BillingState: ['sleeping'], Amount: [49_900.5] });
  expect(await subscription.diary('2040-01-11')).toMatch('active 1');
  const first = ['NextChargeAt', 'SubscriptionStatus'];
  await eventually(async () => expect(await upsertsOf(subscription)).toEqual([first]));
  expect(await subscription.diary('2040-02-11')).toMatch('active 2');
  await eventually(async () => expect(await upsertsOf(subscription)).toEqual([first, ['NextChargeAt']]));
  await shop.script(subscription.card_id, 3003, 3003);
  expect(await subscription.diary('2040-03-11')).toMatch('past_due 3');
  const declined = ['BillingState', 'NextChargeAt', 'RetriesLeft', 'SubscriptionStatus'];
  await eventually(async () => expect((await upsertsOf(subscription)).slice(2)).toEqual([declined]));
  expect(await attributesOf(subscription)).toMatchObject({ BillingState: ['retrying'], RetriesLeft: [2] });
  expect(await subscription.diary('2040-03-12')).toMatch('past_due 3');
  await eventually(async () =>
    expect((await upsertsOf(subscription)).slice(3)).toEqual([['NextChargeAt', 'RetriesLeft']]),
  );
  expect(await subscription.diary('2040-03-13')).toMatch('active 3');
  await eventually(async () => expect(await attributesOf(subscription)).toMatchObject({ BillingState: ['sleeping'] }));
  await untilFound(subscription, 'RetriesLeft IS NULL');
});

it.concurrent('the summary, memo and attributes are set at the start, and memo and attributes in later runs too', async () => {
  const subscription = await billing.subscribe('2040-01-02', {
    plan: { repeat_unit: 'week', repeat_every: 2, amount: 15_000 },
  });
  const { runId } = await subscription.waitForWorkflow();
  const [merchant_id, { customer_id }, { plan_id }] = [api.merchants().own.id, subscription, subscription.created];
  const check = async () => {
    const description = await subscription.workflow().describe();
    const ids = { merchant_id, customer_id, plan_id, operator_page: operatorPage(subscription) };
    expect(description.memo).toEqual({ kind: 'subscription', amount: 15_000, ...ids });
    expect(description.searchAttributes).toMatchObject({ Amount: [15_000], BillingState: ['sleeping'] });
    return description;
  };
  // Temporal does not pass a summary on to a later run.
  expect(await (await check()).staticSummary()).toBe(
    `15000 COP every 2 weeks: customer ${customer_id}, plan ${plan_id}, merchant ${merchant_id}, sandbox`,
  );
  await subscription.diary('2040-05-30');
  await eventually(async () => expect((await subscription.workflow().describe()).runId).not.toBe(runId));
  await check();
});

it.concurrent('the details show times, their test clock, and each event with its actor', async () => {
  const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1, retry_times: 9 } });
  await subscription.waitForWorkflow();
  await shop.script(subscription.card_id, 3003, ...Array(6).fill(3001));
  expect(await subscription.diary('2040-01-11')).toMatch('past_due 1');
  const [declined] = await subscription.charges();
  const firstLine = expect.stringMatching(
    new RegExp(
      `^2040-01-11 0\\d:\\d\\d:\\d\\d The charge of period 1 was declined: .* \\(3003\\)\\. \\(${declined.id}\\)$`,
    ),
  );
  await eventually(async () =>
    expect(await detailsOf(subscription)).toEqual([
      '**past_due**, period 1, retrying',
      expect.stringMatching(
        /^next: retry period 1, 9 retries left, at 2040-01-12 0\d:\d\d:\d\d in Bogotá, by a test clock \d+ days ahead$/,
      ),
      expect.stringMatching(/^2040-01-10 .* The subscription was created\.$/),
      firstLine,
      `[Timeline and actions on the operator page](${operatorPage(subscription)})`,
    ]),
  );
  await eventually(async () =>
    expect((await timersOf(subscription)).at(-1)).toMatch(
      /^sleeping until 2040-01-12 0\d:\d\d:\d\d in Bogotá, by a test clock \d+ days ahead, then retry period 1/,
    ),
  );
  // The merchant retried over the API at once: the workflow was not involved.
  await subscription.put({ cancel_at_period_end: true });
  for (let i = 0; i < 6; i++) await api.rest('POST', `${subscription.path}/retry`, { body: {} });
  await eventually(async () => {
    const details = await detailsOf(subscription);
    expect(details).toContain('It ends at the end of the period.');
    expect(details).toContainEqual(expect.stringMatching(/The merchant requested an immediate retry\.$/));
    expect(details.find(line => line.startsWith('First declined: '))?.slice(16)).toEqual(firstLine);
    expect(details.length).toBeLessThanOrEqual(17);
  });
});

it.concurrent('a cancelled subscription is found by its cancellation reason', async () => {
  const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 5 } });
  await subscription.waitForWorkflow();
  expect((await subscription.remove()).status).toBe(204);
  await subscription.workflow().result();
  const attributes = await attributesOf(subscription);
  expect(attributes).toMatchObject({ EndReason: ['cancelled_by_merchant'], SubscriptionStatus: ['cancelled'] });
  await untilFound(subscription, 'BillingState IS NULL AND NextChargeAt IS NULL');
  expect(await upsertsOf(subscription)).toHaveLength(1);
});
