/** What goes into the vault. Nothing here can open it. */
import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import type { VaultKeys } from './keys';

/** A sealed text: length and name of its key, nonce, tag, cipher text. */
export type Sealed = Uint8Array<ArrayBuffer>;

/** What a secret is and whose: a sealed text that is moved to another row, or taken for something else, does not open. */
export type Purpose = `${'number' | 'cvv2' | 'proof' | 'secret' | 'password'} ${string}`;

export const NONCE_LENGTH = 12;
export const TAG_LENGTH = 16;

/** What everything sealed under a key begins with. */
export const keyMark = (id: string): Buffer<ArrayBuffer> =>
  Buffer.concat([Buffer.of(id.length), Buffer.from(id, 'latin1')]);

export function seal({ sealing: { id, key } }: VaultKeys, text: string, purpose: Purpose): Sealed {
  const nonce = randomBytes(NONCE_LENGTH);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_LENGTH });
  cipher.setAAD(Buffer.from(purpose));
  const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([keyMark(id), nonce, cipher.getAuthTag(), hidden]);
}

/** The same for the same content, and of no use without the key: a plain hash of a number beside its mask would be the number. */
export const fingerprint = ({ fingerprinting }: VaultKeys, content: string | Uint8Array): Buffer<ArrayBuffer> =>
  createHmac('sha256', fingerprinting).update(content).digest();
