import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { readConfig, type VariableName } from '../src/platform/config/config';
import { variables } from '../src/platform/config/variables';
import { fromRoot } from '../src/platform/root';
import { programVariables } from '../src/programs/variables';
import { createServer } from '../src/web/server';
import { secrets } from './harness/world/secrets';

interface Service {
  image: string;
  build?: string;
  command?: string | string[];
  environment?: Record<string, string>;
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string }>;
  ports?: string[];
  cpu_shares?: number;
}

const read = (file: string): string => readFileSync(fromRoot(file), 'utf8');
const { services } = parse(read('docker-compose.yml'), { merge: true }) as { services: Record<string, Service> };
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
/** The command of an npm script, without the `exec` that lets signals reach it. */
const script = (name: string): string | undefined => scripts[name]?.replace(/^exec /, '');
const ownServices = Object.entries(services).filter(([, { build }]) => build);
/** Values of the variables that have no default, or that production requires. */
const requiredValues: Record<string, string> = {
  VAULT_KEYS: secrets.VAULT_KEYS,
  VAULT_FINGERPRINT_KEY: secrets.VAULT_FINGERPRINT_KEY,
  PRODUCTION_ACQUIRER_URL: 'https://acquirer.example',
  PRODUCTION_ACQUIRER_KEY: 'credential of the test at the acquirer',
};
/** A value whose references to variables are replaced, by default with the defaults of the variables. */
const defaultOf = (value: unknown, values = requiredValues): string =>
  String(value).replace(
    /\$\{(\w+):([-?])([^}]*)\}/g,
    (_, name, how, text) => values[name] ?? (how === '-' ? text : ''),
  );
/** `api-production` runs the program `api`. */
const programOf = (service: string): keyof typeof programVariables =>
  service.replace(/-production$/, '') as keyof typeof programVariables;

describe('docker-compose.yml', () => {
  it('has every service', () => {
    expect(Object.keys(services)).toEqual(
      expect.arrayContaining(['postgres', 'temporal', 'temporal-ui', 'migrate', 'api', 'worker']),
    );
    expect(ownServices.map(([name]) => name)).toEqual([
      'migrate',
      'api',
      'simulator',
      'worker',
      'api-production',
      'worker-production',
    ]);
  });

  it.each(Object.entries(services))('%s runs an image of one exact version', (_, { image }) => {
    expect(image).toMatch(/^[a-z/-]+:v?\d+\.\d+(\.\d+)?(-[a-z]+)?$/);
  });

  it.each(ownServices)('%s runs the command of its npm script', (name, { command }) => {
    expect(command).toBe(script(programOf(name)));
  });

  it.each(ownServices)(
    '%s gets only the variables that its program reads, and all that it requires',
    (name, service) => {
      const { environment = {} } = service;
      const read: readonly VariableName[] = programVariables[programOf(name)];
      expect(Object.keys(environment).filter(variable => !read.includes(variable as VariableName))).toEqual([]);
      const env = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, defaultOf(value)]));
      expect(readConfig(read, env)).toMatchObject({ NODE_ENV: 'development' });
    },
  );

  it('gives Temporal and the workers fewer CPU shares than the remaining services', () => {
    const yielding = Object.entries(services).filter(([, { cpu_shares = 1024 }]) => cpu_shares < 1024);
    expect(yielding.map(([name]) => name)).toEqual(['temporal', 'worker', 'worker-production']);
  });

  it('keeps the secrets of one service from the other services', () => {
    const secretsOf = (name: string): string[] =>
      Object.keys(services[name]?.environment ?? {}).filter(variable => /KEY|SECRET|DATABASE_URL/.test(variable));
    expect(secretsOf('migrate')).toEqual(['DATABASE_URL']);
    expect(secretsOf('simulator')).toEqual(['ACQUIRER_KEY']);
    expect([...secretsOf('api'), ...secretsOf('worker')].filter(name => name.startsWith('PRODUCTION'))).toEqual([]);
    expect([...secretsOf('api-production'), ...secretsOf('worker-production')]).not.toContain('ACQUIRER_KEY');
    expect(secretsOf('worker')).not.toContain('API_KEY_SECRET');
  });

  it('production accepts every service with secrets and addresses of its own', () => {
    const given: Record<string, string> = {
      ...requiredValues,
      ...secrets,
      NODE_ENV: 'production',
      POSTGRES_PASSWORD: 'secret',
      API_KEY_SECRET: 'a secret of the operator, 32 characters',
      PUBLIC_URL: 'https://sandbox.example',
      PRODUCTION_PUBLIC_URL: 'https://pay.example',
      TRUSTED_PROXIES: '192.0.2.1',
      SMTP_URL: 'smtp://mail.example',
      MAIL_FROM: 'pagos@tienda.co',
    };
    for (const [name, { environment = {} }] of ownServices) {
      const env = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, defaultOf(value, given)]));
      expect(() => readConfig(programVariables[programOf(name)], env)).not.toThrow();
    }
  });

  it('refuses its own default secrets in production', () => {
    const { DATABASE_URL } = services.api?.environment ?? {};
    const env = { NODE_ENV: 'production', DATABASE_URL: defaultOf(DATABASE_URL) };
    expect(() => readConfig(['DATABASE_URL'], env)).toThrow('must not have the default password in production');
    expect(() => readConfig(['API_KEY_SECRET'], env)).toThrow('must not be the default secret in production');
  });

  it('depends on services that exist, and on health only where there is a health check', () => {
    for (const { depends_on = {} } of Object.values(services)) {
      for (const [name, { condition }] of Object.entries(depends_on)) {
        expect(services).toHaveProperty(name);
        if (condition === 'service_healthy') expect(services[name]?.healthcheck?.test[0]).toBe('CMD');
      }
    }
  });

  it.each(['api', 'api-production'])("checks %s's health at its real path and port", name => {
    const { healthcheck, environment, ports } = services[name] as Service;
    const [, port, path] = /http:\/\/127\.0\.0\.1:(\d+)(\/\w+)/.exec(healthcheck?.test.join(' ') ?? '') ?? [];
    expect(String(environment?.PORT ?? environment?.PRODUCTION_PORT)).toBe(port);
    expect(ports).toEqual([`127.0.0.1:${port}:${port}`]);
    const server = createServer({ apiKeyCache: { secret: '' } } as Parameters<typeof createServer>[0]);
    expect(server.hasRoute({ method: 'GET', url: path ?? '' })).toBe(true);
  });

  it('reserves enough history shards for Temporal, because their number cannot be changed later', () => {
    expect(services.temporal?.environment).toMatchObject({ NUM_HISTORY_SHARDS: 512 });
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
    expect(read('docker-compose.yml')).toContain('frontend.enablePrincipalPropagation: [{ value: true }]');
  });

  it('explains every variable that it takes from the environment', () => {
    const taken = [...read('docker-compose.yml').matchAll(/\$\{(\w+)/g)].map(([, name]) => `${name}`);
    const guides = read('docs/operating.md') + read('docs/configuration.md');
    const undocumented = [...new Set(taken)].filter(name => !guides.includes(`\`${name}`));
    expect(undocumented).toEqual(['POSTGRES_PASSWORD']);
  });

  it('runs the same Temporal version as the embedded server', () => {
    const goMod = read('src/local/temporal/go-module/go.mod');
    expect(services.temporal?.image).toBe(`temporalio/server:${/temporal\.io\/server v(\S+)/.exec(goMod)?.[1]}`);
    expect(services['temporal-ui']?.image).toBe(`temporalio/ui:${/ui-server\/v2 v(\S+)/.exec(goMod)?.[1]}`);
  });
});

