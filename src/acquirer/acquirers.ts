/** Opens the acquirer clients of both environments, which differ by URL and credential. */
import type { Environment } from '../../prisma/generated/enums';
import type { Log } from '../platform/log';
import type { VaultKeys } from '../vault/keys';
import { HttpAcquirer } from './client';

/** The environment variables of a process that calls an acquirer. */
export const ACQUIRER_VARIABLES = [
  'VAULT_KEYS',
  'VAULT_FINGERPRINT_KEY',
  'ACQUIRER_URL',
  'ACQUIRER_KEY',
  'PRODUCTION_ACQUIRER_URL',
  'PRODUCTION_ACQUIRER_KEY',
] as const;

interface AcquirerConfig {
  ACQUIRER_URL: string;
  ACQUIRER_KEY: string;
  PRODUCTION_ACQUIRER_URL: string | undefined;
  PRODUCTION_ACQUIRER_KEY: string | undefined;
}

export type Acquirers = { sandbox: HttpAcquirer } & Partial<Record<Environment, HttpAcquirer>>;

export function openAcquirers(config: AcquirerConfig, vault: VaultKeys, log: Log): Acquirers {
  const { PRODUCTION_ACQUIRER_URL: url, PRODUCTION_ACQUIRER_KEY: key } = config;
  const sandbox = { url: config.ACQUIRER_URL, key: config.ACQUIRER_KEY, vault };
  return {
    sandbox: new HttpAcquirer({ ...sandbox, log: log.child({ environment: 'sandbox' }) }),
    ...(url && key
      ? { production: new HttpAcquirer({ url, key, vault, log: log.child({ environment: 'production' }) }) }
      : {}),
  };
}
