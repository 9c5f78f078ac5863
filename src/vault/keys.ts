/** The keys of the vault. The first one seals, all of them open; fingerprints have a key that is used for nothing else. */
export interface VaultKeys {
  sealing: { id: string; key: Buffer };
  opening: ReadonlyMap<string, Buffer>;
  fingerprinting: Buffer;
}

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

export function vaultKeys(opening: ReadonlyMap<string, Buffer>, fingerprinting: Buffer): VaultKeys {
  const [first] = opening;
  if (!first) throw new Error('there is no key to seal with');
  return { sealing: { id: first[0], key: first[1] }, opening, fingerprinting };
}
