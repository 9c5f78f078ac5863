/** The details and search attributes of a subscription's workflow in the Temporal UI. */
import { SearchAttributeType } from '@temporalio/common';
import { SEARCH_ATTRIBUTES } from '../../../workflows/operating/attributes';
import { eventually } from '../../harness/flow/until';
import { testBilling } from '../../harness/merchant/subscriptions';

const billing = testBilling();
const { shop, api } = billing;

type Life = Awaited<ReturnType<typeof billing.subscribe>>;

const eventsOf = async (life: Life) => (await life.workflow().fetchHistory()).events ?? [];
const upsertsOf = async (life: Life) =>
  (await eventsOf(life)).flatMap(({ upsertWorkflowSearchAttributesEventAttributes: upsert }) =>
    upsert ? [Object.keys(upsert.searchAttributes?.indexedFields ?? {}).sort()] : [],
  );
const attributesOf = async (life: Life) => (await life.workflow().describe()).searchAttributes;
const untilFound = (life: Life, condition: string) =>
  eventually(async () => {
    const query = `WorkflowId = '${life.workflow().workflowId}' AND ${condition}`;
    expect((await billing.namespace.client().workflow.count(query)).count).toBeGreaterThan(0);
  });
const detailsOf = async (life: Life): Promise<string[]> => {
  const metadata = await life.workflow().query('__temporal_workflow_metadata');
  return (metadata as { currentDetails: string }).currentDetails.split('\n\n');
};
const timersOf = async (life: Life): Promise<string[]> =>
  (await eventsOf(life)).flatMap(({ timerStartedEventAttributes, userMetadata }) =>
    timerStartedEventAttributes ? [JSON.parse(Buffer.from(userMetadata?.summary?.data ?? []).toString())] : [],
  );

it('all attributes fit into a server with an SQL database', () => {
  const count = (type: SearchAttributeType) => SEARCH_ATTRIBUTES.filter(attribute => attribute.type === type).length;
  for (const { type } of SEARCH_ATTRIBUTES)
    expect(count(type)).toBeLessThanOrEqual(type === SearchAttributeType.KEYWORD ? 10 : 3);
});

it.concurrent('a paid renewal updates one attribute once; a decline updates all of its attributes with one write', async () => {
  const life = await billing.subscribe('2040-01-10', { plan: { trial_days: 1, retry_times: 2, amount: 49_900.5 } });
  await life.waitForWorkflow();
  expect(await attributesOf(life)).toMatchObject({ BillingState: ['sleeping'], Amount: [49_900.5] });
  expect(await life.diary('2040-01-11')).toMatch('active 1');
  const first = ['NextChargeAt', 'SubscriptionStatus'];
  await eventually(async () => expect(await upsertsOf(life)).toEqual([first]));
  expect(await life.diary('2040-02-11')).toMatch('active 2');
  await eventually(async () => expect(await upsertsOf(life)).toEqual([first, ['NextChargeAt']]));
  await shop.script(life.card_id, 3003, 3003);
  expect(await life.diary('2040-03-11')).toMatch('past_due 3');
  const declined = ['BillingState', 'NextChargeAt', 'RetriesLeft', 'SubscriptionStatus'];
  await eventually(async () => expect((await upsertsOf(life)).slice(2)).toEqual([declined]));
  expect(await attributesOf(life)).toMatchObject({ BillingState: ['retrying'], RetriesLeft: [2] });
  expect(await life.diary('2040-03-12')).toMatch('past_due 3');
  await eventually(async () => expect((await upsertsOf(life)).slice(3)).toEqual([['NextChargeAt', 'RetriesLeft']]));
  expect(await life.diary('2040-03-13')).toMatch('active 3');
  await eventually(async () => expect(await attributesOf(life)).toMatchObject({ BillingState: ['sleeping'] }));
  await untilFound(life, 'RetriesLeft IS NULL');
});

it.concurrent('the summary, memo and attributes are set at the start, and memo and attributes in later runs too', async () => {
  const life = await billing.subscribe('2040-01-02', {
    plan: { repeat_unit: 'week', repeat_every: 2, amount: 15_000 },
  });
  const { runId } = await life.waitForWorkflow();
  const [merchant_id, { customer_id }, { plan_id }] = [api.merchants().own.id, life, life.created];
  const check = async () => {
    const description = await life.workflow().describe();
    expect(description.memo).toEqual({ kind: 'subscription', merchant_id, customer_id, plan_id, amount: 15_000 });
    expect(description.searchAttributes).toMatchObject({ Amount: [15_000], BillingState: ['sleeping'] });
    return description;
  };
  // Temporal does not pass a summary on to a later run.
  expect(await (await check()).staticSummary()).toBe(
    `15000 COP every 2 weeks: customer ${customer_id}, plan ${plan_id}, merchant ${merchant_id}, sandbox`,
  );
  await life.diary('2040-05-30');
  await eventually(async () => expect((await life.workflow().describe()).runId).not.toBe(runId));
  await check();
});

it.concurrent('the details show times, their test clock, and each event with its actor', async () => {
  const life = await billing.subscribe('2040-01-10', { plan: { trial_days: 1, retry_times: 9 } });
  await life.waitForWorkflow();
  await shop.script(life.card_id, 3003, ...Array(6).fill(3001));
  expect(await life.diary('2040-01-11')).toMatch('past_due 1');
  const [declined] = await life.charges();
  const firstLine = expect.stringMatching(
    new RegExp(
      `^2040-01-11 0\\d:\\d\\d:\\d\\d The charge of period 1 was declined: .* \\(3003\\)\\. \\(${declined.id}\\)$`,
    ),
  );
  await eventually(async () =>
    expect(await detailsOf(life)).toEqual([
      '**past_due**, period 1, retrying',
      expect.stringMatching(
        /^next: retry period 1, 9 retries left, at 2040-01-12 0\d:\d\d:\d\d in Bogotá, by a test clock \d+ days ahead$/,
      ),
      expect.stringMatching(/^2040-01-10 .* The subscription was created\.$/),
      firstLine,
    ]),
  );
  await eventually(async () =>
    expect((await timersOf(life)).at(-1)).toMatch(
      /^sleeping until 2040-01-12 0\d:\d\d:\d\d in Bogotá, by a test clock \d+ days ahead, then retry period 1/,
    ),
  );
  // The merchant retried over the API at once: the workflow was not involved.
  await life.put({ cancel_at_period_end: true });
  for (let i = 0; i < 6; i++) await api.rest('POST', `${life.path}/retry`, { body: {} });
  await eventually(async () => {
    const details = await detailsOf(life);
    expect(details).toContain('It ends at the end of the period.');
    expect(details).toContainEqual(expect.stringMatching(/The merchant requested an immediate retry\.$/));
    expect(details.find(line => line.startsWith('First declined: '))?.slice(16)).toEqual(firstLine);
    expect(details.length).toBeLessThanOrEqual(16);
  });
});

it.concurrent('a cancelled subscription is found by its cancellation reason', async () => {
  const life = await billing.subscribe('2040-01-10', { plan: { trial_days: 5 } });
  await life.waitForWorkflow();
  expect((await life.remove()).status).toBe(204);
  await life.workflow().result();
  const attributes = await attributesOf(life);
  expect(attributes).toMatchObject({ EndReason: ['cancelled_by_merchant'], SubscriptionStatus: ['cancelled'] });
  await untilFound(life, 'BillingState IS NULL AND NextChargeAt IS NULL');
  expect(await upsertsOf(life)).toHaveLength(1);
});
