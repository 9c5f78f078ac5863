/** Seals the webhook secrets in a stored idempotent response: the database never holds them in clear. */
import type { VaultKeys } from '../vault/keys';
import { seal } from '../vault/seal';
import { unseal } from '../vault/unseal';
import { SECRET } from './rows';

const SEALED_SECRET = /sealed_([\w-]+)/g;
const PURPOSE = 'secret kept';

export const sealSecrets = (vault: VaultKeys, text: string): string =>
  text.replace(SECRET, secret => `sealed_${Buffer.from(seal(vault, secret, PURPOSE)).toString('base64url')}`);

/** A merchant's own text that only looks like a sealed secret is left unchanged. */
export const unsealSecrets = (vault: VaultKeys, text: string): string =>
  text.replace(SEALED_SECRET, (match, sealed: string) => {
    try {
      return unseal(vault, Buffer.from(sealed, 'base64url'), PURPOSE);
    } catch {
      return match;
    }
  });
