import { getMetadataStorage } from 'type-graphql';
import { ApiError } from '../../platform/errors';
import { SCOPE_ALL, SCOPE_READ } from '../../schema/operation/context';

/** Mutations that a session may call: none for operators, and none that would grant more rights than the session has. */
const mutationNames = (isOfCustomer: boolean): string[] =>
  getMetadataStorage()
    .mutations.filter(({ extensions: { operatorRole, noSessions, allowCustomerSession } = {} }) =>
      isOfCustomer ? allowCustomerSession : !operatorRole && !noSessions,
    )
    .map(({ schemaName }) => schemaName)
    .sort();

/** Ignores letter case. The default scope is read, which every other scope includes. */
export function readScope(words: readonly string[], isOfCustomer: boolean): string[] {
  const known = [SCOPE_READ, SCOPE_ALL, ...mutationNames(isOfCustomer)];
  const found = words.map(word => known.find(each => each.toLowerCase() === word.trim().toLowerCase()));
  const scope = [...new Set(found.filter(word => word !== undefined))];
  if (found.includes(undefined))
    throw new ApiError('invalid_value', 'not_some_of', { field: 'scope', values: known.join(', ') });
  if (scope.includes(SCOPE_ALL)) return [SCOPE_ALL];
  const named = scope.filter(word => word !== SCOPE_READ);
  return named.length > 0 ? named : [SCOPE_READ];
}
