/**
 * The only place that decrypts. A test limits who may import it: what sends secrets to the acquirer or to webhooks,
 * what checks the vault keys, and what seals secrets anew under another key.
 */
import { createDecipheriv } from 'node:crypto';
import type { VaultKeys } from './keys';
import { FORMAT, keyAndBinding, NONCE_BYTES, type Purpose, type Sealed, TAG_BYTES } from './seal';

export function unseal({ unsealing }: VaultKeys, sealed: Sealed, purpose: Purpose): string {
  const bytes = Buffer.from(sealed);
  const isEarlier = bytes[0] !== FORMAT;
  const nameStart = isEarlier ? 1 : 2;
  const start = nameStart + (bytes[nameStart - 1] ?? 0);
  const id = bytes.toString('latin1', nameStart, start);
  const vaultKey = unsealing.get(id);
  if (!vaultKey) throw new Error(`VAULT_KEYS lacks the key ${JSON.stringify(id)}`);
  const { key, aad } = isEarlier
    ? { key: vaultKey.configured, aad: earlierBinding(purpose) }
    : keyAndBinding(vaultKey, purpose);
  const [tagStart, textStart] = [start + NONCE_BYTES, start + NONCE_BYTES + TAG_BYTES];
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(start, tagStart), { authTagLength: TAG_BYTES });
  decipher.setAAD(aad);
  decipher.setAuthTag(bytes.subarray(tagStart, textStart));
  return decipher.update(bytes.subarray(textStart), undefined, 'utf8') + decipher.final('utf8');
}

/** The previous release had one key for everything, and bound a text to its row only. `vault:rotate` leaves none. */
const earlierBinding = ({ what, id }: Purpose): Buffer =>
  Buffer.from(what === 'answer' ? 'secret kept' : `${what} ${id}`);
