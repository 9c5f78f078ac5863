import {
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
  parse,
  type SelectionSetNode,
} from 'graphql';
import type { Context } from '../../context';
import { guard } from '../../schema/guard';
import { apiSchema } from '../apiSchema';
import { MAX_TOKENS } from './limits';

const rootFieldCache = new WeakMap<OperationDefinitionNode, FieldNode[]>();

/** The root fields of an operation, including those in fragments, without __typename. Cached by operation. */
export function rootFields(document: DocumentNode, operation: OperationDefinitionNode): FieldNode[] {
  const fields = rootFieldCache.get(operation) ?? findRootFields(document, operation);
  rootFieldCache.set(operation, fields);
  return fields;
}

/** Throws if the caller's key does not permit one of them. */
export function guardRootFields(context: Context, operation: OperationTypeNode, names: string[]): void {
  const fields = apiSchema.getRootType(operation)?.getFields() ?? {};
  for (const name of names) if (fields[name]) guard(context, fields[name]);
}

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

/**
 * The mutation fields that a request runs, none for queries. GraphQL runs fields with the same response name only once.
 */
export function mutationFields({ query, operationName }: { query?: unknown; operationName?: unknown }): string[] {
  if (typeof query !== 'string') return [];
  try {
    const document = parse(query, { maxTokens: MAX_TOKENS });
    const operations = document.definitions.filter(definition => definition.kind === Kind.OPERATION_DEFINITION);
    const operation = operations.find(({ name }) => name?.value === operationName) ?? operations[0];
    if (operation?.operation !== 'mutation') return [];
    const fields = rootFields(document, operation).map(
      ({ alias, name }) => [(alias ?? name).value, name.value] as const,
    );
    return [...new Map(fields).values()];
  } catch {
    return [];
  }
}
