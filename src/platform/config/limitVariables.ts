/** How much one key, one merchant or one address may ask for. */
import * as parse from './parsers';

const limit = (defaultValue: number, description: string) => ({ description, defaultValue, read: parse.count });

export const limitVariables = {
  LIMIT_REQUESTS_PER_SECOND: limit(1000, 'requests a second with one private key; twice as many at once'),
  LIMIT_REQUESTS_IN_FLIGHT: limit(200, 'requests with one key that an API process works on at once'),
  LIMIT_READS_PER_SECOND: limit(1000, 'requests a second of one merchant that read'),
  LIMIT_WRITES_PER_SECOND: limit(1000, 'requests a second of one merchant that write'),
  LIMIT_CARDS_PER_SECOND: limit(500, 'requests a second of one merchant that send a card'),
  LIMIT_TOKENS_PER_SECOND: limit(100, 'requests a second with one public key or session'),
  LIMIT_TOKENS_AT_ONCE: limit(500, 'the same at once, after a pause'),
  LIMIT_LIVE_STREAMS: limit(100, 'live streams of one merchant at an API process'),
  LIMIT_WRONG_KEYS_PER_MINUTE: limit(100, 'wrong keys a minute from one address'),
  LIMIT_DECLINES_PER_HOUR: limit(300, 'declined cards an hour of one merchant, renewals aside'),
};
