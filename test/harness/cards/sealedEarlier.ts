import { createCipheriv, randomBytes } from 'node:crypto';
import { vault } from '../world/secrets';

/** As the previous release sealed it, with the configured key itself. */
export function sealedEarlier(binding: string, text: string): Buffer<ArrayBuffer> {
  const { id, configured } = vault.sealing;
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', configured, nonce).setAAD(Buffer.from(binding));
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(id.length), Buffer.from(id), nonce, cipher.getAuthTag(), ciphertext]);
}
