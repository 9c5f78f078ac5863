import { randomBytes } from 'node:crypto';

/** First letter of an identifier, by kind of resource. */
const letters = { merchant: 'm' } as const;

/** 20 characters, `[a-z][a-z0-9]{19}`, from 128 random bits. */
export function newId(kind: keyof typeof letters): string {
  const digits = BigInt(`0x${randomBytes(16).toString('hex')}`)
    .toString(36)
    .padStart(25, '0');
  return letters[kind] + digits.slice(-19);
}
