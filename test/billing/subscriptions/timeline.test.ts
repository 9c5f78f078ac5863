/** The timeline of a subscription's workflow in the Temporal UI names each activity after its purpose. */
import { eventually } from '../../harness/flow/until';
import { type TestSubscription, testBilling } from '../../harness/merchant/subscriptions';

const billing = testBilling();
const { shop } = billing;

/** The names of the activities in the timelines of its runs so far. Local activities are recorded as markers. */
async function timelineOf(subscription: TestSubscription, runId?: string): Promise<string[]> {
  const { events } = await subscription.workflow(runId).fetchHistory();
  const { continuedExecutionRunId } = events?.[0]?.workflowExecutionStartedEventAttributes ?? {};
  const names = (events ?? []).flatMap(
    ({ markerRecordedEventAttributes: marker, activityTaskScheduledEventAttributes: task }) => {
      if (task) return [task.activityType?.name ?? ''];
      const data = marker?.details?.data?.payloads?.[0]?.data;
      return data ? [JSON.parse(Buffer.from(data).toString('utf8')).activity_type] : [];
    },
  );
  return continuedExecutionRunId ? [...(await timelineOf(subscription, continuedExecutionRunId)), ...names] : names;
}

/** An activity appears in the timeline a moment after its effects appear in the API. */
async function untilTimeline(subscription: TestSubscription, expected: string[]): Promise<void> {
  const names = await eventually(async () => {
    const soFar = await timelineOf(subscription);
    if (soFar.length < expected.length) throw new Error(`only ${soFar}`);
    return soFar;
  });
  expect(names).toEqual(expected);
}

it.concurrent('names a charge, its retry, the lookup at the acquirer, and a clock move without a due action', async () => {
  const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
  await subscription.waitForWorkflow();
  // A worker that halts for longer than its task timeout retries twice, and makes one lookup less.
  await shop.script(subscription.card_id, 3001, 'timeout', 'timeout_after_charge');
  expect(await subscription.diary('2040-01-11')).toMatch('past_due 1');
  expect(await subscription.diary('2040-01-12')).toMatch('active 1');
  expect(await subscription.diary('2040-01-20')).toMatch('active 1');
  await eventually(async () => {
    const names = await timelineOf(subscription);
    const changes = names.filter((name, i) => name !== names[i - 1]);
    expect(changes).toEqual(['charge', 'retry', 'askAcquirer', 'catchUp']);
  });
});

it('names the action that a change made due, or that no action is due', async () => {
  const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
  await subscription.waitForWorkflow();
  await shop.script(subscription.card_id, 3001);
  expect(await subscription.diary('2040-01-11')).toMatch('past_due 1');
  const other = await shop.newCard(`/customers/${subscription.customer_id}/cards`, '5555555555554444');
  // The clock of the API is frozen: it never finds the worker unavailable for so long that it makes the charge itself.
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
  const changed = await subscription.put({ source_id: other }).finally(() => clock.mockRestore());
  expect(changed.status).toBe(200);
  await untilTimeline(subscription, ['charge', 'retry']);
  expect((await subscription.put({ cancel_at_period_end: true })).status).toBe(200);
  await untilTimeline(subscription, ['charge', 'retry', 'catchUp']);
  expect(await subscription.diary('2040-02-11')).toMatch('cancelled 1');
  await untilTimeline(subscription, ['charge', 'retry', 'catchUp', 'cancel']);
});

it.concurrent.each([
  ['without arguments', [[], [null], ['']]],
  ['with unexpected arguments', [['nonsense'], ['toString'], [{ action: 'charge' }]]],
])('the workflow reads the row again after a nudge that an operator sends by hand, %s', async (_, contents) => {
  const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
  await subscription.waitForWorkflow();
  for (const [i, content] of contents.entries()) {
    await subscription.workflow().executeUpdate<void, [unknown]>('nudge', { args: content as [unknown] });
    await untilTimeline(subscription, Array(i + 1).fill('catchUp'));
  }
  expect(await subscription.diary('2040-01-11')).toMatch('active 1');
  await untilTimeline(subscription, [...contents.map(() => 'catchUp'), 'charge']);
});

it.concurrent('names the cancellation by an operator', async () => {
  const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
  await subscription.waitForWorkflow();
  await subscription.workflow().executeUpdate('cancel', { args: [{ reason: 'A twin', actor: 'ana' }] });
  expect(await subscription.workflow().result()).toMatchObject({ reason: 'cancelled_by_operator' });
  // The nudge of the cancellation may arrive before the workflow has ended, which causes one more read of the row.
  const [first, ...looks] = await timelineOf(subscription);
  expect([first, ...new Set(looks)]).toEqual(['cancelByOperator', 'catchUp']);
});
