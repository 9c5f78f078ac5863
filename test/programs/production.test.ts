/** The programs with NODE_ENV=production, as far as one machine allows. */
import { programVariables } from '../../src/programs/variables';
import { configProblems } from '../harness/flow/configProblems';
import { until } from '../harness/flow/until';
import { sendRequest, testApi } from '../harness/servers/api';
import { testPort } from '../harness/servers/port';
import { get, getUntil, Program } from '../harness/servers/program';
import { testNamespace } from '../harness/servers/temporal';
import { secrets } from '../harness/world/secrets';
import { temporalAddress } from '../harness/world/temporal';

const namespace = testNamespace();
const api = testApi({ namespace: namespace.name });
const API_KEY_SECRET = 'a secret of the test, not the one for development';
const variables = () => ({
  ...secrets,
  NODE_ENV: 'production',
  DATABASE_URL: api.database.url(),
  TEMPORAL_ADDRESS: temporalAddress(),
  TEMPORAL_NAMESPACE: namespace.name,
  ACQUIRER_URL: api.acquirer.credentials().url,
  API_KEY_SECRET,
  TRUSTED_PROXIES: '192.0.2.1',
  SMTP_URL: 'smtp://mail.example',
  MAIL_FROM: 'pagos@tienda.co',
});

it('the API and the worker do not start for both environments', async () => {
  const env = { ...variables(), PUBLIC_URL: 'https://pay.example' };
  const program = new Program('api', env);
  expect(await program.exited).toBe(1);
  const problem =
    'ENVIRONMENT is missing: in production, set it to sandbox or production, because a process serves only one.';
  expect(program.output).toBe(`${problem}\n`);
  expect(configProblems(programVariables.worker, env)).toEqual([problem]);
});

it('an API of production serves only production, without the acquirer of the sandbox', async () => {
  const [port, sandboxPort] = [await testPort(), await testPort()];
  const { ACQUIRER_URL: _, ACQUIRER_KEY: __, ...shared } = variables();
  const program = new Program('api', {
    ...shared,
    ENVIRONMENT: 'production',
    PORT: `${sandboxPort}`,
    PRODUCTION_PORT: `${port}`,
    PRODUCTION_PUBLIC_URL: 'https://pay.example',
    PRODUCTION_ACQUIRER_URL: 'https://acquirer.example',
    PRODUCTION_ACQUIRER_KEY: 'credential of the test at the acquirer',
    PRIVATE_NETWORKS: '10.0.0.0/8',
  });
  await getUntil(`http://127.0.0.1:${port}/health`, 200);
  await expect(get(`http://127.0.0.1:${sandboxPort}/health`)).rejects.toThrow();
  await program.waitForOutput('PRIVATE_NETWORKS=10.0.0.0/8');
  await program.waitForOutput('production at');
  expect(program.output).not.toContain('sandbox at');
});

it('missing variables of production and the default secret are refused', () => {
  const { ACQUIRER_URL: _, API_KEY_SECRET: __, ...shared } = variables();
  expect(configProblems(programVariables.api, { ...shared, ENVIRONMENT: 'production' })).toEqual([
    'API_KEY_SECRET must not be the default secret in production.',
    'PRODUCTION_PORT is missing: it is required with ENVIRONMENT=production.',
    'PRODUCTION_ACQUIRER_URL is missing: it is required with ENVIRONMENT=production.',
    'PRODUCTION_ACQUIRER_KEY is missing: it is required with ENVIRONMENT=production.',
  ]);
});

it('the sandbox refuses webhooks in private networks, and calls none of the existing ones', async () => {
  const port = await testPort();
  const env = { ...variables(), ENVIRONMENT: 'sandbox', PORT: `${port}`, PUBLIC_URL: 'https://pay.example' };
  const before = await api.rest('POST', '/webhooks', { body: { url: 'http://127.0.0.1:9/hook' } });
  expect(before.status).toBe(201);
  new Program('worker', env);
  const deliveries = async () => (await api.rest('GET', `/webhooks/${before.body.id}/deliveries`)).body;
  await until(async () => (await deliveries())[0]?.attempts?.length > 0);
  expect((await deliveries())[0].attempts[0]).toMatchObject({ error: 'The address must be an https URL' });

  const merchant = new Program('merchant', env, [
    'create',
    '--environment',
    'sandbox',
    '--name',
    'T',
    '--email',
    't@t.co',
    '--phone',
    '6011234567',
  ]);
  expect(await merchant.exited).toBe(0);
  const [, id, key] = /id +(\S+).*private_key +(\S+)/s.exec(merchant.output) ?? [];
  new Program('api', env);
  // The worker that serves the sandbox, in the sandbox's task queue.
  expect(await getUntil(`http://127.0.0.1:${port}/ready`, 200)).toMatchObject({ body: { worker: 'up' } });
  const answer = await sendRequest(`http://127.0.0.1:${port}/v1/${id}/webhooks`, 'POST', {
    key: `${key}`,
    body: { url: 'https://10.0.0.7/hook' },
  });
  expect(answer).toMatchObject({ status: 422, body: { field: 'url' } });
});
