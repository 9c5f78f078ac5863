import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { visa } from '../harness/cards/testCards';
import { eventually } from '../harness/flow/until';
import { payer } from '../harness/merchant/merchantCalls';
import { sendRequest } from '../harness/servers/api';
import { cleanUpAfterAll, LocalInstallation } from '../harness/servers/localInstallation';
import { get } from '../harness/servers/program';

cleanUpAfterAll();

it('what npm start writes can be read by its owner only', async () => {
  const installation = await LocalInstallation.create();
  const launcher = installation.start();
  await launcher.waitForOutput(/Temporal UI {3}http/);

  // A journal, and a mail.
  const { url, merchant_id, private_key: key, mail_url } = await installation.readJson();
  const post = (path: string, body: object) => sendRequest(`${url}/v1/${merchant_id}${path}`, 'POST', { key, body });
  expect((await post('/cards', visa)).status).toBe(201);
  const payment = { method: 'card', confirm: false, send_email: true, redirect_url: 'https://shop.example/' };
  const order = { amount: 1000, currency: 'COP', iva: '19', description: 'Order', customer: payer };
  expect((await post('/charges', { ...payment, ...order })).status).toBe(200);
  await eventually(async () => expect((await get(`${mail_url}/messages`)).body).toHaveLength(1));

  const entries = readdirSync(installation.dataDir, { recursive: true, encoding: 'utf8' });
  expect(entries).toEqual(
    expect.arrayContaining(['postgres.log', 'temporal.db', 'acquirer/journal.ndjson', 'processes/api.json']),
  );
  const modes = entries.flatMap(name => {
    const stat = lstatSync(join(installation.dataDir, name), { throwIfNoEntry: false });
    return stat && (stat.mode & 0o077) !== 0 ? [`${(stat.mode & 0o777).toString(8)} ${name}`] : [];
  });
  expect(modes).toEqual([]);
  expect(await launcher.stop()).toBe(0);
});
