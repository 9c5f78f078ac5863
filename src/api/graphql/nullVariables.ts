/**
 * Finds null variables in places that accept no null. GraphQL allows the document if the variable has a default, and
 * would fail during execution without naming the variable.
 */
import {
  type DocumentNode,
  type GraphQLSchema,
  getLocation,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { ApiError } from '../../platform/errors';
import type { VariableError } from './errors';

export function nullErrors(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): VariableError[] {
  const nulls = (operation.variableDefinitions ?? []).filter(
    ({ variable, type }) => variables[variable.name.value] === null && type.kind !== Kind.NON_NULL_TYPE,
  );
  if (nulls.length === 0) return [];
  const refusing = refusingNull(schema, document, operation);
  return nulls
    .filter(({ variable }) => refusing.has(variable.name.value))
    .map(({ variable, loc }) => ({
      error: new ApiError('malformed', 'null_not_allowed', { field: variable.name.value }),
      locations: loc && [getLocation(loc.source, loc.start)],
    }));
}

/** The variables in arguments or input fields that accept no null. */
function refusingNull(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Set<string> {
  const names = new Set<string>();
  const types = new TypeInfo(schema);
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  visit(
    { ...document, definitions: [operation, ...fragments] },
    visitWithTypeInfo(types, {
      Variable: ({ name }) => void (isNonNullType(types.getInputType()) && names.add(name.value)),
    }),
  );
  return names;
}
