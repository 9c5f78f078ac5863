/** The image and docker-compose.yml in a real Docker engine: charges, renewals, TLS and authorization of Temporal. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { temporaryFile } from '../harness/flow/temporaryFile';
import { ComposeProject, hasEngine } from '../harness/servers/composeProject';
import { getUntil, untilAnswer } from '../harness/servers/program';
import { createSelfSigned } from '../harness/webhooks/certificate';

const TEST_TIMEOUT_MS = 900_000;
const itWithEngine = hasEngine() ? it : it.skip;
const because = hasEngine() ? '' : ': not run, because no Docker engine with Compose responds';

/** Creates a merchant with the command in the container, a customer and a card. */
async function createPayer(project: ComposeProject) {
  const options = ['--environment', 'sandbox', '--name', 'Tienda', '--email', 'a@example.com', '--phone', '6011234567'];
  const printed = await project.run('exec', '--no-TTY', 'api', 'bin/recaudo', 'merchant', 'create', ...options);
  const [key] = /sk_[0-9a-f]+/.exec(printed) ?? [''];
  const [merchant] = /\bm[0-9a-z]{19}\b/.exec(printed) ?? [''];
  async function request<T = Record<string, string>>(path: string, body?: object): Promise<T> {
    const response = await fetch(`${project.url}/v1/${merchant}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Basic ${btoa(`${key}:`)}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status} ${text}`);
    return JSON.parse(text);
  }
  const { id } = await request('/customers', { name: 'Ana', email: 'ana@example.com', requires_account: false });
  const customer = `/customers/${id}`;
  const { id: source_id } = await request(`${customer}/cards`, {
    holder_name: 'Ana',
    card_number: '4111111111111111',
    cvv2: '123',
    expiration_month: '12',
    expiration_year: `${new Date().getFullYear() + 3}`,
  });
  return {
    charge: async (order_id: string) => {
      const sale = { amount: 100_000, currency: 'COP', iva: '19', description: 'Sale', device_session_id: 'test' };
      return (await request(`${customer}/charges`, { method: 'card', source_id, order_id, ...sale })).status;
    },
    subscribe: async () => {
      const { id: plan_id } = await request('/plans', {
        name: 'Monthly',
        amount: 49_900,
        repeat_every: 1,
        repeat_unit: 'month',
        trial_days: 0,
        retry_times: 3,
        status_after_retry: 'unpaid',
      });
      const { id: subscription_id } = await request(`${customer}/subscriptions`, { plan_id, source_id });
      const subscription = `${customer}/subscriptions/${subscription_id}`;
      return {
        /** Moves the test clock to the next charge, and returns the number of the period that was charged. */
        renew: async () => {
          const { charge_date: to } = await request(subscription);
          await request('/sandbox/clock', { subscription_id, to });
          return (await request<{ current_period_number: number }>(subscription)).current_period_number;
        },
      };
    },
  };
}

itWithEngine(
  `charges and renews, also after everything was stopped and started${because}`,
  async () => {
    // Characters of base64 that a URL does not allow.
    const project = await ComposeProject.create({
      POSTGRES_PASSWORD: 'a/b+c==',
      TEMPORAL_POSTGRES_PASSWORD: 'd/e+f==',
    });
    await project.run('config', '--quiet');
    await project.run('build', '--quiet');
    await project.up();
    await getUntil(`${project.url}/ready`, 200);
    const payer = await createPayer(project);
    expect(await payer.charge('1')).toBe('completed');
    const subscription = await payer.subscribe();
    expect(await subscription.renew()).toBe(2);
    await project.run('down');
    await project.up();
    await getUntil(`${project.url}/ready`, 200);
    expect(await subscription.renew()).toBe(3);
    expect(await project.run('exec', '--no-TTY', 'api', 'bin/recaudo', 'audit')).toContain('No differences found.');
    expect(await project.run('logs', '--no-log-prefix', 'api')).not.toMatch(/"route":"GET \/(health|ready)/);
  },
  TEST_TIMEOUT_MS,
);

/** Signs tokens with these permissions, and provides the key set with which Temporal verifies them. */
function createIssuer() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'test', alg: 'ES256', use: 'sig' };
  const server = `require('http').createServer((_, answer) => answer.end(process.env.KEYS)).listen(80)`;
  return {
    token: (...permissions: string[]) => {
      const claims = { sub: 'test', permissions, exp: Math.floor(Date.now() / 1000) + 3600 };
      const content = `${encode({ alg: 'ES256', kid: 'test', typ: 'JWT' })}.${encode(claims)}`;
      const signature = sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${content}.${signature.toString('base64url')}`;
    },
    services: {
      issuer: {
        image: 'recaudo:1.0.0',
        user: 'root',
        command: ['node', '-e', server],
        environment: { KEYS: JSON.stringify({ keys: [key] }) },
      },
      temporal: { depends_on: { issuer: { condition: 'service_started' } } },
    },
    environment: { TEMPORAL_AUTHORIZER: 'default', TEMPORAL_JWT_KEYS_URL: 'http://issuer' },
  };
}

itWithEngine(
  `renews over TLS with tokens, and reports a worker that may not add search attributes${because}`,
  async () => {
    const name = 'temporal.example';
    const { cert, key } = createSelfSigned(name);
    const { token, services, environment } = createIssuer();
    const tls = {
      TEMPORAL_TLS: 'true',
      TEMPORAL_TLS_CA_FILE: temporaryFile('ca.pem', cert),
      TEMPORAL_TLS_SERVER_NAME: name,
      TEMPORAL_TLS_CERT_BASE64: btoa(cert),
      TEMPORAL_TLS_KEY_BASE64: btoa(key),
    };
    const tokens = { TEMPORAL_API_KEY: token('default:write'), TEMPORAL_WORKER_API_KEY: token('default:admin') };
    const project = await ComposeProject.create({ ...environment, ...tls, ...tokens }, services);
    await project.run('build', '--quiet');
    await project.run('run', '--rm', 'temporal-namespace');
    project.env.TEMPORAL_WORKER_API_KEY = tokens.TEMPORAL_API_KEY;
    await project.up('api', 'simulator');
    await project.up('--no-deps', 'worker');
    await untilAnswer(`${project.url}/ready`, { status: 503, body: { temporal: 'up', worker: 'unregistered' } });
    const payer = await createPayer(project);
    expect(await payer.charge('1')).toBe('completed');
    project.env.TEMPORAL_WORKER_API_KEY = tokens.TEMPORAL_WORKER_API_KEY;
    await project.up();
    await getUntil(`${project.url}/ready`, 200);
    expect(await (await payer.subscribe()).renew()).toBe(2);
  },
  TEST_TIMEOUT_MS,
);
