import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { ApiError } from '../../platform/errors';
import { connectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { Filters, paged } from '../../schema/list';
import { scalar } from '../../schema/scalars';
import { Count, Moment, Text, Values } from '../../schema/shapes';

const MAX_ORIGIN_CHARACTERS = 255;

const OriginScalar = scalar<string>({
  name: 'Origin',
  description: 'Origin of web pages, as https://shop.example or http://localhost:8080',
  specifiedBy: 'https://www.rfc-editor.org/rfc/rfc6454',
  parse: value => {
    if (typeof value !== 'string') throw new ApiError('malformed', 'not_text');
    const url = URL.canParse(value) ? new URL(value) : undefined;
    const isOrigin = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/` && !/[?#]/.test(value);
    if (!isOrigin || url.origin.length > MAX_ORIGIN_CHARACTERS) throw new ApiError('invalid_value', 'not_origin');
    return url.origin;
  },
  serialize: String,
  accepts: { type: 'string', maxLength: MAX_ORIGIN_CHARACTERS, pattern: '^[hH][tT][tT][pP][sS]?://[^\\s/?#@\\\\]+/?$' },
  answers: { type: 'string' },
});

const MAX_WORD_CHARACTERS = 50;

const ScopeScalar = scalar<string>({
  name: 'Scope',
  description: 'read, all, or the name of a mutation',
  parse: value => {
    if (typeof value !== 'string') throw new ApiError('malformed', 'not_text');
    return value;
  },
  serialize: String,
  accepts: { type: 'string', maxLength: MAX_WORD_CHARACTERS, pattern: '^[a-zA-Z]+$' },
  answers: { type: 'string' },
});

export const DEFAULT_MINUTES = 60;
export const MAX_MINUTES = 24 * 60;
const MAX_ORIGINS = 20;
const MAX_SCOPE_WORDS = 100;

const SCOPE = 'read, all (except keys, sessions, payouts and bank accounts), or the names of allowed mutations';
const ORIGINS = 'Origins of the pages that may use the session';

@ObjectType({ description: 'A session for browser pages, used instead of an API key. The token is returned only once' })
export class Session {
  @Text('Unique identifier', { id: 'session', example: 'n9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Text('The token itself, only in the response to the request that creates it', { optional: true })
  token?: string;
  @Text('ID of the key that created the session; the session ends with the key', {
    id: 'key',
    example: 'c9s8d7f6g5h4j3k2l1q0',
  })
  key_id!: string;
  @Text('Customer ID; null for all customers of the merchant', {
    id: 'customer',
    nullable: true,
    example: 'a9s8d7f6g5h4j3k2l1q0',
  })
  customer_id!: string | null;
  @Values(SCOPE, () => ScopeScalar, { example: ['read'] })
  scope!: string[];
  @Values(ORIGINS, () => OriginScalar, { example: ['https://shop.example'] })
  origins!: string[];
  @Moment('Creation date')
  creation_date!: Date;
  @Moment('Date and time of the last use, to the minute', { nullable: true })
  last_used_at!: Date | null;
  @Moment('Expiration date')
  expires_at!: Date;
  @Moment('Date of the revocation', { nullable: true })
  revoked_at!: Date | null;
}

@InputType({ description: 'A new session' })
export class CreateSession {
  @Count('Duration in minutes', { optional: true, min: 1, max: MAX_MINUTES, example: DEFAULT_MINUTES })
  minutes?: number;
  @Values(ORIGINS, () => OriginScalar, { max: MAX_ORIGINS, rules: { minItems: 1 }, example: ['https://shop.example'] })
  origins!: string[];
  @Text('Customer ID; limits the session to the resources of this customer', {
    id: 'customer',
    optional: true,
    max: 45,
  })
  customer_id?: string;
  @Values(`${SCOPE} (default read)`, () => ScopeScalar, { optional: true, max: MAX_SCOPE_WORDS, example: ['read'] })
  scope?: string[];
}

@ArgsType()
export class SessionsArgs extends paged(Filters) {}

@ArgsType()
export class SessionsConnectionArgs extends cursorPaged(Filters) {}

@ObjectType({ description: 'A page of sessions, newest first' })
export class SessionConnection extends connectionOf(Session) {}
