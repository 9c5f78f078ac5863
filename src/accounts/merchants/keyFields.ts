import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { ApiError } from '../../platform/errors';
import { isTooWide, parseNetwork } from '../../platform/networks';
import { connectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { Filters, paged } from '../../schema/list';
import { scalar } from '../../schema/scalars';
import { Count, choice, Flag, Moment, Text, Values } from '../../schema/shapes';

const ApiKeyKind = choice('ApiKeyKind', 'What a key is for', 'private', 'public');

const NetworkScalar = scalar<string>({
  name: 'Network',
  description: 'An IP address, or a network as 198.51.100.0/24',
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

const ADDRESSES = 'Addresses and networks (CIDR) that it may be used from; none: any';
const READ_ONLY = 'Whether it may only read; of private keys';
const MAX_ADDRESSES = 50;

@ObjectType({ description: 'An API key of the merchant. The key itself is shown once, when it is made' })
export class ApiKey {
  @Text('Unique identifier', { id: 'key', example: 'c9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @ApiKeyKind.field('private or public')
  kind!: 'private' | 'public';
  @Text('What the merchant calls it', { nullable: true, example: 'Shop' })
  name!: string | null;
  @Text('How it begins and ends', { example: 'sk_…a1b2' })
  masked!: string;
  @Text('The key itself, only in the answer to the request that makes it', { optional: true })
  key?: string;
  @Flag(READ_ONLY)
  read_only!: boolean;
  @Values(ADDRESSES, () => NetworkScalar, { example: ['203.0.113.7', '198.51.100.0/24'] })
  addresses!: string[];
  @Moment('When it was made')
  creation_date!: Date;
  @Moment('When it was last used, to the minute', { nullable: true })
  last_used_at!: Date | null;
  @Moment('When it stops working', { nullable: true })
  expires_at!: Date | null;
}

@InputType({ description: 'A new key' })
export class CreateKey {
  @ApiKeyKind.field('private or public')
  kind!: 'private' | 'public';
  @Text('What the merchant calls it', { optional: true, max: 100, example: 'Shop' })
  name?: string;
  @Flag(READ_ONLY, { optional: true })
  read_only?: boolean;
  @Values(ADDRESSES, () => NetworkScalar, { optional: true, max: MAX_ADDRESSES, example: ['203.0.113.7'] })
  addresses?: string[];
}

@InputType({ description: 'What to change of a key' })
export class UpdateKey {
  @Text('What the merchant calls it', { optional: true, max: 100, example: 'Shop' })
  name?: string;
  @Flag(READ_ONLY, { optional: true })
  read_only?: boolean;
  @Values(ADDRESSES, () => NetworkScalar, { optional: true, max: MAX_ADDRESSES, example: ['203.0.113.7'] })
  addresses?: string[];
}

@InputType({ description: 'How a key is replaced' })
export class RotateKey {
  @Count('For how long the old one works on', { optional: true, min: 0, max: 168, example: 24 })
  overlap_hours?: number;
}

@ArgsType()
export class KeysPage extends paged(Filters) {}

@ArgsType()
export class KeysWindow extends cursorPaged(Filters) {}

@ObjectType({ description: 'A window on the list of API keys, newest first' })
export class ApiKeyConnection extends connectionOf(ApiKey) {}
