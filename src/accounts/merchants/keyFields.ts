import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { ApiError } from '../../platform/errors';
import { isTooWide, parseNetwork } from '../../platform/networks';
import { connectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { Filters, paged } from '../../schema/list';
import { scalar } from '../../schema/scalars';
import { Count, choice, Flag, Moment, Text, Values } from '../../schema/shapes';

const ApiKeyKind = choice(
  'ApiKeyKind',
  'Kind of API key: private for servers, public for browsers',
  'private',
  'public',
);

const NetworkScalar = scalar<string>({
  name: 'Network',
  description: 'IP address, or network in CIDR notation as 198.51.100.0/24',
  specifiedBy: 'https://www.rfc-editor.org/rfc/rfc4632',
  parse: value => {
    if (typeof value !== 'string') throw new ApiError('malformed', 'not_text');
    const network = parseNetwork(value.trim());
    if (!network) throw new ApiError('invalid_value', 'not_network');
    if (isTooWide(network)) throw new ApiError('invalid_value', 'network_too_wide');
    return value.trim();
  },
  serialize: String,
  accepts: { type: 'string', maxLength: 43 },
  answers: { type: 'string' },
});

const ADDRESSES = 'IP addresses and networks (CIDR) that may use the key; empty allows all';
const READ_ONLY = 'Whether the key is read-only; only for private keys';
const MAX_ADDRESSES = 50;

@ObjectType({ description: 'An API key of the merchant. The key itself is returned only when it is created' })
export class ApiKey {
  @Text('Unique identifier', { id: 'key', example: 'c9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @ApiKeyKind.field('Kind of key')
  kind!: 'private' | 'public';
  @Text('Name chosen by the merchant', { nullable: true, example: 'Shop' })
  name!: string | null;
  @Text('Prefix and last four characters of the key', { example: 'sk_…a1b2' })
  masked!: string;
  @Text('The key itself, only in the response to the request that creates it', { optional: true })
  key?: string;
  @Flag(READ_ONLY)
  read_only!: boolean;
  @Values(ADDRESSES, () => NetworkScalar, { example: ['203.0.113.7', '198.51.100.0/24'] })
  addresses!: string[];
  @Moment('Creation date')
  creation_date!: Date;
  @Moment('Date and time of the last use, to the minute', { nullable: true })
  last_used_at!: Date | null;
  @Moment('Expiration date', { nullable: true })
  expires_at!: Date | null;
}

@InputType({ description: 'A new key' })
export class CreateKey {
  @ApiKeyKind.field('Kind of key')
  kind!: 'private' | 'public';
  @Text('Name chosen by the merchant', { optional: true, max: 100, example: 'Shop' })
  name?: string;
  @Flag(READ_ONLY, { optional: true })
  read_only?: boolean;
  @Values(ADDRESSES, () => NetworkScalar, { optional: true, max: MAX_ADDRESSES, example: ['203.0.113.7'] })
  addresses?: string[];
}

@InputType({ description: 'Changes to a key' })
export class UpdateKey {
  @Text('Name chosen by the merchant', { optional: true, max: 100, example: 'Shop' })
  name?: string;
  @Flag(READ_ONLY, { optional: true })
  read_only?: boolean;
  @Values(ADDRESSES, () => NetworkScalar, { optional: true, max: MAX_ADDRESSES, example: ['203.0.113.7'] })
  addresses?: string[];
}

@InputType({ description: 'Options of a key rotation' })
export class RotateKey {
  @Count('Hours for which the old key still works', { optional: true, min: 0, max: 168, example: 24 })
  overlap_hours?: number;
}

@ArgsType()
export class KeysArgs extends paged(Filters) {}

@ArgsType()
export class KeysConnectionArgs extends cursorPaged(Filters) {}

@ObjectType({ description: 'A page of API keys, newest first' })
export class ApiKeyConnection extends connectionOf(ApiKey) {}
