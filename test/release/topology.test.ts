/**
 * The production topology: two APIs, two workers, and Temporal on PostgreSQL. One process of each kind may be lost at
 * any time.
 */
import { eventually } from '../harness/flow/until';
import type { RunningApi } from '../harness/servers/apiProgram';
import { startOwnTemporal } from '../harness/servers/ownTemporal';
import { testInstallation } from '../harness/upgrade/installation';
import { walk } from '../harness/upgrade/walk';
import { expectAllDelivered, expectEachChargedOnce } from '../harness/upgrade/witnesses';
import { testReceiver } from '../harness/webhooks/endpoint';

/** A long timeout, which only a broken program or a slow build of the server reaches. */
const TIMEOUT_MS = 900_000;
const DECLINES = '4000000000000341';

let address = '';
const installation = testInstallation({
  temporal: () => ({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'default' }),
});
const receiver = testReceiver();
const { startApi, startWorker } = installation;

it(
  'the main journey continues while an API, a worker and Temporal are killed, without losses or duplicates',
  async () => {
    const temporal = await startOwnTemporal();
    address = temporal.address;
    const [lostApi, api] = [await startApi(), await startApi()];
    const lostWorker = await startWorker();
    await startWorker();
    const calls = await installation.newMerchant();
    const hook = (await calls.post(lostApi, '/webhooks', { url: receiver.url() })).id;
    await eventually(async () =>
      expect(await calls.get(api, `/webhooks/${hook}`)).toMatchObject({ status: 'verified' }),
    );
    await calls.moveClock(api, '2040-01-10T12:00:00-05:00');
    const plan = await calls.newPlan(lostApi);
    const subscriptions: string[] = [];
    for (const one of [lostApi, api, lostApi, api, lostApi, api]) subscriptions.push(await calls.subscribe(one, plan));
    subscriptions.push(await calls.subscribe(api, plan, DECLINES));
    await walk(calls, lostApi, api);
    const states = (): Promise<string[]> => Promise.all(subscriptions.map(path => calls.standing(api, path)));
    const statesAfterRenewal = async (through: RunningApi, day: string): Promise<string[]> => {
      await calls.moveClock(through, `${day}T23:00:00-05:00`);
      return states();
    };
    expect(await statesAfterRenewal(lostApi, '2040-02-10')).toEqual([...Array(6).fill('active 2'), 'cancelled 1']);

    const untilFirstRenewal = (period: string) => eventually(async () => expect(await states()).toContain(period));
    const moving = calls.moveClock(api, '2040-03-10T23:00:00-05:00');
    await untilFirstRenewal('active 3');
    await Promise.all([lostApi.program.stop('SIGKILL'), lostWorker.stop('SIGKILL')]);
    await moving;
    expect(await states()).toEqual([...Array(6).fill('active 3'), 'cancelled 1']);

    const movingOn = calls.moveClock(api, '2040-04-10T23:00:00-05:00');
    await untilFirstRenewal('active 4');
    await temporal.killAndStart();
    await movingOn;
    await startWorker();
    await walk(calls, api, await startApi());
    expect(await statesAfterRenewal(api, '2040-05-10')).toEqual([...Array(6).fill('active 5'), 'cancelled 1']);

    expect(await expectEachChargedOnce(installation, calls, api)).toBeGreaterThanOrEqual(30);
    await expectAllDelivered(calls, api, receiver.received);
    expect(await installation.runToEnd('audit')).toContain('No differences found.');
  },
  TIMEOUT_MS,
);
