import { Client } from 'pg';
import { readConfig, type VariableName } from '../../src/platform/config/config';
import { configProblems } from '../harness/flow/configProblems';

describe('readConfig', () => {
  it('returns the values, and the defaults of missing or empty variables', () => {
    expect(readConfig(['PORT', 'PRODUCTION_PORT', 'HOST', 'TEMPORAL_NAMESPACE'], { PORT: '4000', HOST: ' ' })).toEqual({
      PORT: 4000,
      PRODUCTION_PORT: undefined,
      HOST: '127.0.0.1',
      TEMPORAL_NAMESPACE: 'default',
    });
  });

  it('reports all problems together, with one sentence each', () => {
    const env = { PORT: '70000', LOG_LEVEL: 'loud', TEMPORAL_ADDRESS: 'http://temporal', API_KEY_SECRET: 'short' };
    expect(configProblems(['PORT', 'LOG_LEVEL', 'TEMPORAL_ADDRESS', 'API_KEY_SECRET', 'DATABASE_URL'], env)).toEqual([
      'PORT is "70000", but must be a whole number from 1 to 65535.',
      'LOG_LEVEL is "loud", but must be one of fatal, error, warn, info, debug, trace, silent.',
      'TEMPORAL_ADDRESS is "http://temporal", but must look like host:7233.',
      'API_KEY_SECRET must have at least 32 characters.',
      'DATABASE_URL is missing: PostgreSQL database, as postgresql://user:password@host:5432/name.',
    ]);
  });

  it.each(['0', '-1', '3000.5', '3e3', '0x10', 'abc', '65536'])('refuses %s as a port', PORT => {
    expect(configProblems(['PORT'], { PORT })).toHaveLength(1);
  });

  it.each(['mysql://u:p@h/d', 'postgresql://u:hunter2@h', 'nonsense'])(
    'refuses %s as a database, without repeating it',
    DATABASE_URL => {
      expect(configProblems(['DATABASE_URL'], { DATABASE_URL })).toEqual([
        'DATABASE_URL must look like postgresql://user:password@host:5432/name.',
      ]);
    },
  );

  it('accepts a database password in base64, with slashes that a URL does not allow', () => {
    const connectionString = readConfig(['DATABASE_URL'], {
      DATABASE_URL: 'postgresql://recaudo:a+b/c/d==@postgres:5432/recaudo?application_name=a@b/c',
    }).DATABASE_URL;
    const { user, password, host, port, database } = new Client({ connectionString });
    expect({ user, password, host, port, database }).toEqual({
      user: 'recaudo',
      password: 'a+b/c/d==',
      host: 'postgres',
      port: 5432,
      database: 'recaudo',
    });
    for (const DATABASE_URL of ['postgresql://u:a%2Fb@h/d', 'postgresql://h:5432/d', 'postgresql://u@%2Frun/d'])
      expect(readConfig(['DATABASE_URL'], { DATABASE_URL })).toEqual({ DATABASE_URL });
  });

  it.each(['http://mail', 'smtp:', 'smtp://', 'imap://user:hunter2@mail', 'nonsense'])(
    'refuses %s as a mail server, without repeating it',
    SMTP_URL => {
      expect(configProblems(['SMTP_URL'], { SMTP_URL })).toEqual([
        'SMTP_URL must look like smtp://user:password@host:587 or smtps://….',
      ]);
    },
  );

  it.each(['smtp://mail', 'smtp://user:password@mail:587', 'smtps://[::1]:465'])(
    'accepts %s as a mail server',
    text => {
      expect(readConfig(['SMTP_URL'], { SMTP_URL: text, NODE_ENV: 'production' })).toEqual({ SMTP_URL: text });
    },
  );

  it('accepts a URL without a path for the pages; production requires one with https', () => {
    const read = (PUBLIC_URL: string) => readConfig(['PUBLIC_URL'], { PUBLIC_URL }).PUBLIC_URL;
    expect([read('https://pay.shop.co/'), read('http://127.0.0.1:3000')]).toEqual([
      'https://pay.shop.co',
      'http://127.0.0.1:3000',
    ]);
    for (const PUBLIC_URL of [
      'https://shop.co/pay',
      'https://me@shop.co',
      'https://shop.co/?a',
      'ftp://shop.co',
      'shop.co',
    ])
      expect(configProblems(['PUBLIC_URL'], { PUBLIC_URL })).toHaveLength(1);
    const names: VariableName[] = ['PORT', 'PRODUCTION_PORT', 'PUBLIC_URL', 'PRODUCTION_PUBLIC_URL'];
    expect(
      configProblems(names, { NODE_ENV: 'production', PUBLIC_URL: 'http://shop.co', PRODUCTION_PORT: '4000' }),
    ).toEqual([
      'PUBLIC_URL must be an https address in production.',
      'PRODUCTION_PUBLIC_URL is missing: set it to the public address of the payment pages.',
    ]);
  });

  it('accepts addresses and networks as proxies, and refuses anything else', () => {
    const TRUSTED_PROXIES = '10.0.0.0/8, 192.0.2.7,2001:db8::/32';
    expect(readConfig(['TRUSTED_PROXIES'], { TRUSTED_PROXIES }).TRUSTED_PROXIES).toEqual([
      '10.0.0.0/8',
      '192.0.2.7',
      '2001:db8::/32',
    ]);
    for (const wrong of ['proxy', '10.0.0.0/33', '10.0.0/8', '10.0.0.0/8/8', '1.2.3.4,'])
      expect(configProblems(['TRUSTED_PROXIES'], { TRUSTED_PROXIES: wrong })).toHaveLength(1);
  });

  it('accepts a sender with or without a name, and refuses other values', () => {
    for (const MAIL_FROM of ['pagos@tienda.co', 'Tienda de María <pagos@tienda.co>', '<pagos@tienda.co>'])
      expect(configProblems(['MAIL_FROM'], { MAIL_FROM })).toEqual([]);
    for (const MAIL_FROM of ['Tienda', 'Tienda pagos@tienda.co', 'Tienda <pagos>', 'Tienda\nBcc: <all@tienda.co>'])
      expect(configProblems(['MAIL_FROM'], { MAIL_FROM })).toHaveLength(1);
  });

  it('refuses the same port for both environments', () => {
    expect(configProblems(['PORT', 'PRODUCTION_PORT'], { PORT: '4000', PRODUCTION_PORT: '4000' })).toEqual([
      'PRODUCTION_PORT must differ from PORT.',
    ]);
  });

  it('refuses default secrets in production, whether provided or omitted', () => {
    const DATABASE_URL = 'postgresql://recaudo:recaudo@db:5432/recaudo';
    expect(configProblems(['API_KEY_SECRET', 'DATABASE_URL'], { NODE_ENV: 'production', DATABASE_URL })).toEqual([
      'API_KEY_SECRET must not be the default secret in production.',
      'DATABASE_URL must not have the default password in production.',
    ]);
    expect(configProblems(['SMTP_URL'], { NODE_ENV: 'production' })).toEqual([
      'SMTP_URL must not be the default server in production.',
    ]);
    expect(configProblems(['API_KEY_SECRET', 'DATABASE_URL', 'SMTP_URL'], { DATABASE_URL })).toEqual([]);
  });
});
