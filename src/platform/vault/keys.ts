/**
 * The first configured key encrypts, and all of them decrypt; fingerprints have a separate key. Each use derives its own
 * key, so no configured key encrypts directly.
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
  /** Key for card numbers. */
  fingerprinting: Buffer;
  /** Key for request bodies. */
  hashing: Buffer;
  /** Key for API keys, which a repeated request generates again. */
  generating: Buffer;
  /** Key for the values that fraud rules count. */
  screening: Buffer;
  /** Key that signs the audit log. */
  auditing: Buffer;
  /** Key of the tokens in links to payers' pages and receipts, and of the codes of receipts. */
  linking: Buffer;
}

/** Configured keys are random, so no salt is needed. */
const derive = (key: Buffer, use: string): Buffer => Buffer.from(hkdfSync('sha256', key, '', `recaudo ${use}`, 32));

/** Derived from the key that is never rotated, because signatures are verified for as long as the audit log is kept. */
export const auditingKey = (fingerprinting: Buffer): Buffer => derive(fingerprinting, 'audit log');

export function createVaultKeys(configured: ReadonlyMap<string, Buffer>, fingerprinting: Buffer): VaultKeys {
  const keys = [...configured].map(([id, key]) => ({
    id,
    derived: { cards: derive(key, 'cards'), webhooks: derive(key, 'webhooks'), proof: derive(key, 'proof') },
  }));
  const [sealing] = keys;
  if (!sealing) throw new Error('no key to seal with');
  const unsealing = new Map(keys.map(key => [key.id, key]));
  return {
    sealing,
    unsealing,
    fingerprinting,
    hashing: derive(fingerprinting, 'requests'),
    generating: derive(fingerprinting, 'API keys'),
    screening: derive(fingerprinting, 'fraud rules'),
    auditing: auditingKey(fingerprinting),
    linking: derive(fingerprinting, 'payer pages'),
  };
}
