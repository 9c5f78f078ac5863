/**
 * What GraphQL finds wrong with an input value, as an error of ours that says where it is. GraphQL tells the path of the
 * value, but two things only in its text; that is read here and nowhere else.
 */
import { type GraphQLError, isEnumType } from 'graphql';
import { ApiError, type ErrorKind } from '../platform/errors';
import { apiSchema } from './apiSchema';

const MISSING_MEMBER = /^Field "(\w+)" of required type/;
const NOT_IN_ENUM = /does not exist in "(\w+)" enum/;

/** The words of the enum that a message is about; undefined if it is about something else. */
export function acceptedWords(message: string): string | undefined {
  const type = apiSchema.getType(NOT_IN_ENUM.exec(message)?.[1] ?? '');
  return isEnumType(type)
    ? type
        .getValues()
        .map(({ name }) => name)
        .join(', ')
    : undefined;
}

/** `kind` instead of the one that the error would have by itself. */
export function inputError(error: GraphQLError, path: string, kind?: ErrorKind): ApiError {
  const { originalError: cause = error } = error;
  if (cause instanceof ApiError) return new ApiError(kind ?? cause.kind, { field: path, problem: cause.message });
  const member = MISSING_MEMBER.exec(error.message)?.[1];
  if (member)
    return new ApiError(kind ?? 'malformed', { field: path ? `${path}.${member}` : member, problem: 'is required' });
  const words = acceptedWords(error.message);
  if (words) return new ApiError(kind ?? 'invalid_value', { field: path, problem: `must be one of ${words}` });
  return new ApiError(kind ?? 'malformed', { field: path, problem: 'has the wrong format' });
}
