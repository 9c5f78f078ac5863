/**
 * DATA_DIR/secrets.json: the vault keys, the acquirer's credential and the secret of API keys, created at the first start.
 * This file and the database together reveal card numbers.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readConfig } from '../platform/config/config';
import { readJson, writeJson } from './jsonFile';
import { newPassword } from './postgres/server';

const SECRET_NAMES = ['VAULT_KEYS', 'VAULT_FINGERPRINT_KEY', 'ACQUIRER_KEY', 'API_KEY_SECRET'] as const;
export type Secrets = Record<(typeof SECRET_NAMES)[number], string>;

const secretsFile = (dataDir: string): string => join(dataDir, 'secrets.json');

/** Environment variables take precedence over the file. */
export function loadOrCreateSecrets(dataDir: string): Secrets {
  const secrets = readJson<Secrets>(secretsFile(dataDir)) ?? { ...newSecrets(), API_KEY_SECRET: newPassword() };
  writeJson(secretsFile(dataDir), secrets);
  // An earlier file has none: the keys of its merchant are hashed with the default.
  return overrideFromEnvironment({ ...readConfig(['API_KEY_SECRET']), ...secrets });
}

/** Lets other commands use the secrets of a running `npm start`. */
export const embeddedSecrets = (dataDir: string): Partial<Secrets> => readJson<Secrets>(secretsFile(dataDir)) ?? {};

export const newSecrets = (): Omit<Secrets, 'API_KEY_SECRET'> => ({
  VAULT_KEYS: `first:${randomBytes(32).toString('base64')}`,
  VAULT_FINGERPRINT_KEY: randomBytes(32).toString('base64'),
  ACQUIRER_KEY: randomBytes(24).toString('hex'),
});

const overrideFromEnvironment = (secrets: Secrets): Secrets =>
  Object.fromEntries(SECRET_NAMES.map(name => [name, process.env[name] || secrets[name]])) as Secrets;
