/** Encrypts secrets for the database. Nothing in this file can decrypt them. */
import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import type { VaultKeys } from './keys';

/** A sealed text: length and name of its key, nonce, tag, ciphertext. */
export type Sealed = Uint8Array<ArrayBuffer>;

/**
 * What a secret is and which row it belongs to. A sealed text cannot be opened in another row or for another purpose.
 */
export type Purpose = `${'number' | 'cvv2' | 'proof' | 'secret' | 'password'} ${string}`;

export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;

/** The bytes that everything sealed under a key begins with. */
export const keyPrefix = (id: string): Buffer<ArrayBuffer> =>
  Buffer.concat([Buffer.of(id.length), Buffer.from(id, 'latin1')]);

export function seal({ sealing: { id, key } }: VaultKeys, text: string, purpose: Purpose): Sealed {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(purpose));
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([keyPrefix(id), nonce, cipher.getAuthTag(), ciphertext]);
}

/**
 * Equal for equal content. Keyed, because from a plain hash and the mask of a card number the number could be found by
 * trying.
 */
export const fingerprint = ({ fingerprinting }: VaultKeys, content: string | Uint8Array): Buffer<ArrayBuffer> =>
  createHmac('sha256', fingerprinting).update(content).digest();
