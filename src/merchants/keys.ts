import { createHmac, randomBytes } from 'node:crypto';
import type { KeyKind } from '../../prisma/generated/enums';

const prefixes = { private: 'sk_', public: 'pk_' } as const satisfies Record<KeyKind, string>;

export interface KeyPair {
  private_key: string;
  public_key: string;
}

export const newKeyPair = (): KeyPair => ({ private_key: newKey('private'), public_key: newKey('public') });

const newKey = (kind: KeyKind): string => prefixes[kind] + randomBytes(16).toString('hex');

/** Only this hash is stored. Keys are 128 random bits, so a fast keyed hash is as good as a slow one. */
export const hashKey = (key: string, secret: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHmac('sha256', secret).update(key).digest());

export const keyRows = (keys: KeyPair, secret: string): { kind: KeyKind; hash: Uint8Array<ArrayBuffer> }[] => [
  { kind: 'private', hash: hashKey(keys.private_key, secret) },
  { kind: 'public', hash: hashKey(keys.public_key, secret) },
];
