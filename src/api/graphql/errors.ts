/**
 * Converts errors of a document or its variables to API errors. Removes the rejected value that GraphQL quotes, because it
 * may be a card number.
 */
import {
  coerceInputValue,
  type GraphQLInputType,
  getVariableValues,
  type NamedTypeNode,
  type OperationDefinitionNode,
  type SourceLocation,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql';
import { ApiError } from '../../platform/errors';
import { apiSchema } from '../apiSchema';
import { acceptedWords, inputError } from '../inputErrors';

const MAX_VARIABLE_ERRORS = 50;
const QUOTED_VALUE = /(?<=represent [^:]*|Expected value of type "[^"]*")(?:: |, found )[\s\S]*$/;

const redact = (message: string): string => message.replace(QUOTED_VALUE, '').replace(/\d(?:[\s-]?\d){2,}/g, '…');

export function documentError(message: string): ApiError {
  const words = acceptedWords(message);
  return words
    ? new ApiError('invalid_value', 'document_unknown_value', { message: redact(message), values: words })
    : new ApiError('malformed', 'document_invalid', { message: redact(message) });
}

/** Whether the document is invalid, which a correct client never sends. */
export const isDocumentError = (error: ApiError | undefined): boolean =>
  error?.problem.startsWith('document_') === true;

export interface VariableError {
  error: ApiError;
  /** The declaration of the variable. */
  locations: readonly SourceLocation[] | undefined;
}

/** Runs before GraphQL executes the operation, because GraphQL would report the path of a wrong value only as text. */
export const variableErrors = (
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Record<string, unknown>,
): VariableError[] =>
  variableDefinitions.flatMap(definition => errorsOf(definition, variables)).slice(0, MAX_VARIABLE_ERRORS);

function errorsOf(definition: VariableDefinitionNode, variables: Record<string, unknown>): VariableError[] {
  const { errors } = getVariableValues(apiSchema, [definition], variables, { maxErrors: MAX_VARIABLE_ERRORS });
  if (!errors) return [];
  const name = definition.variable.name.value;
  const found: ApiError[] = [];
  const type = typeFromAST(apiSchema, definition.type as NamedTypeNode) as GraphQLInputType;
  if (variables[name] !== undefined && variables[name] !== null)
    coerceInputValue(variables[name], type, (path, _value, error) => {
      if (found.length === MAX_VARIABLE_ERRORS) return;
      const keys = path.map(key => (typeof key === 'number' ? `[${key}]` : `.${key}`));
      found.push(inputError(error, `${name}${keys.join('')}`));
    });
  // A missing variable has no value that GraphQL could quote.
  else
    found.push(
      new ApiError('malformed', 'document_invalid', { field: name, message: redact(errors[0]?.message ?? '') }),
    );
  return found.map(error => ({ error, locations: errors[0]?.locations }));
}
