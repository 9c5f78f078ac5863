/** Key-value pairs of merchants on charges, customers, plans and subscriptions. */
import { ApiError } from '../../platform/errors';
import type { Context } from '../../schema/operation/context';
import { STORABLE } from '../../schema/patterns';
import { scalar } from '../../schema/scalars';
import { Value } from '../../schema/shapes';

export type Metadata = Record<string, string>;

const MAX_METADATA_PAIRS = 50;
const MAX_KEY_LENGTH = 100;
const MAX_VALUE_LENGTH = 500;
/** JSON in UTF-8. Every event and webhook delivery of a charge or a subscription includes its metadata. */
const MAX_METADATA_BYTES = 32 * 1024;

const KEY = { type: 'string', maxLength: MAX_KEY_LENGTH, pattern: STORABLE };
const TEXT = { type: 'string', maxLength: MAX_VALUE_LENGTH, pattern: STORABLE };
const MAP = { type: 'object', maxProperties: MAX_METADATA_PAIRS, propertyNames: KEY, additionalProperties: TEXT };

type Pair = readonly [unknown, unknown];

/** Some clients send a list of `{key, value}` instead of a map. */
function toPairs(value: unknown): Pair[] {
  if (typeof value !== 'object' || value === null) throw new ApiError('malformed', 'not_text_map');
  if (!Array.isArray(value)) return Object.entries(value);
  return value.map(item => [item?.key, item?.value]);
}

export const MetadataScalar = scalar<Metadata>({
  name: 'Metadata',
  description: 'A map of strings, or a list of {key, value}',
  parse: input => {
    const pairs = toPairs(input);
    for (const [key, text] of pairs) {
      const isValidText = (value: unknown, maxLength: number): boolean =>
        typeof value === 'string' && value.length <= maxLength && !value.includes('\0') && value.isWellFormed();
      if (!isValidText(key, MAX_KEY_LENGTH) || !isValidText(text, MAX_VALUE_LENGTH))
        throw new ApiError('malformed', 'not_text_map');
    }
    if (pairs.length > MAX_METADATA_PAIRS)
      throw new ApiError('invalid_value', 'too_many_entries', { max: MAX_METADATA_PAIRS });
    const map = Object.fromEntries(pairs) as Metadata;
    if (Buffer.byteLength(JSON.stringify(map)) > MAX_METADATA_BYTES)
      throw new ApiError('too_large', 'too_many_bytes', { max: MAX_METADATA_BYTES });
    return map;
  },
  serialize: value => value,
  accepts: {
    anyOf: [
      MAP,
      {
        type: 'array',
        maxItems: MAX_METADATA_PAIRS,
        items: { type: 'object', required: ['key', 'value'], properties: { key: KEY, value: TEXT } },
      },
    ],
  },
  answers: MAP,
});

export const StoredMetadata = Value('Key-value pairs set by the merchant', () => MetadataScalar, { optional: true });
export const NewMetadata = Value('Key-value pairs to store', () => MetadataScalar, { optional: true });
export const ChangedMetadata = Value(
  'Key-value pairs, which replace all current ones; null removes them',
  () => MetadataScalar,
  { optional: true, clearable: true },
);
export const MetadataFilter = Value('All of these pairs must be in the metadata', () => MetadataScalar, {
  optional: true,
  pairs: true,
  rules: { propertyNames: { ...KEY, minLength: 1 } },
});

/** The merchant's notes about a customer, and the tax that it states, cannot be changed by that customer. */
export function rejectFromCustomerSession<T extends object>(
  { rights }: Pick<Context, 'rights'>,
  input: T,
  ...names: (keyof T & string)[]
): void {
  const field = rights.session?.customer_id ? names.find(name => input[name] !== undefined) : undefined;
  if (field) throw new ApiError('private_key_needed', 'one_customer_session', { field });
}
