import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '../platform/errors';

/**
 * Clients may send back the whole object that they received, so a request may contain the terms of an agreement but not
 * change them: silently ignoring a change would look like success.
 */
export function rejectChangedTerms<T extends object>(sent: { [K in keyof T]?: T[K] | undefined }, current: T): void {
  const changed = (Object.keys(sent) as (keyof T & string)[]).filter(
    name => sent[name] !== undefined && !isDeepStrictEqual(sent[name], current[name]),
  );
  const [field] = changed;
  if (field === undefined) return;
  throw new ApiError('invalid_value', 'terms_unchangeable', { field, names: changed.join(', ') });
}
