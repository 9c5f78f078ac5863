import { randomBytes } from 'node:crypto';
import type { VariableName } from '../../src/platform/config/config';
import { TEMPORAL_VARIABLES } from '../../src/platform/config/security/temporalTls';
import { configProblems } from '../harness/flow/configProblems';
import { temporaryFile } from '../harness/flow/temporaryFile';

/** The problems that a process with these variables reports under NODE_ENV=production. */
const refused = (env: Record<string, string>, names = Object.keys(env) as VariableName[]): string[] =>
  configProblems(names, { NODE_ENV: 'production', ...env });

describe('production refuses', () => {
  it('a real acquirer without https, but not the simulated acquirer of the sandbox', () => {
    expect(refused({ PRODUCTION_ACQUIRER_URL: 'http://acquirer.example' })).toEqual([
      'PRODUCTION_ACQUIRER_URL must be an https address in production, because it receives card numbers.',
    ]);
    expect(
      refused({ PRODUCTION_ACQUIRER_URL: 'https://acquirer.example', ACQUIRER_URL: 'http://simulator:3100' }),
    ).toEqual([]);
  });

  const database = (rest: string, env: Record<string, string> = {}) =>
    refused({ DATABASE_URL: `postgresql://u:p@${rest}`, ...env });

  it.each([
    ['db.example/recaudo', 'db.example'],
    ['db.example/recaudo?sslmode=disable', 'db.example'],
    ['db.example/recaudo?sslmode=no-verify', 'db.example'],
    ['db.example/recaudo?uselibpqcompat=true&sslmode=require', 'db.example'],
    // The host parameter overrides the host of the URL.
    ['127.0.0.1/recaudo?host=db.example', 'db.example'],
    ['192.0.2.7/recaudo', '192.0.2.7'],
    ['localhost.example/recaudo', 'localhost.example'],
  ])('the database %s, whose connection is not encrypted or not verified', (rest, host) => {
    expect(database(rest)).toEqual([
      `DATABASE_URL must have sslmode=verify-full in production: ${host} is neither this machine nor within PRIVATE_NETWORKS.`,
    ]);
  });

  it.each([
    'db.example/recaudo?sslmode=verify-full',
    '127.0.0.1:5432/recaudo',
    'localhost/recaudo',
    '[::1]/recaudo',
    '%2Fvar%2Frun%2Fpostgresql/recaudo',
  ])('but accepts the database %s', rest => {
    expect(database(rest)).toEqual([]);
  });

  it('a missing certificate file of the database', () => {
    expect(database('db.example/recaudo?sslmode=verify-full&sslrootcert=/none.pem')).toEqual([
      expect.stringMatching(/^DATABASE_URL cannot be used: ENOENT/),
    ]);
  });

  it('no connections to hosts and networks in PRIVATE_NETWORKS, and only these', () => {
    const env = { PRIVATE_NETWORKS: 'Postgres, 10.1.0.0/16,fd00::/8' };
    for (const host of ['postgres', '10.1.2.3', '[fd00::7]', '[::ffff:10.1.0.1]'])
      expect(database(`${host}/recaudo`, env)).toEqual([]);
    for (const host of ['postgres.example', '10.2.0.1', '[2001:db8::1]'])
      expect(database(`${host}/recaudo`, env)).toHaveLength(1);
  });

  const temporal = (env: Record<string, string>) =>
    refused({ TEMPORAL_ADDRESS: 'temporal.example:7233', ...env }, [...TEMPORAL_VARIABLES, 'PRIVATE_NETWORKS']);

  it('a Temporal server on another host without TLS, or without credentials', () => {
    const withoutTls =
      'TEMPORAL_TLS must be true in production: temporal.example is neither this machine nor within PRIVATE_NETWORKS.';
    const withoutCredentials =
      'TEMPORAL_API_KEY or TEMPORAL_TLS_CLIENT_CERT_PATH is missing: temporal.example requires authentication.';
    const pem = temporaryFile('client.pem', 'PEM');
    const certificate = { TEMPORAL_TLS_CLIENT_CERT_PATH: pem, TEMPORAL_TLS_CLIENT_KEY_PATH: pem };
    expect(temporal({})).toEqual([withoutTls, withoutCredentials]);
    expect(temporal({ TEMPORAL_TLS: 'true' })).toEqual([withoutCredentials]);
    expect(temporal({ TEMPORAL_TLS: 'false', TEMPORAL_API_KEY: 'k' })).toEqual([withoutTls]);
    expect(temporal({ TEMPORAL_TLS: 'true', TEMPORAL_API_KEY: 'k' })).toEqual([]);
    expect(temporal(certificate)).toEqual([]);
    expect(temporal({ TEMPORAL_ADDRESS: '[::1]:7233' })).toEqual([]);
    expect(temporal({ PRIVATE_NETWORKS: 'temporal.example' })).toEqual([]);
  });

  it('an API key of Temporal that does not say whether TLS protects it, in every environment', () => {
    const withoutTls = ['TEMPORAL_TLS is missing: it is required with TEMPORAL_API_KEY.'];
    for (const NODE_ENV of ['development', 'production'])
      expect(temporal({ NODE_ENV, TEMPORAL_ADDRESS: '[::1]:7233', TEMPORAL_API_KEY: 'k' })).toEqual(withoutTls);
    for (const TEMPORAL_TLS of ['true', 'false'])
      expect(temporal({ TEMPORAL_ADDRESS: '[::1]:7233', TEMPORAL_API_KEY: 'k', TEMPORAL_TLS })).toEqual([]);
  });

  it('a client certificate without its key, or a missing file, in every environment', () => {
    const pem = temporaryFile('alone.pem', 'PEM');
    expect(temporal({ NODE_ENV: 'development', TEMPORAL_TLS_CLIENT_CERT_PATH: pem })).toEqual([
      'TEMPORAL_TLS_CLIENT_KEY_PATH is missing: it is required with TEMPORAL_TLS_CLIENT_CERT_PATH.',
    ]);
    expect(temporal({ NODE_ENV: 'development', TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/none.pem' })).toEqual([
      'TEMPORAL_TLS_SERVER_CA_CERT_PATH must be a readable file: ENOENT.',
    ]);
  });

  it('a mail server whose URL could turn TLS off', () => {
    expect(refused({ SMTP_URL: 'smtp://mail.example:587?tls.rejectUnauthorized=false' })).toEqual([
      'SMTP_URL must have no parameters in production: some of them disable TLS.',
    ]);
  });

  it.each<[string, Buffer]>([
    ['all zeros', Buffer.alloc(32)],
    ['one repeated byte', Buffer.alloc(32, 7)],
    ['a repeated pattern', Buffer.alloc(32, 'a1b2c3d4')],
    ['sixteen bytes twice', Buffer.alloc(32, randomBytes(16))],
    ['a sequence of bytes', Buffer.from(Array.from({ length: 32 }, (_, i) => i))],
    ['text', Buffer.from('correct horse battery staple 123')],
  ])('a key that is %s', (_, bytes) => {
    const key = bytes.toString('base64');
    const problem = 'contains a key that is not random: create one with openssl rand -base64 32.';
    expect(refused({ VAULT_KEYS: `first:${key}` })).toEqual([`VAULT_KEYS ${problem}`]);
    expect(refused({ VAULT_FINGERPRINT_KEY: key })).toEqual([`VAULT_FINGERPRINT_KEY ${problem}`]);
    expect(refused({ NODE_ENV: 'development', VAULT_KEYS: `first:${key}` })).toEqual([]);
  });

  it('one key for two purposes', () => {
    const [one, other] = [randomBytes(32), randomBytes(32)].map(key => key.toString('base64'));
    expect(refused({ VAULT_KEYS: `a:${one},b:${one}`, VAULT_FINGERPRINT_KEY: `${one}` })).toEqual([
      'VAULT_KEYS must not contain the same key twice.',
      'VAULT_FINGERPRINT_KEY must differ from every key in VAULT_KEYS.',
    ]);
    expect(refused({ VAULT_KEYS: `a:${one}`, VAULT_FINGERPRINT_KEY: `${other}` })).toEqual([]);
  });

  it.each(['0.0.0.0/0', '::/0', '128.0.0.0/1', '2000::/3', '::ffff:0.0.0.0/96', '::ffff:0:0/90'])(
    'the network %s as trusted proxies or as private network',
    network => {
      const problem = `must not contain ${network}: the network is too large.`;
      expect(refused({ TRUSTED_PROXIES: `192.0.2.7,${network}` })).toEqual([`TRUSTED_PROXIES ${problem}`]);
      expect(refused({ PRIVATE_NETWORKS: network })).toEqual([`PRIVATE_NETWORKS ${problem}`]);
    },
  );

  it('disabled certificate verification', () => {
    expect(refused({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, [])).toEqual([
      'NODE_TLS_REJECT_UNAUTHORIZED must not be 0 in production: it disables the verification of certificates.',
    ]);
  });
});
