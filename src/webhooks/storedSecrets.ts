/** A webhook's secret in an answer that is kept for its repeat: the database knows it sealed only. */
import type { VaultKeys } from '../vault/keys';
import { open } from '../vault/open';
import { seal } from '../vault/seal';
import { SECRET } from './rows';

const SEALED_SECRET = /sealed_([\w-]+)/g;
const PURPOSE = 'secret kept';

export const sealSecrets = (vault: VaultKeys, text: string): string =>
  text.replace(SECRET, secret => `sealed_${Buffer.from(seal(vault, secret, PURPOSE)).toString('base64url')}`);

/** Text of a merchant's that only looks like one stays as it is. */
export const unsealSecrets = (vault: VaultKeys, text: string): string =>
  text.replace(SEALED_SECRET, (whole, hidden: string) => {
    try {
      return open(vault, Buffer.from(hidden, 'base64url'), PURPOSE);
    } catch {
      return whole;
    }
  });
