/** The rights of the services of docker-compose.yml, and the secrets that they get. */
import { parse } from 'yaml';
import { defaultOf, read, requiredValues, services } from '../harness/servers/compose';

it('keeps the secrets of one service from the other services', () => {
  const secretsOf = (name: string): string[] =>
    Object.keys(services[name]?.environment ?? {}).filter(variable => /KEY|SECRET|DATABASE_URL/.test(variable));
  expect(secretsOf('migrate')).toEqual(['DATABASE_URL']);
  expect(secretsOf('simulator')).toEqual(['ACQUIRER_KEY']);
  expect([...secretsOf('api'), ...secretsOf('worker')].filter(name => name.startsWith('PRODUCTION'))).toEqual([]);
  expect([...secretsOf('api-production'), ...secretsOf('worker-production')]).not.toContain('ACQUIRER_KEY');
  expect(secretsOf('worker')).not.toContain('API_KEY_SECRET');
});

it.each(Object.entries(services))('%s has no rights that it does not need, and limited logs', (_, service) => {
  expect(service).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    logging: { options: { 'max-size': expect.anything(), 'max-file': expect.anything() } },
  });
});

it('gives Temporal a database user of its own', () => {
  expect(services.temporal?.environment).toMatchObject({ POSTGRES_USER: 'temporal' });
  expect(defaultOf(services.api?.environment?.DATABASE_URL)).toMatch('//recaudo:');
  const script = read('docker/create-databases.sh');
  expect(script).toContain('revoke all on database recaudo, temporal, temporal_visibility, postgres, template1 from');
});

it('gives every client of Temporal the CA file and the name of its server', () => {
  const clients = ['temporal-namespace', 'api', 'worker', 'api-production', 'worker-production'];
  const given = {
    ...requiredValues,
    TEMPORAL_TLS: 'true',
    TEMPORAL_TLS_CA_FILE: '/ca',
    TEMPORAL_TLS_SERVER_NAME: 'n',
  };
  for (const name of [...clients, 'temporal-ui'])
    expect(services[name]?.volumes?.map(volume => defaultOf(volume, given))).toContain('/ca:/tls/ca.pem:ro');
  const tlsOf = (name: string, values: Record<string, string>) =>
    Object.entries(services[name]?.environment ?? {})
      .filter(([variable]) => variable.startsWith('TEMPORAL_TLS'))
      .map(([variable, value]) => [variable, defaultOf(value, values)]);
  for (const name of clients) {
    expect(Object.fromEntries(tlsOf(name, given))).toEqual({
      TEMPORAL_TLS: 'true',
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/tls/ca.pem',
      TEMPORAL_TLS_SERVER_NAME: 'n',
    });
    expect(tlsOf(name, requiredValues).filter(([, value]) => !['', 'false'].includes(value ?? ''))).toEqual([]);
  }
  expect(Object.fromEntries(tlsOf('temporal-ui', given))).toMatchObject({
    TEMPORAL_TLS_CA: '/tls/ca.pem',
    TEMPORAL_TLS_SERVER_NAME: 'n',
  });
});

it('gives the API a token of its own, which needs fewer rights than that of the worker', () => {
  const tokenOf = (name: string) =>
    defaultOf(services[name]?.environment?.TEMPORAL_API_KEY, {
      TEMPORAL_API_KEY: 'api',
      TEMPORAL_WORKER_API_KEY: 'worker',
    });
  expect([tokenOf('api'), tokenOf('api-production')]).toEqual(['api', 'api']);
  for (const name of ['worker', 'worker-production', 'temporal-namespace']) expect(tokenOf(name)).toBe('worker');
});

it('offers a read-only Temporal UI without sign-in, and actions on single workflows after a sign-in', () => {
  expect(services['temporal-ui']?.environment).toMatchObject({
    TEMPORAL_ADDRESS: 'temporal:7233',
    TEMPORAL_BATCH_ACTIONS_DISABLED: 'true',
    TEMPORAL_WORKFLOW_PAUSE_DISABLED: 'true',
    TEMPORAL_DISABLE_WRITE_ACTIONS: expect.stringContaining('TEMPORAL_UI_READ_ONLY:-true'),
    TEMPORAL_AUTH_ENABLED: expect.stringContaining('TEMPORAL_UI_SIGN_IN:-false'),
  });
});

it('does not expose the Temporal server, and its histories record the requesting identity', () => {
  expect(services.temporal).not.toHaveProperty('ports');
  expect(parse(read('docker/temporal.yaml'))).toMatchObject({
    'frontend.enablePrincipalPropagation': [{ value: true }],
  });
  expect(services.temporal?.volumes?.[0]).toBe(
    './docker/temporal.yaml:/etc/temporal/config/dynamicconfig/docker.yaml:ro',
  );
});

it('keeps .env with its vault keys out of the image and the repository', () => {
  for (const file of ['.dockerignore', '.gitignore']) expect(read(file).split('\n')).toContain('.env');
});
