/** The database of Temporal is deleted: every workflow is restarted from its row. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openTemporal } from '../../src/platform/temporal';
import { visa } from '../harness/cards/testCards';
import { eventually } from '../harness/flow/until';
import { sendRequest } from '../harness/servers/api';
import { cleanUpAfterAll, LocalInstallation } from '../harness/servers/localInstallation';
import { getUntil } from '../harness/servers/program';

cleanUpAfterAll();

it('no charge is lost and none is repeated', async () => {
  const home = await LocalInstallation.create();
  home.start();
  await getUntil(`${home.url}/ready`, 200);
  const { merchant_id, private_key: key, acquirer_url, temporal_address } = await home.readJson();
  const rest = async (method: string, path: string, body?: object) =>
    sendRequest(`${home.url}/v1/${merchant_id}${path}`, method, { key, body });
  const { body: customer } = await rest('POST', '/customers', { name: 'María', email: 'maria@example.com' });
  const { body: card } = await rest('POST', `/customers/${customer.id}/cards`, visa);
  const plan = {
    name: 'M',
    amount: 1000,
    repeat_every: 1,
    repeat_unit: 'month',
    status_after_retry: 'unpaid',
    trial_days: 0,
  };
  const { body: monthly } = await rest('POST', '/plans', plan);
  const path = `/customers/${customer.id}/subscriptions`;
  const made: string[] = [];
  for (let i = 0; i < 3; i++)
    made.push((await rest('POST', path, { plan_id: monthly.id, source_id: card.id })).body.id);
  const temporal = openTemporal(temporal_address, 'default');
  const statuses = () =>
    Promise.all(made.map(async id => (await temporal.workflow.getHandle(`subscription-${id}`).describe()).status.name));
  await eventually(async () => expect(await statuses()).toEqual(Array(3).fill('RUNNING')));

  const { pid } = await home.readProcessRecord('temporal');
  for (const end of ['', '-wal', '-shm']) rmSync(join(home.dataDir, `temporal.db${end}`), { force: true });
  process.kill(pid, 'SIGKILL');
  await eventually(async () => expect((await home.readProcessRecord('temporal')).pid).not.toBe(pid));
  await eventually(async () => expect(await statuses()).toEqual(Array(3).fill('RUNNING')));

  const month = new Date(Date.now() + 33 * 86_400_000).toISOString().slice(0, 10);
  await eventually(async () => expect((await rest('POST', '/sandbox/clock', { to: month })).status).toBe(200));
  for (const id of made)
    expect((await rest('GET', `${path}/${id}`)).body).toMatchObject({ status: 'active', current_period_number: 2 });
  const journal = (await (await fetch(`${acquirer_url}/journal?limit=1000`)).json()) as {
    operation: string;
    key: string;
  }[];
  const charged = journal.filter(({ operation }) => operation === 'charge');
  expect(charged).toHaveLength(6);
  expect(new Set(charged.map(({ key }) => key)).size).toBe(6);
  await temporal.connection.close();
});
