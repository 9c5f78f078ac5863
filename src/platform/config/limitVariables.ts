import * as parse from './parsers';

const MIN_BANK_ACCOUNT_WAIT_HOURS = 48;

const limit = (defaultValue: number, description: string) => ({ description, defaultValue, read: parse.count });

export const limitVariables = {
  LIMIT_REQUESTS_PER_SECOND: limit(1000, 'requests per second with one private key; bursts of twice as many'),
  LIMIT_REQUESTS_IN_FLIGHT: limit(200, 'concurrent requests with one key in an API process'),
  LIMIT_READS_PER_SECOND: limit(1000, 'read requests per second of one merchant'),
  LIMIT_WRITES_PER_SECOND: limit(1000, 'write requests per second of one merchant'),
  LIMIT_CARDS_PER_SECOND: limit(500, 'requests per second of one merchant that contain a card'),
  LIMIT_TOKENS_PER_SECOND: limit(100, 'requests per second with one public key or session'),
  LIMIT_TOKENS_AT_ONCE: limit(500, 'burst of requests with one public key or session'),
  LIMIT_LIVE_STREAMS: limit(100, 'live streams of one merchant per API process'),
  LIMIT_OPEN_BODIES: limit(200, 'request bodies from one address that an API process is receiving'),
  LIMIT_WRONG_KEYS_PER_MINUTE: limit(100, 'invalid keys per minute from one address'),
  BANK_ACCOUNT_WAIT_HOURS: {
    description: 'hours until a changed bank account of a merchant replaces the present one, at least 48',
    defaultValue: MIN_BANK_ACCOUNT_WAIT_HOURS,
    read: parse.countFrom(MIN_BANK_ACCOUNT_WAIT_HOURS),
  },
  LIMIT_DECLINES_PER_HOUR: limit(300, 'declined cards per hour of one merchant, without renewals'),
};
