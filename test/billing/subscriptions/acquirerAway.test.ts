/** An acquirer outage of two days: no charge is declined, no retry is used up, and each customer is charged once after it. */
import { eventually } from '../../harness/flow/until';
import { type TestSubscription, testBilling } from '../../harness/merchant/subscriptions';
import { TcpProxy } from '../../harness/servers/tcpProxy';

let proxy: TcpProxy | undefined;
const billing = testBilling({ workerVariables: () => (proxy ? { ACQUIRER_URL: proxy.url } : {}) });
const { api } = billing;
const db = () => api.database.db();

/** Moves the clocks directly: the sandbox operation would wait until the acquirer responds. */
const passDay = async (...subscriptions: TestSubscription[]): Promise<void> => {
  await db().customer.updateMany({
    where: { id: { in: subscriptions.map(({ customer_id }) => customer_id) } },
    data: { clock_offset: { increment: 86_400 } },
  });
  await db().outbox.createMany({
    data: subscriptions.map(({ id }) => ({ kind: 'nudge', object_id: id, environment: 'sandbox' })),
  });
};

const triesOf = async ({ id }: TestSubscription): Promise<number> => {
  const { open } = await db().subscription.findUniqueOrThrow({ where: { id } });
  return (open as { tries?: number } | null)?.tries ?? 0;
};

it('an acquirer outage of two days uses up no retry and charges no customer twice', async () => {
  await Promise.all(billing.workers.splice(0).map(worker => worker.stop()));
  proxy = await TcpProxy.start(api.acquirer.credentials().url);
  await billing.startWorker();
  const renewed = await billing.subscribe('2040-01-10', { plan: { trial_days: 1, repeat_unit: 'week' } });
  const declined = await billing.subscribe('2040-01-10', { card: '4000000000000341', plan: { retry_times: 2 } });
  expect(declined.created).toMatchObject({ status: 'past_due', retries_left: 2, next_retry_date: '2040-01-11' });
  await Promise.all([renewed.waitForWorkflow(), declined.waitForWorkflow()]);

  proxy.disconnect();
  for (let day = 1; day <= 2; day++) {
    const before = await Promise.all([renewed, declined].map(triesOf));
    await passDay(renewed, declined);
    // Waits for new attempts of both subscriptions, because an attempt of the day before may have been in flight.
    await eventually(async () => {
      expect(await triesOf(renewed)).toBeGreaterThan(before[0] ?? 0);
      expect(await triesOf(declined)).toBeGreaterThan(before[1] ?? 0);
    });
  }
  expect(await renewed.read()).toMatchObject({ status: 'trial', current_period_number: 0 });
  expect(await declined.read()).toMatchObject({ status: 'past_due', retries_left: 2 });
  expect([await renewed.journal(), (await declined.journal()).length]).toEqual([[], 1]);

  proxy.restore();
  await eventually(async () => expect(await renewed.read()).toMatchObject({ status: 'active' }));
  expect(await renewed.read()).toMatchObject({ current_period_number: 1, charge_date: '2040-01-18' });
  expect(await renewed.charges()).toMatchObject([{ status: 'completed' }]);
  expect(await renewed.journal()).toMatchObject([{ operation: 'charge', outcome: 'approved' }]);
  // The next retry is scheduled from the day of this response.
  await eventually(async () => expect(await declined.read()).toMatchObject({ retries_left: 1 }));
  expect(await declined.read()).toMatchObject({ status: 'past_due', next_retry_date: '2040-01-13' });
  expect(await declined.journal()).toHaveLength(2);
});
