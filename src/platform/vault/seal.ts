/** Encrypts secrets for the database. This file cannot decrypt. */
import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import type { VaultKey, VaultKeys } from './keys';

/**
 * One byte with the length of the key's name (1 to 16), the name, 12 bytes of nonce, 16 bytes of tag, and the AES-256-GCM
 * ciphertext. A later format can use another first byte.
 */
export type Sealed = Uint8Array<ArrayBuffer>;

/**
 * Binds a sealed text to its use, merchant and record: it cannot be opened for another one. `answer` is a secret within
 * a stored response.
 */
export interface Purpose {
  what: 'number' | 'cvv2' | 'secret' | 'password' | 'answer' | 'account' | 'proof';
  merchant_id: string;
  id: string;
}

export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;

/** The first bytes of every text sealed under a key. */
export const keyPrefix = (id: string): Buffer<ArrayBuffer> =>
  Buffer.concat([Buffer.of(id.length), Buffer.from(id, 'latin1')]);

export function keyAndBinding({ derived }: VaultKey, { what, merchant_id, id }: Purpose): { key: Buffer; aad: Buffer } {
  const use = what === 'number' || what === 'cvv2' ? 'cards' : what === 'proof' ? 'proof' : 'webhooks';
  return { key: derived[use], aad: Buffer.from(JSON.stringify([what, merchant_id, id])) };
}

export function seal({ sealing }: VaultKeys, text: string, purpose: Purpose): Sealed {
  const nonce = randomBytes(NONCE_BYTES);
  const { key, aad } = keyAndBinding(sealing, purpose);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(aad);
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([keyPrefix(sealing.id), nonce, cipher.getAuthTag(), ciphertext]);
}

/** Equal for equal card numbers. Keyed, because a plain hash and a masked number would reveal the number by trial. */
export const fingerprint = ({ fingerprinting }: VaultKeys, content: string | Uint8Array): Buffer<ArrayBuffer> =>
  createHmac('sha256', fingerprinting).update(content).digest();

/** Equal for equal bodies. Keyed, because a body may contain a card number. */
export const hashOfBody = ({ hashing }: VaultKeys, body: Uint8Array): Buffer<ArrayBuffer> =>
  createHmac('sha256', hashing).update(body).digest();

/** Equal for equal facts of a payment. Keyed, because a guessed e-mail address could otherwise be confirmed by its hash. */
export const hashOfFact = ({ screening }: VaultKeys, fact: string | Uint8Array): Buffer<ArrayBuffer> =>
  createHmac('sha256', screening).update(fact).digest();
