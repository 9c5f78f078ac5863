/** DATA_DIR/secrets.json: what seals card numbers and opens the acquirer, made once. Whoever has it and the database has the numbers. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readJson, writeJson } from './jsonFile';

const names = ['VAULT_KEYS', 'VAULT_FINGERPRINT_KEY', 'ACQUIRER_KEY'] as const;
export type Secrets = Record<(typeof names)[number], string>;

const fileIn = (dataDir: string): string => join(dataDir, 'secrets.json');

/** What the environment gives comes before what was made here. */
export function keepSecrets(dataDir: string): Secrets {
  const known = readJson<Secrets>(fileIn(dataDir)) ?? newSecrets();
  writeJson(fileIn(dataDir), known);
  return given(known);
}

/** Lets a command beside a running `npm start` use the same ones. */
export const embeddedSecrets = (dataDir: string): Partial<Secrets> => readJson<Secrets>(fileIn(dataDir)) ?? {};

export const newSecrets = (): Secrets => ({
  VAULT_KEYS: `first:${randomBytes(32).toString('base64')}`,
  VAULT_FINGERPRINT_KEY: randomBytes(32).toString('base64'),
  ACQUIRER_KEY: randomBytes(24).toString('hex'),
});

const given = (known: Secrets): Secrets =>
  Object.fromEntries(names.map(name => [name, process.env[name] || known[name]])) as Secrets;
