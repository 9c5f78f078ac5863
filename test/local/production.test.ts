import { request } from 'undici';
import { canary } from '../harness/cards/canaries';
import { visa } from '../harness/cards/testCards';
import { payer } from '../harness/merchant/merchantCalls';
import { business } from '../harness/merchant/operators';
import { sendRequest } from '../harness/servers/api';
import { cleanUpAfterAll, LocalInstallation } from '../harness/servers/localInstallation';
import { get, Program } from '../harness/servers/program';
import { testNamespace } from '../harness/servers/temporal';
import { temporalAddress } from '../harness/world/temporal';

cleanUpAfterAll();
const namespace = testNamespace();

const start = (installation: LocalInstallation, args: string[]) =>
  installation.start({ TEMPORAL_ADDRESS: temporalAddress(), TEMPORAL_NAMESPACE: namespace.name }, 'embedded', args);

it('npm start -- --production lets a merchant go live on this machine, up to its first charge', async () => {
  const installation = await LocalInstallation.create();
  const launcher = start(installation, ['--production']);
  await launcher.waitForOutput('recaudo is up');
  const { url, production_url, private_key, operator_key, acquirer_url } = await installation.readJson();
  expect(launcher.output).toContain(
    `production    ${production_url} (a rehearsal on this machine, with the simulated acquirer: no real money moves)`,
  );
  const ask = async (query: string, key: string, variables = {}, path = '/graphql') => {
    const { body } = await sendRequest(url + path, 'POST', { key, body: { query, variables } });
    expect(body.errors).toBeUndefined();
    return Object.values(body.data)[0] as Record<string, string>;
  };
  const requestLive = 'mutation ($request: BusinessInput) { requestLive(request: $request) { id status } }';
  const { id } = await ask(requestLive, private_key, { request: business });
  const approve = `mutation { approveLiveRequest(id: "${id}") { status } }`;
  expect(await ask(approve, operator_key, {}, '/operator/graphql')).toEqual({ status: 'approved' });
  const collect = 'mutation { collectLiveKeys { merchant_id private_key } }';
  const { merchant_id, private_key: key = '' } = await ask(collect, private_key);

  const inProduction = (path: string, body: object, as = key) =>
    sendRequest(`${production_url}/v1/${merchant_id}${path}`, 'POST', { key: as, body });
  const card = await inProduction('/cards', { ...visa, card_number: canary.mastercard });
  expect(card.status).toBe(201);
  const order = {
    amount: 1000,
    currency: 'COP',
    iva: '19',
    description: 'Order',
    device_session_id: 'device',
    customer: payer,
  };
  const charge = await inProduction('/charges', { method: 'card', source_id: card.body.id, ...order });
  expect(charge.body).toMatchObject({ status: 'completed' });
  const { body: journal } = await get(`${acquirer_url}/journal`);
  expect(journal).toMatchObject([
    { operation: 'verify' },
    { operation: 'charge', amount: 100_000, outcome: 'approved' },
  ]);

  // The two environments stay apart.
  expect(await inProduction('/cards', visa, private_key)).toMatchObject({ status: 401 });
  expect((await inProduction('/cards', { ...visa, card_number: '4111111111111111' })).body.error_code).toBe(2007);
  const page = await request(production_url ?? '', { headers: { accept: 'text/html', 'accept-language': 'en' } });
  expect([page.statusCode, await page.body.text()]).toEqual([
    200,
    expect.stringContaining('Trial installation: do not use it'),
  ]);
});

it('npm start serves no production without the option, and generates its secrets', async () => {
  const installation = await LocalInstallation.create();
  const launcher = start(installation, []);
  await launcher.waitForOutput('recaudo is up');
  expect(launcher.output).not.toContain('production ');
  expect(await installation.readJson()).not.toHaveProperty('production_url');
  const { merchant_id } = await installation.readJson();
  const secrets = await installation.readJson<Record<string, string>>('secrets.json');
  expect(secrets).toMatchObject({ API_KEY_SECRET: expect.stringMatching(/^[0-9a-f]{32}$/) });
  // Commands find the secret with the database.
  const { database_url } = await installation.readJson();
  for (const env of [{}, { DATABASE_URL: database_url }]) {
    const create = [
      'create',
      '--environment',
      'sandbox',
      '--name',
      'A',
      '--email',
      'a@example.com',
      '--phone',
      '6011234567',
    ];
    const command = new Program('merchant', { DATA_DIR: installation.dataDir, ...env }, create);
    expect(await command.exited).toBe(0);
    const [, id, key] = /id +(\S+).*private_key +(\S+)/s.exec(command.output) ?? [];
    const response = await sendRequest(`${installation.url}/v1/${id}/cards`, 'GET', { key: key ?? '' });
    expect([id === merchant_id, response.status]).toEqual([false, 200]);
  }
});
