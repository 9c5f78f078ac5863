/** DATA_DIR/credentials.json: the sandbox merchant's keys and every address, for people and for programs. */
import { join } from 'node:path';
import { type KeyPair, newKeyPair } from '../merchants/keys';
import { newId } from '../platform/identifiers';
import { readJson, writeJson } from './jsonFile';

export interface StackAddresses {
  url: string;
  graphql_url: string;
  temporal_address: string;
  /** Null when the server is not ours and its UI not known. */
  temporal_ui_url: string | null;
  temporal_namespace: string;
  database_url: string;
  acquirer_url: string;
  /** Null when mail goes to a server that is not ours. */
  mail_url: string | null;
}

export type Credentials = StackAddresses & KeyPair & { merchant_id: string };

const fileIn = (dataDir: string): string => join(dataDir, 'credentials.json');

/** The merchant stays the same from start to start; the addresses are those of this start. */
export function writeCredentials(dataDir: string, addresses: StackAddresses): Credentials {
  const known = readJson<Credentials>(fileIn(dataDir));
  const { merchant_id, private_key, public_key } = known ?? { merchant_id: newId('merchant'), ...newKeyPair() };
  const { url, ...others } = addresses;
  const credentials = { url, merchant_id, private_key, public_key, ...others };
  writeJson(fileIn(dataDir), credentials);
  return credentials;
}

/** Lets a command beside a running `npm start` find its parts. */
export function embeddedVariables(dataDir: string): { DATABASE_URL?: string; ACQUIRER_URL?: string } {
  const known = readJson<Credentials>(fileIn(dataDir));
  return known ? { DATABASE_URL: known.database_url, ACQUIRER_URL: known.acquirer_url } : {};
}

/** The merchant of credentials.json has new keys. */
export function updateKeys(dataDir: string, merchant_id: string, keys: KeyPair): void {
  const known = readJson<Credentials>(fileIn(dataDir));
  if (known?.merchant_id === merchant_id) writeJson(fileIn(dataDir), { ...known, ...keys });
}
