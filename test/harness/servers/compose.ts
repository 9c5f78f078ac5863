/** docker-compose.yml and Dockerfile as the tests read them. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { fromRoot } from '../../../src/platform/root';
import { secrets } from '../world/secrets';

export interface Service {
  image: string;
  build?: string;
  command?: string | string[];
  environment?: Record<string, string>;
  healthcheck?: { test: string[]; retries?: number };
  volumes?: string[];
  profiles?: string[];
  restart?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  logging?: { options: Record<string, string> };
  stop_grace_period?: string;
  depends_on?: Record<string, { condition: string }>;
  ports?: string[];
  cpu_shares?: number;
}

export const read = (file: string): string => readFileSync(fromRoot(file), 'utf8');
export const { services } = parse(read('docker-compose.yml'), { merge: true }) as { services: Record<string, Service> };
export const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
/** The command of an npm script, without the `exec` that lets signals reach it. */
export const script = (name: string): string | undefined => scripts[name]?.replace(/^exec /, '');
export const ownServices = Object.entries(services).filter(([, { image }]) => image.startsWith('recaudo:'));
/** Values of the variables that have no default, or that production requires. */
export const requiredValues: Record<string, string> = {
  VAULT_KEYS: secrets.VAULT_KEYS,
  VAULT_FINGERPRINT_KEY: secrets.VAULT_FINGERPRINT_KEY,
  PRODUCTION_ACQUIRER_URL: 'https://acquirer.example',
  PRODUCTION_ACQUIRER_KEY: 'credential of the test at the acquirer',
};
/** A value whose references to variables are replaced, by default with the defaults of the variables. */
export const defaultOf = (value: unknown, values = requiredValues): string =>
  String(value).replace(
    /\$\{(\w+):([-?+])([^}]*)\}/g,
    (_, name, how, text) => (how === '+' ? values[name] && text : values[name]) ?? (how === '-' ? text : ''),
  );
