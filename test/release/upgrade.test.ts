/**
 * An upgrade without downtime, and its rollback: processes of the commit in .ci/previous and of this one run together
 * on the new schema, in every combination of a rolling deployment.
 */
import { visa } from '../harness/cards/testCards';
import { eventually } from '../harness/flow/until';
import type { RunningApi } from '../harness/servers/apiProgram';
import { Program } from '../harness/servers/program';
import { testNamespace } from '../harness/servers/temporal';
import { type Calls, CHARGE, testInstallation } from '../harness/upgrade/installation';
import { previousBuild } from '../harness/upgrade/previousBuild';
import { expectSameView, walk } from '../harness/upgrade/walk';
import { expectAllDelivered, expectEachChargedOnce } from '../harness/upgrade/witnesses';
import { testReceiver } from '../harness/webhooks/endpoint';
import { temporalAddress } from '../harness/world/temporal';

/** A long timeout, which only a broken program reaches. */
const TIMEOUT_MS = 900_000;
const DECLINES = '4000000000000341';

const previous = previousBuild();
const namespace = testNamespace();
const installation = testInstallation({
  database: 'empty',
  temporal: () => ({ TEMPORAL_ADDRESS: temporalAddress(), TEMPORAL_NAMESPACE: namespace.name }),
});
const receiver = testReceiver();
const { startApi, startWorker } = installation;

it(
  'old and new processes do the same work in every combination, and make each charge once',
  async () => {
    await installation.runToEnd('migrate', previous());
    const calls = await installation.newMerchant(previous());
    const oldApi = await startApi(previous());
    const oldWorker = await startWorker(previous());
    const hook = (await calls.post(oldApi, '/webhooks', { url: receiver.url() })).id;
    await eventually(async () =>
      expect(await calls.get(oldApi, `/webhooks/${hook}`)).toMatchObject({ status: 'verified' }),
    );
    await calls.moveClock(oldApi, '2040-01-10T12:00:00-05:00');
    const subscriptions = await subscribeInEveryState(calls, oldApi);
    const renewals = async (api: RunningApi, day: string): Promise<string[]> => {
      await calls.moveClock(api, `${day}T23:00:00-05:00`);
      return Promise.all(subscriptions.map(path => calls.standing(api, path)));
    };
    expect(await renewals(oldApi, '2040-01-10')).toEqual([
      ...['active 1', 'trial 0', 'past_due 1'],
      ...['unpaid 1', 'active 1', 'cancelled 1'],
    ]);

    await migrateUnderLoad(calls, oldApi);

    // A new API before any new worker.
    const newApi = await startApi();
    const made = [...(await walk(calls, oldApi, newApi)), ...(await walk(calls, newApi, oldApi))];
    await expectSameView(calls, oldApi, newApi, [...made, ...subscriptions]);
    const [, , , unpaid = ''] = subscriptions;
    const source_id = await calls.newCard(newApi, unpaid.split('/')[2] ?? '');
    expect(await calls.put(newApi, unpaid, { source_id })).toMatchObject({ status: 'active' });
    expect(await renewals(newApi, '2040-02-11')).toEqual([
      ...['active 2', 'active 1', 'cancelled 1'],
      ...['active 2', 'cancelled 1', 'cancelled 1'],
    ]);

    // A new worker for workflows that the old one began, and an old API.
    const newWorker = await startWorker();
    await oldWorker.stop();
    subscriptions.push(await calls.subscribe(newApi, await calls.newPlan(newApi)));
    const [begun, ended] = [
      ['active 3', 'active 2', 'cancelled 1', 'active 3'],
      ['cancelled 1', 'cancelled 1'],
    ];
    expect(await renewals(oldApi, '2040-03-12')).toEqual([...begun, ...ended, 'active 2']);

    // Two of each.
    const secondOldWorker = await startWorker(previous());
    const monthly = await calls.newPlan(oldApi);
    for (const api of [oldApi, newApi, oldApi, newApi]) subscriptions.push(await calls.subscribe(api, monthly));
    await renewals(oldApi, '2040-04-13');
    const allLater = await renewals(newApi, '2040-05-13');
    expect(allLater).toEqual([
      'active 5',
      'active 5',
      'cancelled 1',
      'active 5',
      ...ended,
      'active 4',
      ...Array(4).fill('active 3'),
    ]);

    // The old processes are stopped.
    await Promise.all([oldApi.program.stop(), secondOldWorker.stop()]);
    await walk(calls, newApi, newApi);
    expect(await renewals(newApi, '2040-06-13')).toEqual(allLater.map(onePeriodOn));

    // The old processes are back, and the new ones are stopped.
    const formerApi = await startApi(previous());
    await startWorker(previous());
    await Promise.all([newApi.program.stop(), newWorker.stop()]);
    await walk(calls, formerApi, formerApi);
    expect(await renewals(formerApi, '2040-07-13')).toEqual(allLater.map(onePeriodOn).map(onePeriodOn));

    expect(await expectEachChargedOnce(installation, calls, formerApi)).toBeGreaterThan(40);
    await expectAllDelivered(calls, formerApi, receiver.received);
    expect(await installation.runToEnd('audit')).toContain('No differences found.');
  },
  TIMEOUT_MS,
);

const onePeriodOn = (standing: string): string =>
  standing.replace(/active (\d+)/, (_, period) => `active ${Number(period) + 1}`);

async function subscribeInEveryState(calls: Calls, api: RunningApi): Promise<string[]> {
  const monthly = await calls.newPlan(api);
  const [active, ending, cancelled] = [
    await calls.subscribe(api, monthly),
    await calls.subscribe(api, monthly),
    await calls.subscribe(api, monthly),
  ];
  await calls.put(api, ending, { cancel_at_period_end: true });
  await calls.send(api, 'DELETE', cancelled);
  const trial = await calls.subscribe(api, await calls.newPlan(api, { trial_days: 3 }));
  const pastDue = await calls.subscribe(api, monthly, DECLINES);
  const unpaid = await calls.subscribe(api, await calls.newPlan(api, { retry_times: 0 }), DECLINES);
  return [active, trial, pastDue, unpaid, ending, cancelled];
}

/** Customers pay while the migrations of this release run. */
async function migrateUnderLoad(calls: Calls, api: RunningApi): Promise<void> {
  const migration = new Program('migrate', installation.variables());
  let isOver = false;
  const ended = migration.exited.finally(() => {
    isOver = true;
  });
  do {
    const { id: source_id } = await calls.post(api, '/tokens', visa);
    expect(await calls.post(api, '/charges', { ...CHARGE, source_id })).toMatchObject({ status: 'completed' });
  } while (!isOver);
  expect([await ended, migration.output]).toEqual([0, expect.anything()]);
}
