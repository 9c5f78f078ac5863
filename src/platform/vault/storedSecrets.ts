/** Seals the secrets in stored idempotent responses, bound to the request: the database never contains them in clear. */
import type { VaultKeys } from './keys';
import { keyPrefix, type Purpose, type Sealed, seal } from './seal';
import { unseal } from './unseal';

const SECRET = /whsec_[0-9a-f]{48}|\b(?:[spo]k|st|s[0-9a-z]{19}|a[0-9a-z]{19}_[0-9a-z]{6,7})_[0-9a-f]{32}\b/g;
const SEALED_SECRET = /sealed_([\w-]+)/g;

/** The request of a stored response. */
export interface AnsweredRequest {
  merchant_id: string;
  method: string;
  path: string;
  key: string;
}

const purposeOf = ({ merchant_id, method, path, key }: AnsweredRequest): Purpose => ({
  what: 'answer',
  merchant_id,
  id: `${method} ${path} ${key}`,
});

const toText = (sealed: Sealed): string => `sealed_${Buffer.from(sealed).toString('base64url')}`;

export const sealSecrets = (vault: VaultKeys, request: AnsweredRequest, text: string): string =>
  text.replace(SECRET, secret => toText(seal(vault, secret, purposeOf(request))));

export const unsealSecrets = (vault: VaultKeys, request: AnsweredRequest, text: string): string =>
  replaceSealed(text, sealed => unseal(vault, sealed, purposeOf(request)));

/** Reseals the secrets in the text under the first key. */
export const resealSecrets = (vault: VaultKeys, request: AnsweredRequest, text: string): string => {
  const prefix = keyPrefix(vault.sealing.id);
  return replaceSealed(text, (sealed, match) => {
    if (prefix.equals(sealed.subarray(0, prefix.length))) return match;
    return toText(seal(vault, unseal(vault, sealed, purposeOf(request)), purposeOf(request)));
  });
};

/** A merchant's own text that only looks like a sealed secret is left unchanged. */
const replaceSealed = (text: string, replace: (sealed: Sealed, match: string) => string): string =>
  text.replace(SEALED_SECRET, (match, sealed: string) => {
    try {
      return replace(Buffer.from(sealed, 'base64url'), match);
    } catch {
      return match;
    }
  });
