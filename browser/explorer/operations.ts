/** A first draft of an operation for a field of the API: its arguments as variables, and what it shows of itself. */
import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  type OperationTypeNode,
} from 'graphql';
import type { Draft } from './storage';

const MAX_DEPTH = 2;
const INDENT = '  ';

/** Selects the fields without subfields, and one level of nested objects. */
function selectionOf(type: GraphQLOutputType, depth = 1): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return '';
  const margin = INDENT.repeat(depth + 1);
  const lines = Object.values(named.getFields()).flatMap(field => {
    if (field.args.some(isRequiredArgument) || field.deprecationReason) return [];
    if (!isObjectType(getNamedType(field.type))) return [`${margin}${field.name}`];
    const isRelation = field.args.length > 0 || depth >= MAX_DEPTH;
    return isRelation ? [] : [`${margin}${field.name}${selectionOf(field.type, depth + 1)}`];
  });
  return ` {\n${lines.join('\n')}\n${INDENT.repeat(depth)}}`;
}

/** Something of the right kind, to be written over. */
function exampleOf(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return exampleOf(type.ofType);
  if (isListType(type)) return [exampleOf(type.ofType)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter(isRequiredInputField);
    return Object.fromEntries(fields.map(field => [field.name, exampleOf(field.type)]));
  }
  return { Int: 1, Float: 1, Money: 1000, Boolean: true, Currency: 'COP' }[type.name] ?? '';
}

/** Passes the required arguments, and the optional ones that are named. */
export function draftOf(
  operation: OperationTypeNode,
  field: GraphQLField<unknown, unknown>,
  optional: readonly string[] = [],
): Draft {
  const args = field.args.filter(arg => isRequiredArgument(arg) || optional.includes(arg.name));
  const declared = args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const passed = args.map(({ name }) => `${name}: $${name}`).join(', ');
  const head = `${operation} ${field.name}${declared && `(${declared})`}`;
  const query = `${head} {\n${INDENT}${field.name}${passed && `(${passed})`}${selectionOf(field.type)}\n}\n`;
  const values = Object.fromEntries(args.map(({ name, type }) => [name, exampleOf(type)]));
  return { query, variables: args.length > 0 ? JSON.stringify(values, null, 2) : '' };
}

export const OPERATIONS = ['query', 'mutation', 'subscription'] as OperationTypeNode[];

/** The operation whose type this is. */
export const operationOf = (schema: GraphQLSchema, typeName: string): OperationTypeNode | undefined =>
  OPERATIONS.find(operation => schema.getRootType(operation)?.name === typeName);
