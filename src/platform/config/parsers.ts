/** Parsers for environment variables. An error message continues a sentence that begins with the variable's name. */
import { readFileSync } from 'node:fs';
import { isTooWide, parseNetwork } from '../networks';
import { isRandom } from './security/randomKey';

export const fail = (problem: string): never => {
  throw new Error(problem);
};

export const port = (text: string): number =>
  /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65535
    ? Number(text)
    : fail(`is "${text}", but must be a whole number from 1 to 65535`);

export const count = (text: string): number =>
  /^[1-9]\d{0,8}$/.test(text) ? Number(text) : fail(`is "${text}", but must be a whole number from 1 to 999999999`);

export const countFrom =
  (min: number) =>
  (text: string): number =>
    count(text) < min ? fail(`is ${text}, but must be at least ${min}`) : count(text);

export const oneOf =
  <T extends string>(...values: T[]) =>
  (text: string): T =>
    values.find(value => value === text) ?? fail(`is "${text}", but must be one of ${values.join(', ')}`);

export const httpUrl = (text: string): string =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : fail('must be an http or https address');

/** Encodes slashes in the password, which base64 contains and a URL does not allow. */
const encodePassword = (text: string): string =>
  text.replace(/^(\w+:\/\/[^:@/?#]*:)([^@?#]*)(?=@)/, (_, user, password) => user + password.replaceAll('/', '%2F'));

export function databaseUrl(given: string): string {
  const text = encodePassword(given);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1
    ? text
    : fail('must look like postgresql://user:password@host:5432/name');
}

export const smtpUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.hostname && /^smtps?:$/.test(url.protocol)
    ? text
    : fail('must look like smtp://user:password@host:587 or smtps://…');
};
export const acquirerUrl = (text: string, production: boolean): string =>
  production && new URL(httpUrl(text)).protocol !== 'https:'
    ? fail('must be an https address in production, because it receives card numbers')
    : httpUrl(text);

/** An origin without a path, so that all paths below it belong to this server. */
export const publicUrl = (text: string, production: boolean): string => {
  const url = new URL(httpUrl(text));
  if (url.pathname !== '/' || url.search || url.hash || url.username) return fail('must be an address without a path');
  if (production && url.protocol !== 'https:') return fail('must be an https address in production');
  return url.origin;
};

export const secret =
  (developmentDefault?: string) =>
  (text: string, production: boolean): string => {
    if (production && text === developmentDefault) return fail('must not be the default secret in production');
    return text.length < 32 ? fail('must have at least 32 characters') : text;
  };

const list = (text: string): string[] => text.split(',').map(part => part.trim());

/** IP addresses, each with or without a prefix length. */
export const networks = (text: string, production: boolean): string[] => {
  const parts = list(text);
  const parsed = parts.map(part => parseNetwork(part) ?? fail('must be addresses or networks, separated by commas'));
  const wide = parts.find((_, i) => parsed[i] && isTooWide(parsed[i]));
  return production && wide ? fail(`must not contain ${wide}: the network is too large`) : parts;
};

/** Addresses, networks and host names. */
export const places = (text: string, production: boolean): string[] =>
  list(text).map(place => (isHostName(place) ? place.toLowerCase() : (networks(place, production)[0] ?? '')));

const isHostName = (text: string): boolean =>
  /^(?!\d+(\.\d+)*$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9-]+)*$/i.test(text);

export const email = (text: string): string =>
  /^[^\s<>@,]+@[^\s<>@,]+$/.test(text) ? text : fail(`is "${text}", but must be one e-mail address`);

export const boolean = (text: string): boolean => oneOf('true', 'false')(text) === 'true';

export const file = (path: string): Buffer => {
  try {
    return readFileSync(path);
  } catch (error) {
    return fail(`must be a readable file: ${(error as NodeJS.ErrnoException).code}`);
  }
};

/** `id:key,id:key`, each key 32 bytes in base64. */
export function vaultKeys(text: string, production = false): Map<string, Buffer> {
  const keys = new Map<string, Buffer>();
  for (const entry of text.split(',')) {
    const [, id, key] = /^\s*([a-z0-9-]{1,16}):([A-Za-z0-9+/=_-]+)\s*$/.exec(entry) ?? [];
    if (!id || !key || keys.has(id)) return fail('must be a list like 2026a:KEY,2025b:KEY with distinct ids');
    keys.set(id, secretKey(key, production));
  }
  return keys;
}

export function secretKey(text: string, production = false): Buffer {
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32) return fail('must contain keys of 32 bytes in base64');
  return production && !isRandom(key)
    ? fail('contains a key that is not random: create one with openssl rand -base64 32')
    : key;
}
