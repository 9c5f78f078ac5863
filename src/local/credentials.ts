/** DATA_DIR/credentials.json: the keys of the sandbox merchant and all addresses. */
import { join } from 'node:path';
import { type KeyPair, newKey, newKeyPair } from '../accounts/merchants/keys';
import { newId } from '../platform/identifiers';
import { readJson, writeJson } from './jsonFile';
import { embeddedSecrets } from './secrets';

export interface StackAddresses {
  url: string;
  /** Absent without the production environment. */
  production_url?: string;
  graphql_url: string;
  temporal_address: string;
  /** Null if TEMPORAL_ADDRESS is set, because the UI of that server is unknown. */
  temporal_ui_url: string | null;
  temporal_namespace: string;
  database_url: string;
  acquirer_url: string;
  /** Null if SMTP_URL is set. */
  mail_url: string | null;
  metrics_url: string;
}

export type Credentials = StackAddresses & KeyPair & { merchant_id: string; operator_key: string };

const credentialsFile = (dataDir: string): string => join(dataDir, 'credentials.json');

/** Keeps the merchant and keys of an earlier start and updates the addresses. */
export function writeCredentials(dataDir: string, addresses: StackAddresses): Credentials {
  const existing = readJson<Credentials>(credentialsFile(dataDir));
  const { merchant_id, private_key, public_key } = existing ?? { merchant_id: newId('merchant'), ...newKeyPair() };
  const operator_key = existing?.operator_key ?? newKey('operator');
  const { url, ...otherAddresses } = addresses;
  const credentials = { url, merchant_id, private_key, public_key, operator_key, ...otherAddresses };
  writeJson(credentialsFile(dataDir), credentials);
  return credentials;
}

/** Lets other commands find the database, the acquirer and the Temporal server of a running `npm start`. */
export function embeddedVariables(
  dataDir: string,
): Partial<Record<'DATABASE_URL' | 'ACQUIRER_URL' | 'TEMPORAL_ADDRESS' | 'TEMPORAL_NAMESPACE', string>> {
  const credentials = readJson<Credentials>(credentialsFile(dataDir));
  if (!credentials) return {};
  return {
    DATABASE_URL: credentials.database_url,
    ACQUIRER_URL: credentials.acquirer_url,
    TEMPORAL_ADDRESS: credentials.temporal_address,
    TEMPORAL_NAMESPACE: credentials.temporal_namespace,
  };
}

/** API_KEY_SECRET of the database of `npm start`; undefined if DATABASE_URL is another one. */
export function embeddedKeySecret(dataDir: string): { API_KEY_SECRET?: string | undefined } {
  const { DATABASE_URL } = process.env;
  const isOther = DATABASE_URL && DATABASE_URL !== readJson<Credentials>(credentialsFile(dataDir))?.database_url;
  return isOther ? {} : { API_KEY_SECRET: embeddedSecrets(dataDir).API_KEY_SECRET };
}

/** Saves rotated keys if credentials.json has the same merchant. */
export function updateKeys(dataDir: string, merchant_id: string, keys: KeyPair): void {
  const credentials = readJson<Credentials>(credentialsFile(dataDir));
  if (credentials?.merchant_id === merchant_id) writeJson(credentialsFile(dataDir), { ...credentials, ...keys });
}
