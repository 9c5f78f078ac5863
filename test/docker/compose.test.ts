import { readConfig, type VariableName } from '../../src/platform/config/config';
import { programVariables } from '../../src/programs/variables';
import { createServer } from '../../src/web/server';
import {
  defaultOf,
  ownServices,
  read,
  requiredValues,
  type Service,
  script,
  services,
} from '../harness/servers/compose';
import { secrets } from '../harness/world/secrets';

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

  it('builds the image once', () => {
    expect(Object.keys(services).filter(name => services[name]?.build)).toEqual(['migrate']);
    expect(new Set(ownServices.map(([, { image }]) => image)).size).toBe(1);
  });

  it('checks the health of every service of the sandbox that stays', () => {
    const staying = Object.values(services).filter(
      ({ profiles, restart }) => !profiles && restart === 'unless-stopped',
    );
    expect(staying.filter(({ healthcheck }) => !healthcheck)).toEqual([]);
    expect(services.postgres?.healthcheck?.test).toContain('--host=127.0.0.1');
  });

  it.each(ownServices)('%s has longer to stop than a worker waits for its activities', (_, { stop_grace_period }) => {
    expect(Number.parseInt(stop_grace_period ?? '', 10)).toBeGreaterThan(30);
  });

  it('gives Temporal and the workers fewer CPU shares than the remaining services', () => {
    const yielding = Object.entries(services).filter(([, { cpu_shares = 1024 }]) => cpu_shares < 1024);
    expect(yielding.map(([name]) => name)).toEqual(['temporal', 'worker', 'worker-production']);
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

  it('explains every variable that it takes from the environment', () => {
    const taken = [...read('docker-compose.yml').matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name]) => `${name}`);
    const guides = read('docs/operating.md') + read('docs/configuration.md');
    const undocumented = [...new Set(taken)].filter(name => !guides.includes(`\`${name}`));
    expect(undocumented).toEqual([]);
  });

  it('runs the same Temporal version as the embedded server', () => {
    const goMod = read('src/local/temporal/go-module/go.mod');
    expect(services.temporal?.image).toBe(`temporalio/server:${/temporal\.io\/server v(\S+)/.exec(goMod)?.[1]}`);
    expect(services['temporal-ui']?.image).toBe(`temporalio/ui:${/ui-server\/v2 v(\S+)/.exec(goMod)?.[1]}`);
  });
});
