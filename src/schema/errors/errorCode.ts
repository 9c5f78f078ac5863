/** The table of errors as an enum of GraphQL, which errors carry as `extensions.code`. */
import { registerEnumType } from 'type-graphql';
import { ERRORS, type ErrorKind } from '../../platform/errors';

/** What any operation can answer, whatever it does. */
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
  description: `What went wrong, also in the extensions of an error as \`code\`. Any operation may answer ${COMMON_ERRORS.join(', ')}; mutations say what else`,
  valuesConfig: Object.fromEntries(
    ERRORS.map(({ kind, code, status, text }) => [kind, { description: `${text} (${code}, HTTP ${status})` }]),
  ),
});
