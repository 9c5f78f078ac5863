import { newSecrets } from '../../src/local/secrets';
import { Program } from '../harness/servers/program';

const check = async (env: Record<string, string>, ...programs: string[]) => {
  const program = new Program('checkProduction', env, programs);
  return { code: await program.exited, output: program.output };
};

describe('npm run check:production', () => {
  const accepted = {
    ...newSecrets(),
    ENVIRONMENT: 'sandbox',
    DATABASE_URL: 'postgresql://recaudo:secret@db.example/recaudo?sslmode=verify-full',
    TEMPORAL_ADDRESS: 'temporal:7233',
    PRIVATE_NETWORKS: 'temporal',
    ACQUIRER_URL: 'http://simulator:3100',
    API_KEY_SECRET: 'a secret that nobody else has, 32 characters',
    PUBLIC_URL: 'https://pay.example',
    TRUSTED_PROXIES: '192.0.2.1',
    SMTP_URL: 'smtp://mail.example:587',
    MAIL_FROM: 'pagos@tienda.co',
  };

  it('reports that production accepts the environment, with any current NODE_ENV', async () => {
    expect(await check(accepted)).toEqual({
      code: 0,
      output: 'The environment is valid for production: migrate, api, worker.\n',
    });
  });

  it('prints each problem that a program would report, once, and exits with 1', async () => {
    const unsafe = {
      ...accepted,
      DATABASE_URL: 'postgresql://u:p@db.example/recaudo',
      PRIVATE_NETWORKS: '',
      SMTP_URL: '',
    };
    const { code, output } = await check(unsafe);
    expect(code).toBe(1);
    expect(output.split('\n').map(line => line.split(' ')[0])).toEqual([
      'DATABASE_URL',
      'TEMPORAL_TLS',
      'TEMPORAL_API_KEY',
      'SMTP_URL',
      '',
    ]);
  });

  it('checks only the named programs', async () => {
    const { DATABASE_URL } = accepted;
    expect(await check({ DATABASE_URL }, 'migrate')).toMatchObject({ code: 0 });
    expect(await check({ DATABASE_URL }, 'api')).toMatchObject({ code: 1 });
    expect(await check({ DATABASE_URL }, 'apis')).toMatchObject({
      code: 1,
      output: expect.stringContaining('Unknown program apis'),
    });
  });
});
