/** Rate limits of a key, a merchant or an address, each an environment variable. */
import type { Config } from '../config/config';

export const LIMIT_VARIABLES = [
  'LIMIT_REQUESTS_PER_SECOND',
  'LIMIT_REQUESTS_IN_FLIGHT',
  'LIMIT_READS_PER_SECOND',
  'LIMIT_WRITES_PER_SECOND',
  'LIMIT_CARDS_PER_SECOND',
  'LIMIT_TOKENS_PER_SECOND',
  'LIMIT_TOKENS_AT_ONCE',
  'LIMIT_LIVE_STREAMS',
  'LIMIT_OPEN_BODIES',
  'LIMIT_WRONG_KEYS_PER_MINUTE',
  'LIMIT_DECLINES_PER_HOUR',
] as const;

export type LimitSettings = Config<(typeof LIMIT_VARIABLES)[number]>;
