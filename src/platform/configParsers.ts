/** How the text of a variable is read. Each throws what is wrong as a sentence that goes on after the variable's name. */
import { isIP } from 'node:net';

export const refuse = (problem: string): never => {
  throw new Error(problem);
};

export const readPort = (text: string): number =>
  /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65535
    ? Number(text)
    : refuse(`is "${text}", but must be a whole number from 1 to 65535`);

export const readOneOf =
  <T extends string>(...values: T[]) =>
  (text: string): T =>
    values.find(value => value === text) ?? refuse(`is "${text}", but must be one of ${values.join(', ')}`);

export const readUrl = (text: string): string =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : refuse('must be an http or https address');

/** Without a path of its own, so that what stands below it is ours alone. */
export const readPublicUrl = (text: string, production: boolean): string => {
  const url = new URL(readUrl(text));
  if (url.pathname !== '/' || url.search || url.hash || url.username)
    return refuse('must be an address without a path');
  if (production && url.protocol !== 'https:') return refuse('must be an https address in production');
  return url.origin;
};

export const readSecret =
  (development: string) =>
  (text: string, production: boolean): string => {
    if (production && text === development) return refuse('must be a secret of your own in production');
    return text.length < 32 ? refuse('must have at least 32 characters') : text;
  };

/** Addresses, each with or without the length of its network. */
export const readNetworks = (text: string): string[] => {
  const networks = text.split(',').map(part => part.trim());
  const isNetwork = (network: string): boolean => {
    const [address = '', length, ...more] = network.split('/');
    const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
    return (
      bits > 0 && more.length === 0 && (length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits))
    );
  };
  return networks.every(isNetwork) ? networks : refuse('must be addresses or networks, separated by commas');
};

/** As in the environment: `id:key,id:key`, each key 32 bytes in base64. */
export function readVaultKeys(text: string): Map<string, Buffer> {
  const keys = new Map<string, Buffer>();
  for (const entry of text.split(',')) {
    const [, id, key] = /^\s*([a-z0-9-]{1,16}):([A-Za-z0-9+/=_-]+)\s*$/.exec(entry) ?? [];
    if (!id || !key || keys.has(id)) throw new Error('must be a list like 2026a:KEY,2025b:KEY with distinct ids');
    keys.set(id, readKey(key));
  }
  return keys;
}

export function readKey(text: string): Buffer {
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32) throw new Error('must hold keys of 32 bytes in base64');
  return key;
}
