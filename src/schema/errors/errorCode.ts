/** Error codes as a GraphQL enum; errors carry them as `extensions.code`. */
import { registerEnumType } from 'type-graphql';
import { ERRORS, type ErrorKind } from '../../platform/errors';

/** Errors of every operation. */
export const COMMON_ERRORS: readonly ErrorKind[] = [
  'internal',
  'malformed',
  'not_authenticated',
  'invalid_value',
  'unavailable',
  'too_large',
  'private_key_needed',
  'too_many',
];

export const ErrorCode = Object.fromEntries(ERRORS.map(({ kind }) => [kind, kind])) as { [K in ErrorKind]: K };

registerEnumType(ErrorCode, {
  name: 'ErrorCode',
  description: `Error code, returned as \`extensions.code\`. Any operation may return ${COMMON_ERRORS.join(', ')}; mutations list additional codes`,
  valuesConfig: Object.fromEntries(
    ERRORS.map(({ kind, code, status, text }) => [kind, { description: `${text} (${code}, HTTP ${status})` }]),
  ),
});
