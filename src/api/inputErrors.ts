/** Converts GraphQL's input errors to API errors with the path of the field. Only this file parses GraphQL's messages. */
import { type GraphQLError, isEnumType } from 'graphql';
import { ApiError, type ErrorKind } from '../platform/errors';
import { apiSchema } from './apiSchema';

const MISSING_MEMBER = /^Field "(\w+)" of required type/;
const NOT_IN_ENUM = /does not exist in "(\w+)" enum/;

/** The values of the enum that the message names, if any. */
export function acceptedWords(message: string): string | undefined {
  const type = apiSchema.getType(NOT_IN_ENUM.exec(message)?.[1] ?? '');
  return isEnumType(type)
    ? type
        .getValues()
        .map(({ name }) => name)
        .join(', ')
    : undefined;
}

/** `kind` overrides the kind of the original error. */
export function inputError(error: GraphQLError, path: string, kind?: ErrorKind): ApiError {
  const { originalError: cause = error } = error;
  if (cause instanceof ApiError) return cause.as(kind ?? cause.kind, path);
  const member = MISSING_MEMBER.exec(error.message)?.[1];
  if (member) {
    const problem = member === 'iva' ? 'iva_required' : 'is_required';
    return new ApiError(kind ?? 'malformed', problem, { field: path ? `${path}.${member}` : member });
  }
  const words = acceptedWords(error.message);
  if (words) return new ApiError(kind ?? 'invalid_value', 'not_one_of', { field: path, values: words });
  return new ApiError(kind ?? 'malformed', 'wrong_format', { field: path });
}
