/** Limits the depth and cost of a GraphQL document before it runs. The parser itself limits the number of tokens. */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { ApiError } from '../../platform/errors';

export const MAX_TOKENS = 2000;
const MAX_DEPTH_LEVELS = 12;
const MAX_COST_FIELDS = 20_000;
const MAX_RECORDS = 1000;
const DEFAULT_RECORDS = 10;

interface DocumentSize {
  depth: number;
  cost: number;
}

/** Sizes that do not depend on variables. Apollo caches documents, so a repeated one is the same object. */
const sizeCache = new WeakMap<OperationDefinitionNode, DocumentSize>();

export function rejectCostly(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): void {
  const { depth, cost } = sizeCache.get(operation) ?? measureOperation();
  if (depth > MAX_DEPTH_LEVELS)
    throw new ApiError('malformed', `The document is nested deeper than ${MAX_DEPTH_LEVELS} levels`);
  if (cost > MAX_COST_FIELDS)
    throw new ApiError('malformed', `The document asks for ${cost} fields, more than ${MAX_COST_FIELDS}`);

  function measureOperation(): DocumentSize {
    const counter = new CostCounter(schema, document, operation, variables);
    const size = counter.measure(operation.selectionSet, schema.getRootType(operation.operation)?.name);
    if (!counter.hasReadVariables) sizeCache.set(operation, size);
    return size;
  }
}

/** A field costs one, and the fields of a list count once for every requested record. */
class CostCounter {
  private readonly fragments: Map<string, FragmentDefinitionNode>;
  /** Each fragment is measured once: fragments that spread each other would otherwise take exponential time. */
  private readonly fragmentSizes = new Map<string, DocumentSize>();
  hasReadVariables = false;

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
    private readonly operation: OperationDefinitionNode,
    private readonly variables: Record<string, unknown>,
  ) {
    const fragments = document.definitions.filter(definition => definition.kind === 'FragmentDefinition');
    this.fragments = new Map(fragments.map(fragment => [fragment.name.value, fragment]));
  }

  measure(set: SelectionSetNode | undefined, typeName: string | undefined): DocumentSize {
    const type = typeName === undefined ? undefined : this.schema.getType(typeName);
    const fields = isObjectType(type) ? type.getFields() : {};
    const sizes = (set?.selections ?? []).map(selection => {
      if (selection.kind === 'FragmentSpread') return this.measureFragment(selection.name.value);
      if (selection.kind === 'InlineFragment') return this.measure(selection.selectionSet, typeName);
      // Introspection is limited by the size of the schema, and disabled in production.
      if (selection.name.value.startsWith('__')) return { depth: 0, cost: 0 };
      const field = fields[selection.name.value];
      const inner = this.measure(selection.selectionSet, field && getNamedType(field.type).name);
      return { depth: inner.depth + 1, cost: 1 + inner.cost * this.requestedRecords(selection, field) };
    });
    return {
      depth: Math.max(0, ...sizes.map(({ depth }) => depth)),
      cost: sizes.reduce((sum, { cost }) => sum + cost, 0),
    };
  }

  private measureFragment(name: string): DocumentSize {
    const measured = this.fragmentSizes.get(name);
    if (measured) return measured;
    // A fragment that spreads itself counts nothing the second time; validation rejects it anyway.
    this.fragmentSizes.set(name, { depth: 0, cost: 0 });
    const fragment = this.fragments.get(name);
    const size = this.measure(fragment?.selectionSet, fragment?.typeCondition.name.value);
    this.fragmentSizes.set(name, size);
    return size;
  }

  /** An invalid number counts as the maximum, a missing one as the default. */
  private requestedRecords(
    { arguments: provided = [] }: FieldNode,
    field: GraphQLField<unknown, unknown> | undefined,
  ): number {
    const name = field?.args.find(arg => ['first', 'limit', 'periods'].includes(arg.name))?.name;
    if (name === undefined) return 1;
    const value = provided.find(argument => argument.name.value === name)?.value;
    if (value === undefined || value.kind === 'NullValue') return DEFAULT_RECORDS;
    const number =
      value.kind === 'IntValue'
        ? Number(value.value)
        : value.kind === 'Variable'
          ? this.readVariable(value.name.value)
          : undefined;
    return typeof number === 'number' && number >= 1 && number <= MAX_RECORDS ? number : MAX_RECORDS;
  }

  private readVariable(name: string): unknown {
    this.hasReadVariables = true;
    if (this.variables[name] !== undefined) return this.variables[name] ?? DEFAULT_RECORDS;
    const defaultValue = this.operation.variableDefinitions?.find(
      ({ variable }) => variable.name.value === name,
    )?.defaultValue;
    return defaultValue?.kind === 'IntValue' ? Number(defaultValue.value) : DEFAULT_RECORDS;
  }
}
