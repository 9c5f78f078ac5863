/**
 * The keys of the vault. The first one encrypts, all of them decrypt; fingerprints have a key that is used for nothing
 * else.
 */
export interface VaultKeys {
  sealing: { id: string; key: Buffer };
  unsealing: ReadonlyMap<string, Buffer>;
  fingerprinting: Buffer;
}

export function createVaultKeys(opening: ReadonlyMap<string, Buffer>, fingerprinting: Buffer): VaultKeys {
  const [first] = opening;
  if (!first) throw new Error('there is no key to seal with');
  return { sealing: { id: first[0], key: first[1] }, unsealing: opening, fingerprinting };
}
