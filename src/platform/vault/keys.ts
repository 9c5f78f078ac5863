/**
 * The keys of the vault. The first one encrypts, all of them decrypt; fingerprints have a key that is used for nothing
 * else. Nothing is encrypted with a configured key itself: each use has a key of its own, derived from it.
 */
import { hkdfSync } from 'node:crypto';

type KeyUse = 'cards' | 'webhooks' | 'proof';

export interface VaultKey {
  id: string;
  derived: Readonly<Record<KeyUse, Buffer>>;
}

export interface VaultKeys {
  sealing: VaultKey;
  unsealing: ReadonlyMap<string, VaultKey>;
  /** Of card numbers. */
  fingerprinting: Buffer;
  /** Of the bodies of requests. */
  hashing: Buffer;
  /** Of API keys that a repeated request makes again. */
  generating: Buffer;
  /** Of what fraud rules count. */
  screening: Buffer;
}

/** What is configured is random, so no salt is needed. */
const derive = (key: Buffer, use: string): Buffer => Buffer.from(hkdfSync('sha256', key, '', `recaudo ${use}`, 32));

export function createVaultKeys(configured: ReadonlyMap<string, Buffer>, fingerprinting: Buffer): VaultKeys {
  const keys = [...configured].map(([id, key]) => ({
    id,
    derived: { cards: derive(key, 'cards'), webhooks: derive(key, 'webhooks'), proof: derive(key, 'proof') },
  }));
  const [sealing] = keys;
  if (!sealing) throw new Error('there is no key to seal with');
  const unsealing = new Map(keys.map(key => [key.id, key]));
  return {
    sealing,
    unsealing,
    fingerprinting,
    hashing: derive(fingerprinting, 'requests'),
    generating: derive(fingerprinting, 'API keys'),
    screening: derive(fingerprinting, 'fraud rules'),
  };
}
