/** Converts the more tolerant REST input to what the GraphQL input types accept. */
import type { GraphQLScalarType } from 'graphql';
import { ApiError } from '../../platform/errors';
import { enumName } from '../../schema/enums/enumName';
import { ThreeDecimals } from '../../schema/numbers';
import { type Class, type Shape, shapeOf } from '../../schema/shapes';

type RawObject = Record<string, unknown>;

/** Omits unknown members, null members that clear nothing, and unreadable members, which are reported to `onError`. */
export function normalize(value: unknown, type: Class, onError: (error: ApiError) => void, path = ''): RawObject {
  const input = value as RawObject;
  const known: RawObject = {};
  for (const shape of shapeOf(type).values()) {
    const { name, kind, of, clearable } = shape;
    if (!Object.hasOwn(input, name) || (input[name] === null && !clearable)) continue;
    const member = input[name];
    const field = `${path}${name}`;
    if (kind === 'values' && !Array.isArray(member)) onError(new ApiError('malformed', 'not_list', { field }));
    else if (kind !== 'object' || !of) known[name] = readValue(shape, member);
    else if (isObject(member)) known[name] = normalize(member, of(), onError, `${field}.`);
    else onError(new ApiError('malformed', 'not_object', { field }));
  }
  return known;
}

export const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Other values are unchanged, so that the input type rejects them. */
export function readValue({ kind, digits, values, scalar, words }: Shape, input: unknown): unknown {
  const value = input instanceof ThreeDecimals && kind !== 'money' ? Number(input) : input;
  const isInteger = Number.isSafeInteger(value) || typeof value === 'bigint';
  switch (kind) {
    case 'text':
      return (digits && isInteger) || (digits === 'decimals' && typeof value === 'number') ? String(value) : value;
    case 'count':
      return typeof value === 'string' && /^-?\d{1,10}$/.test(value.trim()) ? Number(value) : value;
    case 'flag':
      return typeof value === 'string' && /^(true|false)$/i.test(value) ? value.toLowerCase() === 'true' : value;
    case 'choice':
      return findChoice(values, value);
    case 'choices':
      return [value]
        .flat()
        .flatMap(each => (typeof each === 'string' ? each.split(',') : [each]))
        .map(each => findChoice(values, each));
    case 'values':
      return scalar && words && Array.isArray(value) ? value.map(each => readWord(scalar(), each)) : value;
    default:
      return value;
  }
}

/** The word of a GraphQL enum. An unreadable value becomes its error, which is reported at its place. */
function readWord(type: GraphQLScalarType, value: unknown): unknown {
  try {
    return enumName(String(type.parseValue(value)));
  } catch (error) {
    return error;
  }
}

const findChoice = (values: readonly string[] = [], value: unknown): unknown =>
  typeof value === 'string' ? (values.find(word => word.toLowerCase() === value.trim().toLowerCase()) ?? value) : value;
