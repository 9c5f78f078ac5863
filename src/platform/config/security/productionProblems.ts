/** Insecure combinations of valid values, which production refuses. */
import { Client } from 'pg';
import { isThisMachine } from '../../networks';
import { type TemporalTlsConfig, temporalCredentials } from './temporalTls';

/** The values that could be read. */
type SecurityValues = Partial<TemporalTlsConfig> & {
  PRIVATE_NETWORKS?: string[];
  PORT?: number;
  PRODUCTION_PORT?: number;
  DATABASE_URL?: string;
  TEMPORAL_ADDRESS?: string;
  SMTP_URL?: string;
  SANDBOX_SMTP_URL?: string;
  VAULT_KEYS?: Map<string, Buffer>;
  VAULT_FINGERPRINT_KEY?: Buffer;
};

const ELSEWHERE = 'is neither this machine nor within PRIVATE_NETWORKS';

const when = (isWrong: boolean, problem: string): string[] => (isWrong ? [problem] : []);

export function productionProblems(names: readonly string[], config: SecurityValues, env: NodeJS.ProcessEnv): string[] {
  const given = (name: string): string => env[name]?.trim() ?? '';
  const isAbsent = (name: string): boolean => names.includes(name) && !given(name);
  const urlsAndPorts = { PUBLIC_URL: config.PORT, PRODUCTION_PUBLIC_URL: config.PRODUCTION_PORT };
  return [
    ...when(
      isAbsent('ENVIRONMENT'),
      'ENVIRONMENT is missing: in production, set it to sandbox or production, because a process serves only one.',
    ),
    ...when(
      names.includes('PRODUCTION_ACQUIRER_URL') &&
        given('PRODUCTION_ACQUIRER_URL') !== '' &&
        given('PRODUCTION_ACQUIRER_URL') === given('ACQUIRER_URL'),
      'PRODUCTION_ACQUIRER_URL must differ from ACQUIRER_URL, the acquirer of the sandbox.',
    ),
    ...Object.entries(urlsAndPorts).flatMap(([name, port]) =>
      when(
        port !== undefined && isAbsent(name),
        `${name} is missing: set it to the public address of the payment pages.`,
      ),
    ),
    ...when(isAbsent('TRUSTED_PROXIES'), 'TRUSTED_PROXIES is missing: set it to the addresses of the https proxy.'),
    ...databaseProblems(config),
    ...temporalProblems(config),
    ...mailProblems(config),
    ...keyProblems(config),
    ...when(
      env.NODE_TLS_REJECT_UNAUTHORIZED === '0',
      'NODE_TLS_REJECT_UNAUTHORIZED must not be 0 in production: it disables the verification of certificates.',
    ),
  ];
}

/** Uses the driver's parser, because parameters and environment variables can override parts of a URL. */
function databaseProblems({ DATABASE_URL: connectionString, PRIVATE_NETWORKS }: SecurityValues): string[] {
  if (!connectionString) return [];
  try {
    const { host, ssl } = new Client({ connectionString }) as unknown as DriverSettings;
    if (isThisMachine(host, PRIVATE_NETWORKS) || isVerified(ssl)) return [];
    return [`DATABASE_URL must have sslmode=verify-full in production: ${host} ${ELSEWHERE}.`];
  } catch (error) {
    return [`DATABASE_URL cannot be used: ${(error as Error).message}.`];
  }
}

interface DriverSettings {
  host: string;
  ssl: boolean | { rejectUnauthorized?: boolean; checkServerIdentity?: unknown };
}

const isVerified = (ssl: DriverSettings['ssl']): boolean =>
  typeof ssl === 'object' ? ssl.rejectUnauthorized !== false && !ssl.checkServerIdentity : ssl;

function temporalProblems({ TEMPORAL_ADDRESS: address, PRIVATE_NETWORKS, ...config }: SecurityValues): string[] {
  const host = address?.replace(/:\d+$/, '');
  if (!host || isThisMachine(host, PRIVATE_NETWORKS)) return [];
  const { tls, apiKey } = temporalCredentials(config as TemporalTlsConfig);
  const hasCredentials = apiKey || (typeof tls === 'object' && tls?.clientCertPair);
  return [
    ...when(!tls, `TEMPORAL_TLS must be true in production: ${host} ${ELSEWHERE}.`),
    ...when(
      !hasCredentials,
      `TEMPORAL_API_KEY or TEMPORAL_TLS_CLIENT_CERT_PATH is missing: ${host} requires authentication.`,
    ),
  ];
}

/** The mailer requires TLS; URL parameters could disable it. */
const mailProblems = ({ SMTP_URL, SANDBOX_SMTP_URL }: SecurityValues): string[] =>
  Object.entries({ SMTP_URL, SANDBOX_SMTP_URL }).flatMap(([name, url]) =>
    when(
      url !== undefined && new URL(url).search !== '',
      `${name} must have no parameters in production: some of them disable TLS.`,
    ),
  );

function keyProblems({ VAULT_KEYS, VAULT_FINGERPRINT_KEY }: SecurityValues): string[] {
  const keys = [...(VAULT_KEYS?.values() ?? [])].map(key => key.toString('hex'));
  return [
    ...when(new Set(keys).size < keys.length, 'VAULT_KEYS must not contain the same key twice.'),
    ...when(
      VAULT_FINGERPRINT_KEY !== undefined && keys.includes(VAULT_FINGERPRINT_KEY.toString('hex')),
      'VAULT_FINGERPRINT_KEY must differ from every key in VAULT_KEYS.',
    ),
  ];
}
