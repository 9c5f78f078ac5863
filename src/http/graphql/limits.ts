/** What a document may ask for, counted before anything runs. The number of tokens is limited by the parser itself. */
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
const MAX_DEPTH = 12;
const MAX_COST = 20_000;
const MAX_RECORDS = 1000;
const DEFAULT_RECORDS = 10;

interface DocumentSize {
  depth: number;
  cost: number;
}

/** What was weighed and is the same for all variables. Apollo hands out a document that comes again as the same object. */
const known = new WeakMap<OperationDefinitionNode, DocumentSize>();

export function rejectCostly(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): void {
  const { depth, cost } = known.get(operation) ?? weighed();
  if (depth > MAX_DEPTH) throw new ApiError('malformed', `The document is nested deeper than ${MAX_DEPTH} levels`);
  if (cost > MAX_COST) throw new ApiError('malformed', `The document asks for ${cost} fields, more than ${MAX_COST}`);

  function weighed(): DocumentSize {
    const scale = new CostCounter(schema, document, operation, variables);
    const size = scale.measure(operation.selectionSet, schema.getRootType(operation.operation)?.name);
    if (!scale.readVariables) known.set(operation, size);
    return size;
  }
}

/** A field costs one, and what is below a list once for every record that is asked for. */
class CostCounter {
  private readonly fragments: Map<string, FragmentDefinitionNode>;
  /** Each fragment is weighed once: spread in one another they would otherwise take forever. */
  private readonly weighed = new Map<string, DocumentSize>();
  readVariables = false;

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
      // Introspection has a size of its own, and is off in production.
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
    const known = this.weighed.get(name);
    if (known) return known;
    this.weighed.set(name, { depth: 0, cost: 0 });
    const fragment = this.fragments.get(name);
    const size = this.measure(fragment?.selectionSet, fragment?.typeCondition.name.value);
    this.weighed.set(name, size);
    return size;
  }

  /** What is not a number that a list takes counts as the most, or as the default where nothing is said. */
  private requestedRecords(
    { arguments: given = [] }: FieldNode,
    field: GraphQLField<unknown, unknown> | undefined,
  ): number {
    const name = field?.args.find(arg => ['first', 'limit', 'periods'].includes(arg.name))?.name;
    if (name === undefined) return 1;
    const value = given.find(argument => argument.name.value === name)?.value;
    if (value === undefined || value.kind === 'NullValue') return DEFAULT_RECORDS;
    const number =
      value.kind === 'IntValue'
        ? Number(value.value)
        : value.kind === 'Variable'
          ? this.variable(value.name.value)
          : undefined;
    return typeof number === 'number' && number >= 1 && number <= MAX_RECORDS ? number : MAX_RECORDS;
  }

  private variable(name: string): unknown {
    this.readVariables = true;
    if (this.variables[name] !== undefined) return this.variables[name] ?? DEFAULT_RECORDS;
    const declared = this.operation.variableDefinitions?.find(
      ({ variable }) => variable.name.value === name,
    )?.defaultValue;
    return declared?.kind === 'IntValue' ? Number(declared.value) : DEFAULT_RECORDS;
  }
}
