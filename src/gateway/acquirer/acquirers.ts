import type { Environment } from '../../../prisma/generated/enums';
import type { Log } from '../../platform/log';
import type { VaultKeys } from '../../platform/vault/keys';
import { HttpAcquirer } from './client';

interface AcquirerConfig {
  ACQUIRER_URL: string | undefined;
  ACQUIRER_KEY: string | undefined;
  PRODUCTION_ACQUIRER_URL: string | undefined;
  PRODUCTION_ACQUIRER_KEY: string | undefined;
}

/** The acquirer client of each configured environment. */
export type Acquirers = Partial<Record<Environment, HttpAcquirer>>;

export function openAcquirers(config: AcquirerConfig, vault: VaultKeys, log: Log): Acquirers {
  const open = (environment: Environment, url: string | undefined, key: string | undefined): Acquirers =>
    url && key
      ? { [environment]: new HttpAcquirer({ url, key, environment, vault, log: log.child({ environment }) }) }
      : {};
  return {
    ...open('sandbox', config.ACQUIRER_URL, config.ACQUIRER_KEY),
    ...open('production', config.PRODUCTION_ACQUIRER_URL, config.PRODUCTION_ACQUIRER_KEY),
  };
}
