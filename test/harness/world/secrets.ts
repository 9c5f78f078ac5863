import { newSecrets } from '../../../src/local/secrets';
import { secretKey as parseKey, vaultKeys as parseVaultKeys } from '../../../src/platform/config/parsers';
import { createVaultKeys } from '../../../src/platform/vault/keys';

/** One set for each Jest process, because worlds outlive test files. */
export const secrets = newSecrets();
export const vault = createVaultKeys(parseVaultKeys(secrets.VAULT_KEYS), parseKey(secrets.VAULT_FINGERPRINT_KEY));

/** The variables of an API process without its database; the acquirer's URL refuses connections. */
export const apiVariables = { ...secrets, ACQUIRER_URL: 'http://127.0.0.1:1' };
