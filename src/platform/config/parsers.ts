/** Parsers for environment variables. Their error messages continue a sentence that begins with the variable's name. */
import { isIP } from 'node:net';

export const fail = (problem: string): never => {
  throw new Error(problem);
};

export const port = (text: string): number =>
  /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65535
    ? Number(text)
    : fail(`is "${text}", but must be a whole number from 1 to 65535`);

export const count = (text: string): number =>
  /^[1-9]\d{0,8}$/.test(text) ? Number(text) : fail(`is "${text}", but must be a whole number from 1 to 999999999`);

export const oneOf =
  <T extends string>(...values: T[]) =>
  (text: string): T =>
    values.find(value => value === text) ?? fail(`is "${text}", but must be one of ${values.join(', ')}`);

export const httpUrl = (text: string): string =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : fail('must be an http or https address');

export const smtpUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.hostname && /^smtps?:$/.test(url.protocol)
    ? text
    : fail('must look like smtp://user:password@host:587 or smtps://…');
};

/** Without a path, so that every path below the origin is ours. */
export const publicUrl = (text: string, production: boolean): string => {
  const url = new URL(httpUrl(text));
  if (url.pathname !== '/' || url.search || url.hash || url.username) return fail('must be an address without a path');
  if (production && url.protocol !== 'https:') return fail('must be an https address in production');
  return url.origin;
};

export const secret =
  (developmentDefault: string) =>
  (text: string, production: boolean): string => {
    if (production && text === developmentDefault) return fail('must be a secret of your own in production');
    return text.length < 32 ? fail('must have at least 32 characters') : text;
  };

/** IP addresses, each with or without a prefix length. */
export const networks = (text: string): string[] => {
  const parts = text.split(',').map(part => part.trim());
  const isNetwork = (network: string): boolean => {
    const [address = '', prefix, ...extras] = network.split('/');
    const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
    return (
      bits > 0 && extras.length === 0 && (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits))
    );
  };
  return parts.every(isNetwork) ? parts : fail('must be addresses or networks, separated by commas');
};

/** `id:key,id:key`, each key 32 bytes in base64. */
export function vaultKeys(text: string): Map<string, Buffer> {
  const keys = new Map<string, Buffer>();
  for (const entry of text.split(',')) {
    const [, id, key] = /^\s*([a-z0-9-]{1,16}):([A-Za-z0-9+/=_-]+)\s*$/.exec(entry) ?? [];
    if (!id || !key || keys.has(id)) return fail('must be a list like 2026a:KEY,2025b:KEY with distinct ids');
    keys.set(id, secretKey(key));
  }
  return keys;
}

export function secretKey(text: string): Buffer {
  const key = Buffer.from(text, 'base64');
  return key.length === 32 ? key : fail('must hold keys of 32 bytes in base64');
}
