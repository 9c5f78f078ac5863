/** A webhook's secret in an answer that is kept for its repeat: the database knows it sealed only. */
import type { VaultKeys } from '../vault/keys';
import { open } from '../vault/open';
import { seal } from '../vault/seal';
import { SECRET } from './rows';

const HIDDEN = /sealed_([\w-]+)/g;
const PURPOSE = 'secret kept';

export const hideSecrets = (vault: VaultKeys, text: string): string =>
  text.replace(SECRET, secret => `sealed_${Buffer.from(seal(vault, secret, PURPOSE)).toString('base64url')}`);

/** Text of a merchant's that only looks like one stays as it is. */
export const showSecrets = (vault: VaultKeys, text: string): string =>
  text.replace(HIDDEN, (whole, hidden: string) => {
    try {
      return open(vault, Buffer.from(hidden, 'base64url'), PURPOSE);
    } catch {
      return whole;
    }
  });
