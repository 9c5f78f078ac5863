/** Parameters of an operation: path parameters, filters and the Idempotency-Key. */
import { idPattern } from '../../../platform/identifiers';
import { argumentPatterns } from '../../../schema/arguments';
import { shapeOf } from '../../../schema/shapes';
import { fieldMetadataOf } from '../fieldMetadata';
import { queryName } from '../filters';
import type { Route } from '../routes';
import { type Json, reference } from './json';
import { valueSchema } from './properties';

const patternOf = (name: string): string | undefined =>
  name === 'merchant_id' ? idPattern('merchant') : argumentPatterns.get(name);

const pathParameter = (name: string): Json => {
  const pattern = patternOf(name);
  const description = name.replaceAll('_', ' ');
  return { name, in: 'path', required: true, description, schema: { type: 'string', pattern } };
};

export const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Makes retries safe: for 24 hours, the same key and body return the first response; the same key with another body returns error 1003',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]([ -~]*[!-~])?$' },
};

function filtersOf({ field, path }: Route): Json[] {
  const { filters } = fieldMetadataOf(field);
  if (!filters) return [];
  const initial = new filters() as Json;
  // Path parameters are not filters.
  const shapes = [...shapeOf(filters).values()].filter(({ name }) => !path.split('/').includes(`:${name}`));
  return shapes.map(shape => {
    const { [shape.name]: usual } = initial;
    // A query has amounts as text, which has no sign.
    const range = shape.kind === 'money' ? { minimum: 0 } : {};
    // A query has a pair per parameter, not a list of pairs.
    const value = valueSchema(shape, shape.pairs ? 'answer' : 'request');
    const schema = { ...value, ...range, ...(usual === undefined ? {} : { default: usual }) };
    const commas = shape.kind === 'choices' ? { explode: false } : {};
    const pairs = shape.pairs ? { style: 'deepObject', explode: true } : {};
    return {
      name: queryName(shape.name),
      in: 'query',
      required: !shape.optional,
      description: shape.about,
      ...commas,
      ...pairs,
      schema,
    };
  });
}

export const parametersOf = (route: Route): Json[] => [
  ...['merchant_id', ...[...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name as string)].map(pathParameter),
  ...filtersOf(route),
  ...(route.method === 'POST' ? [reference('IdempotencyKey', 'parameters')] : []),
];
