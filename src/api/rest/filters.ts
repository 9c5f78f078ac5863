/** Filters of a list as parameters of a REST query. */
import type { Shape } from '../../schema/shapes';
import { readValue } from './tolerance';

/** `creation[gte]` in a query is the argument `creation_gte`. */
export const queryName = (argument: string): string => argument.replace(/_(gte|lte|in)$/, '[$1]');

/** The parameter as it is named in errors. */
export const parameterName = ({ name, pairs }: Shape): string => (pairs ? `${name}[key]` : queryName(name));

/** Whether this parameter is the filter, or one pair of it. */
export const isParameterOf = ({ name, pairs }: Shape, parameter: string): boolean =>
  pairs ? keyIn(name, parameter) !== undefined : parameter === queryName(name);

/** The `key` of `name[key]`. */
function keyIn(name: string, parameter: string): string | undefined {
  const isPair = parameter.startsWith(`${name}[`) && parameter.endsWith(']');
  return (isPair && parameter.slice(name.length + 1, -1)) || undefined;
}

/** The value of a filter, or undefined if the query has no parameter of it. */
export function readFilter(shape: Shape, query: Record<string, unknown>): unknown {
  const { name, pairs } = shape;
  if (!pairs) return query[queryName(name)] === undefined ? undefined : readValue(shape, query[queryName(name)]);
  const found = Object.entries(query).flatMap(([parameter, value]) => {
    const key = keyIn(name, parameter);
    return key === undefined ? [] : [[key, value] as const];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}