describe('Dockerfile', () => {
  const dockerfile = read('Dockerfile');
  const lines = (instruction: string): string[] =>
    dockerfile
      .split('\n')
      .filter(line => line.startsWith(`${instruction} `))
      .map(line => line.slice(instruction.length + 1));

  it('builds in stages from one exact image and does not run as root', () => {
    const images = lines('FROM').map(line => line.split(' ')[0]);
    expect(images).toHaveLength(3);
    // The same version as in .node-version, which other machines use.
    expect(new Set(images)).toEqual(new Set([`node:${read('.node-version').trim()}-bookworm-slim`]));
    const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
    expect(engines.node.split(' || ')).toContain(`^${read('.node-version').split('.')[0]}`);
    expect(dockerfile.split('FROM').at(-1)).toContain('\nUSER node\n');
  });

  it('builds neither bench nor torture', () => {
    expect(lines('RUN')).toContain('npm run build -- --production');
    expect(JSON.parse(read('tsconfig.build.json')).include).toEqual(['src', 'workflows', 'prisma/generated']);
  });

  it('runs the API, copies what exists, and sets variables that exist', () => {
    expect(JSON.parse(lines('CMD')[0] ?? '').join(' ')).toBe(script('api'));
    const copied = lines('COPY')
      .filter(line => !line.startsWith('--from'))
      .flatMap(line => line.split(' ').slice(0, -1));
    expect(copied.filter(path => !existsSync(fromRoot(path)))).toEqual([]);
    expect(
      lines('COPY')
        .slice(-5)
        .filter(line => /(^| )(src|browser)/.test(line)),
    ).toEqual([]);
    const set = lines('ENV').flatMap(line => line.split(' ').map(pair => pair.split('=')[0] ?? ''));
    expect(set.filter(name => !(name in variables))).toEqual([]);
    for (const command of lines('RUN').filter(line => line.startsWith('npm run'))) {
      expect(scripts).toHaveProperty(command.split(' ')[2] ?? '');
    }
  });
});
