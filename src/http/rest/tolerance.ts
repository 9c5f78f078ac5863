/** What REST tolerates and GraphQL does not: brought into the form that the GraphQL input types take, at every depth. */
import { ApiError } from '../../platform/errors';
import { type Class, type Shape, shapeOf } from '../../schema/shapes';

type RawObject = Record<string, unknown>;

/** Unknown members are left out, and so is `null`, which means absent. */
export function normalise(value: unknown, type: Class, path = ''): RawObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError('malformed', path ? `${path.slice(0, -1)} is not an object` : 'The body is not a JSON object');
  }
  const given = value as RawObject;
  const known: RawObject = {};
  for (const shape of shapeOf(type).values()) {
    const { name } = shape;
    if (!Object.hasOwn(given, name) || given[name] === null) continue;
    if (shape.kind === 'values' && !Array.isArray(given[name]))
      throw new ApiError('malformed', `${path}${name} is not a list`);
    known[name] =
      shape.kind === 'object' && shape.of
        ? normalise(given[name], shape.of(), `${path}${name}.`)
        : readValue(shape, given[name]);
  }
  return known;
}

/** A value that is not understood stays as it is: the input type refuses it. */
export function readValue({ kind, digits, values }: Shape, value: unknown): unknown {
  const isWhole = Number.isSafeInteger(value) || typeof value === 'bigint';
  switch (kind) {
    case 'text':
      return (digits && isWhole) || (digits === 'decimals' && typeof value === 'number') ? String(value) : value;
    case 'count':
      return typeof value === 'string' && /^-?\d{1,10}$/.test(value.trim()) ? Number(value) : value;
    case 'flag':
      return typeof value === 'string' && /^(true|false)$/i.test(value) ? value.toLowerCase() === 'true' : value;
    case 'choice':
      return typeof value === 'string'
        ? (values?.find(word => word.toLowerCase() === value.toLowerCase()) ?? value)
        : value;
    default:
      return value;
  }
}
