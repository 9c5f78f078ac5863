import { ApiError } from '../platform/errors';

/**
 * Clients send back the whole object that they were shown, so the terms of an agreement may be sent, but not changed: a
 * request that changes nothing must not look like success.
 */
export function rejectChangedTerms<T extends object>(sent: { [K in keyof T]?: T[K] | undefined }, current: T): void {
  const changed = (Object.keys(sent) as (keyof T & string)[]).filter(
    name => sent[name] !== undefined && sent[name] !== current[name],
  );
  const [field] = changed;
  if (field === undefined) return;
  throw new ApiError('invalid_value', 'terms_unchangeable', { field, names: changed.join(', ') });
}
