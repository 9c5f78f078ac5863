/** Temporal is unavailable while charges become due, and returns a day later. */
import { optionalTsToMs } from '@temporalio/common/lib/time';
import { openTemporal } from '../../src/platform/temporal';
import { visa } from '../harness/cards/testCards';
import { eventually } from '../harness/flow/until';
import { sendRequest } from '../harness/servers/api';
import { cleanUpAfterAll, LocalInstallation } from '../harness/servers/localInstallation';
import { getUntil } from '../harness/servers/program';
import { inDatabase } from '../harness/world/database';

cleanUpAfterAll();

/** The time from the outage until the first charge is due. */
const SECONDS_LEFT = 45;

it('charges that became due during a Temporal outage of a day are made once, on the original schedule', async () => {
  const home = await LocalInstallation.create();
  home.start();
  await getUntil(`${home.url}/ready`, 200);
  const { merchant_id, private_key: key, acquirer_url, database_url, temporal_address } = await home.readJson();
  const rest = (method: string, path: string, body?: object) =>
    sendRequest(`${home.url}/v1/${merchant_id}${path}`, method, { key, body });
  const shiftClock = (seconds: string) =>
    inDatabase(database_url, client => client.query(`update merchants set clock_offset = clock_offset + ${seconds}`));
  const { body: customer } = await rest('POST', '/customers', { name: 'María', email: 'maria@example.com' });
  const { body: card } = await rest('POST', `/customers/${customer.id}/cards`, visa);
  const terms = { name: 'W', amount: 1000, repeat_every: 1, repeat_unit: 'week', status_after_retry: 'unpaid' };
  const planWith = async (trial_days: number) => (await rest('POST', '/plans', { ...terms, trial_days })).body.id;
  const path = `/customers/${customer.id}/subscriptions`;
  const subscribe = async (trial_days: number) =>
    (await rest('POST', path, { plan_id: await planWith(trial_days), source_id: card.id })).body;
  const { id, charge_date } = await subscribe(1);

  // The charge is a few seconds away, and its workflow has scheduled it.
  await shiftClock(
    `(select extract(epoch from due_at - now())::integer - ${SECONDS_LEFT} from subscriptions where id = '${id}')`,
  );
  await inDatabase(database_url, client =>
    client.query(`insert into outbox (kind, object_id, environment) values ('nudge', $1, 'sandbox')`, [id]),
  );
  const temporal = openTemporal(temporal_address, 'default');
  const workflow = temporal.workflow.getHandle(`subscription-${id}`);
  const wakesAt = await eventually(async () => {
    const last = (await workflow.fetchHistory()).events?.at(-1);
    // A worker with a workflow task in progress would continue without Temporal.
    const { startToFireTimeout } = last?.timerStartedEventAttributes ?? {};
    expect(startToFireTimeout).toBeTruthy();
    const at = (optionalTsToMs(last?.eventTime) ?? 0) + (optionalTsToMs(startToFireTimeout) ?? 0);
    expect(at).toBeLessThan(Date.now() + SECONDS_LEFT * 1000);
    return at;
  });
  const { pid } = await home.readProcessRecord('temporal');
  process.kill(pid, 'SIGSTOP');
  try {
    await shiftClock('86400');
    expect(await rest('POST', '/sandbox/clock', { to: '2060-01-01' })).toMatchObject({
      status: 503,
      body: { error_code: 1004 },
    });
    const other = await subscribe(0);
    expect(other).toMatchObject({ status: 'active', current_period_number: 1 });
    await eventually(async () => expect(Date.now()).toBeGreaterThan(wakesAt));
    expect((await rest('GET', `${path}/${id}`)).body).toMatchObject({ status: 'trial', current_period_number: 0 });
    process.kill(pid, 'SIGCONT');
    await eventually(async () => {
      const { body } = await rest('GET', `${path}/${id}`);
      expect(body).toMatchObject({ status: 'active', current_period_number: 1 });
    });
    const { body: late } = await rest('GET', `${path}/${id}`);
    const week = (day: string) => new Date(Date.parse(day) + 7 * 86_400_000).toISOString().slice(0, 10);
    expect(late.charge_date).toBe(week(charge_date));
    await eventually(() => temporal.workflow.getHandle(`subscription-${other.id}`).describe());
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  const journal = (await (await fetch(`${acquirer_url}/journal?limit=1000`)).json()) as { operation: string }[];
  expect(journal.filter(({ operation }) => operation === 'charge')).toHaveLength(2);
  await temporal.connection.close();
});
