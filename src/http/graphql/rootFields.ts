import {
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
} from 'graphql';
import { MAX_TOKENS } from './limits';

const known = new WeakMap<OperationDefinitionNode, FieldNode[]>();

/** The root fields of an operation, through fragments, without __typename. Looked for once in a document that comes again. */
export function rootFields(document: DocumentNode, operation: OperationDefinitionNode): FieldNode[] {
  const found = known.get(operation) ?? findRootFields(document, operation);
  known.set(operation, found);
  return found;
}

function findRootFields(document: DocumentNode, operation: OperationDefinitionNode): FieldNode[] {
  const seen = new Set<string>();
  const collect = (set: SelectionSetNode): FieldNode[] =>
    set.selections.flatMap(selection => {
      if (selection.kind === Kind.FIELD) return selection.name.value === '__typename' ? [] : [selection];
      if (selection.kind === Kind.INLINE_FRAGMENT) return collect(selection.selectionSet);
      const name = selection.name.value;
      if (seen.has(name)) return [];
      seen.add(name);
      const fragment = document.definitions.find(
        definition => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name,
      );
      return fragment?.kind === Kind.FRAGMENT_DEFINITION ? collect(fragment.selectionSet) : [];
    });
  return collect(operation.selectionSet);
}

/** The mutations that a request asks for; a field that is written twice under one name runs once. None for what is no mutation. */
export function mutationFields({ query, operationName }: { query?: unknown; operationName?: unknown }): string[] {
  if (typeof query !== 'string') return [];
  try {
    const document = parse(query, { maxTokens: MAX_TOKENS });
    const operations = document.definitions.filter(definition => definition.kind === Kind.OPERATION_DEFINITION);
    const chosen = operations.find(({ name }) => name?.value === operationName) ?? operations[0];
    if (chosen?.operation !== 'mutation') return [];
    const fields = rootFields(document, chosen).map(({ alias, name }) => [(alias ?? name).value, name.value] as const);
    return [...new Map(fields).values()];
  } catch {
    return [];
  }
}
