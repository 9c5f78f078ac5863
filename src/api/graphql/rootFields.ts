import {
  type DefinitionNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { ApiError } from '../../platform/errors';
import type { Context } from '../../schema/operation/context';
import { type Audience, guard, requireAudience } from '../../schema/operation/guard';
import type { GraphqlInput } from './readRequest';

const rootFieldCache = new WeakMap<OperationDefinitionNode, FieldNode[]>();

/** The root fields of an operation, including those in fragments, without __typename. */
export function rootFields(document: DocumentNode, operation: OperationDefinitionNode): FieldNode[] {
  const fields = rootFieldCache.get(operation) ?? findRootFields(document, operation);
  rootFieldCache.set(operation, fields);
  return fields;
}

interface GuardedApi {
  schema: GraphQLSchema;
  audience: Audience;
}

/**
 * Throws if the caller may not use the API or one of the root fields. Runs before any lookup or error about the document: public keys
 * and customer sessions must not introspect, and unknown fields are rejected like forbidden ones.
 */
export function guardRootFields(
  { schema, audience }: GuardedApi,
  context: Context,
  { document, operation }: GraphqlInput,
): void {
  requireAudience(audience, context);
  if (!document) return;
  for (const each of operation ? [operation] : document.definitions.filter(isOperation)) {
    const fields = schema.getRootType(each.operation)?.getFields() ?? {};
    for (const { name } of rootFields(document, each)) {
      const field = fields[name.value];
      if (field) guard(context, field);
      else if (context.keyKind === 'public' || context.rights.session?.customer_id)
        throw new ApiError('private_key_needed');
    }
  }
}

const isOperation = (node: DefinitionNode): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION;

function findRootFields(document: DocumentNode, operation: OperationDefinitionNode): FieldNode[] {
  const visitedFragments = new Set<string>();
  const collect = (set: SelectionSetNode): FieldNode[] =>
    set.selections.flatMap(selection => {
      if (selection.kind === Kind.FIELD) return selection.name.value === '__typename' ? [] : [selection];
      if (selection.kind === Kind.INLINE_FRAGMENT) return collect(selection.selectionSet);
      const name = selection.name.value;
      if (visitedFragments.has(name)) return [];
      visitedFragments.add(name);
      const fragment = document.definitions.find(
        definition => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name,
      );
      return fragment?.kind === Kind.FRAGMENT_DEFINITION ? collect(fragment.selectionSet) : [];
    });
  return collect(operation.selectionSet);
}

/** Metric labels come from the schema or from a few fixed words, never from a client. */
export function operationName(schema: GraphQLSchema, { document, operation }: GraphqlInput): string {
  if (!document || !operation) return '(invalid)';
  const names = new Set(rootFields(document, operation).map(({ name }) => name.value));
  if (names.size > 1) return '(several)';
  const [name = ''] = names;
  return name in (schema.getRootType(operation.operation)?.getFields() ?? {}) ? name : '(other)';
}

/** The mutation fields of a request. GraphQL runs fields with the same response name only once. */
export function mutationFields({ document, operation }: GraphqlInput): string[] {
  if (!document || operation?.operation !== 'mutation') return [];
  const fields = rootFields(document, operation).map(({ alias, name }) => [(alias ?? name).value, name.value] as const);
  return [...new Map(fields).values()];
}
