import { createHmac, randomBytes } from 'node:crypto';
import { newId } from '../../platform/identifiers';
import type { VaultKeys } from '../../platform/vault/keys';
import type { CallerKind } from '../../schema/operation/context';

const prefixes = { private: 'sk_', public: 'pk_', operator: 'ok_', session: 'st_' } as const satisfies Record<
  CallerKind,
  string
>;

export interface KeyPair {
  private_key: string;
  public_key: string;
}

export const newKeyPair = (): KeyPair => ({ private_key: newKey('private'), public_key: newKey('public') });

export const newKey = (kind: keyof typeof prefixes): string => prefixes[kind] + randomBytes(16).toString('hex');

/** The same key for a retry with the same IDs. The IDs' seed is stored, so the key also depends on a secret that is not. */
export function seededKey(
  kind: keyof typeof prefixes,
  { newId, vault }: { newId: (kind: 'key') => string; vault: VaultKeys },
): string {
  const seed = `${kind} ${newId('key')} ${newId('key')}`;
  return prefixes[kind] + createHmac('sha256', vault.generating).update(seed).digest('hex').slice(0, 32);
}

export const maskKey = (kind: keyof typeof prefixes, last_four: string): string => `${prefixes[kind]}…${last_four}`;

/** Only this hash is stored. Keys have 128 random bits, so a fast keyed hash is as secure as a slow one. */
export const hashKey = (key: string, secret: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHmac('sha256', secret).update(key).digest());

export const keyRow = (key: string, secret: string, id = newId('key')) => ({
  id,
  hash: hashKey(key, secret),
  last_four: key.slice(-4),
});

export const keyRows = ({ private_key, public_key }: KeyPair, secret: string) => [
  { kind: 'private' as const, ...keyRow(private_key, secret) },
  { kind: 'public' as const, ...keyRow(public_key, secret) },
];
