/**
 * The only place that decrypts. A test limits its importers to the code that sends secrets to the acquirer or to
 * webhooks, verifies the vault keys, or reseals secrets.
 */
import { createDecipheriv } from 'node:crypto';
import type { VaultKeys } from './keys';
import { keyAndBinding, NONCE_BYTES, type Purpose, type Sealed, TAG_BYTES } from './seal';

export function unseal({ unsealing }: VaultKeys, sealed: Sealed, purpose: Purpose): string {
  const bytes = Buffer.from(sealed);
  const start = 1 + (bytes[0] ?? 0);
  const id = bytes.toString('latin1', 1, start);
  const vaultKey = unsealing.get(id);
  if (!vaultKey) throw new Error(`VAULT_KEYS lacks the key ${JSON.stringify(id)}`);
  const { key, aad } = keyAndBinding(vaultKey, purpose);
  const [tagStart, textStart] = [start + NONCE_BYTES, start + NONCE_BYTES + TAG_BYTES];
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(start, tagStart), { authTagLength: TAG_BYTES });
  decipher.setAAD(aad);
  decipher.setAuthTag(bytes.subarray(tagStart, textStart));
  return decipher.update(bytes.subarray(textStart), undefined, 'utf8') + decipher.final('utf8');
}
