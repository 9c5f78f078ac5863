/**
 * What GraphQL finds wrong with an input value, as an error of ours that says where it is. GraphQL tells the path of the
 * value, but two things only in its text; that is read here and nowhere else.
 */
import type { GraphQLError } from 'graphql';
import { ApiError, type ErrorKind } from '../platform/errors';

const MISSING_MEMBER = /^Field "(\w+)" of required type/;
const NOT_IN_ENUM = /does not exist in "\w+" enum/;

/** A word that an enum does not have is an invalid value; everything else is malformed. */
export const kindByText = (message: string): ErrorKind => (NOT_IN_ENUM.test(message) ? 'invalid_value' : 'malformed');

const WRONG_FORMAT = 'has the wrong format';
/** The words of REST and of GraphQL for a word that an enum does not have. */
const notInEnum = { rest: 'is not one of the accepted values', graphql: WRONG_FORMAT };

/** `kind` instead of the one that the error would have by itself. */
export function inputError(api: keyof typeof notInEnum, error: GraphQLError, path: string, kind?: ErrorKind): ApiError {
  const { originalError: cause = error } = error;
  if (cause instanceof ApiError) return new ApiError(kind ?? cause.kind, { field: path, problem: cause.message });
  const member = MISSING_MEMBER.exec(error.message)?.[1];
  if (member)
    return new ApiError(kind ?? 'malformed', { field: path ? `${path}.${member}` : member, problem: 'is required' });
  const problem = NOT_IN_ENUM.test(error.message) ? notInEnum[api] : WRONG_FORMAT;
  return new ApiError(kind ?? kindByText(error.message), { field: path, problem });
}
